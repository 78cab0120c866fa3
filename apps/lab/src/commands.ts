/** Lists the commands of the laboratory. Each module loads when its command is called. */
import type { Commands } from '@podscope/command-line';

export const commands: Commands = {
  bench: async () => (await import('./bench/command.ts')).command,
  chaos: async () => (await import('./chaos/command.ts')).command,
  conformance: async () => (await import('./conformance/command.ts')).command,
  twin: async () => (await import('./twin/command.ts')).command,
};
