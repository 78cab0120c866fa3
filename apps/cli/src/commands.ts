/** The commands there are, each loaded when it is called. */
import type { Command } from './command.ts';

/** Name to module. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  cri: async () => (await import('./cri/command.ts')).command,
};
