/** Lists the commands that users of Podscope run. Each module loads when its command is called. */
import type { Commands } from '@podscope/command-line';

export const commands: Commands = {
  'build:site': async () => (await import('./commands/build-site.ts')).buildSite,
  cri: async () => (await import('./cri/command.ts')).command,
  dap: async () => (await import('./dap/command.ts')).command,
  diff: async () => (await import('./runs/diff.ts')).command,
  explain: async () => (await import('./runs/explain.ts')).command,
  export: async () => (await import('./runs/export.ts')).command,
  open: async () => (await import('./runs/open.ts')).command,
  run: async () => (await import('./run/command.ts')).command,
  runs: async () => (await import('./runs/runs.ts')).command,
};
