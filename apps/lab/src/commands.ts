/** Lists the commands of the laboratory. */
import type { Commands } from '@podscope/command-line';

export const commands: Commands = {
  bench: {
    usage: 'bench NAME [options]',
    summary: 'Measure the engine, the runtime, the debugger or the page.',
    load: async () => (await import('./bench/command.ts')).command,
  },
  chaos: {
    usage: 'chaos [--seed N] [--minutes M] [--runtime sim|docker]',
    summary: 'Inject random faults from a seed and check that every pod recovers.',
    load: async () => (await import('./chaos/command.ts')).command,
  },
  conformance: {
    usage: 'conformance [DIR] [--profile v1.36|v1.20] [--only ID [--explain]] [--verbose]',
    summary: 'Compare the engine with recorded decisions of the genuine kubelet.',
    load: async () => (await import('./conformance/command.ts')).command,
  },
  twin: {
    usage: 'twin DIR [options]',
    summary: 'Run recorded pods of genuine kubelets on Docker here and compare.',
    load: async () => (await import('./twin/command.ts')).command,
  },
};
