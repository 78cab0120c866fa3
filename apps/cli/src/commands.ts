/** The commands there are, each loaded when it is called. */
import type { Command } from './command.ts';

/** Name to module. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  'build:site': async () => (await import('./commands/build-site.ts')).buildSite,
  conformance: async () => (await import('./conformance/command.ts')).command,
  cri: async () => (await import('./cri/command.ts')).command,
};
