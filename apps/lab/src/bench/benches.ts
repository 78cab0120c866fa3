/** Lists the benchmarks. Each module loads when its benchmark is called. */
import { type CommandBody } from '@podscope/command-line';

/** Loaders of the benchmark modules, by name. */
export const benches: Readonly<Record<string, () => Promise<CommandBody>>> = {
  class: async () => (await import('./class.ts')).bench,
  cri: async () => (await import('./cri.ts')).bench,
  debugger: async () => (await import('./debugger.ts')).bench,
  engine: async () => (await import('./engine.ts')).bench,
  kubelet: async () => (await import('./kubelet.ts')).bench,
  load: async () => (await import('./load.ts')).bench,
  relay: async () => (await import('./relay.ts')).bench,
  runtime: async () => (await import('./runtime.ts')).bench,
  shadow: async () => (await import('./shadow.ts')).bench,
  store: async () => (await import('./store.ts')).bench,
  ui: async () => (await import('./ui.ts')).bench,
  why: async () => (await import('./why.ts')).bench,
};
