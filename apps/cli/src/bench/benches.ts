/** The benchmarks there are, each loaded when it is called. */
import type { Command } from '../command.ts';

/** Name to module. */
export const benches: Readonly<Record<string, () => Promise<Command>>> = {
  debugger: async () => (await import('./debugger.ts')).bench,
  engine: async () => (await import('./engine.ts')).bench,
  load: async () => (await import('./load.ts')).bench,
  runtime: async () => (await import('./runtime.ts')).bench,
  store: async () => (await import('./store.ts')).bench,
  ui: async () => (await import('./ui.ts')).bench,
};
