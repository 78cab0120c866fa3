/** The commands there are, each loaded when it is called. */
import type { Command } from './command.ts';

/** Name to module. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  bench: async () => (await import('./bench/command.ts')).command,
  'build:site': async () => (await import('./commands/build-site.ts')).buildSite,
  chaos: async () => (await import('./chaos/command.ts')).command,
  conformance: async () => (await import('./conformance/command.ts')).command,
  cri: async () => (await import('./cri/command.ts')).command,
  dap: async () => (await import('./dap/command.ts')).command,
  diff: async () => (await import('./runs/diff.ts')).command,
  explain: async () => (await import('./runs/explain.ts')).command,
  export: async () => (await import('./runs/export.ts')).command,
  open: async () => (await import('./runs/open.ts')).command,
  run: async () => (await import('./run/command.ts')).command,
  runs: async () => (await import('./runs/runs.ts')).command,
  twin: async () => (await import('./twin/command.ts')).command,
};
