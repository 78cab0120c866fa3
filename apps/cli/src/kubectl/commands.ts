/** Lists the commands of the kubectl plugin. */
import type { Commands } from '@podscope/command-line';

export const kubectlCommands: Commands = {
  why: {
    usage: 'why POD|-A|-l SELECTOR',
    summary: 'Say why pods do not work, what happens next, and what to do.',
    load: async () => (await import('./why.ts')).pluginCommand,
  },
  watch: {
    usage: 'watch [-A]',
    summary: 'Open the page over the pods of a namespace, live and read-only.',
    load: async () => (await import('./watch.ts')).command,
  },
  record: {
    usage: 'record POD -o FILE',
    summary: 'Write the history of a pod to a trace file.',
    load: async () => (await import('./record.ts')).command,
  },
  sim: {
    usage: 'sim POD',
    summary: 'Continue a pod in the simulator and print what its kubelet does next.',
    load: async () => (await import('./sim.ts')).command,
  },
};
