/** Lists the commands that users of Podscope run. */
import type { Commands } from '@podscope/command-line';

export const commands: Commands = {
  start: {
    usage: 'start [options]',
    summary: 'Start the server and print the address of the page. Runs when no command is given.',
    load: async () => (await import('@podscope/server/start')).command,
  },
  run: {
    usage: 'run MANIFEST [options]',
    summary: 'Run the pods of a manifest on a node of their own and print the flow.',
    load: async () => (await import('./run/command.ts')).command,
  },
  why: {
    usage: 'why POD|KIND/NAME|-A|-l SELECTOR',
    summary: 'Say why pods of a cluster do not work, what happens next, and what to do.',
    load: async () => (await import('./kubectl/why.ts')).command,
  },
  explain: {
    usage: 'explain FILE…|POD',
    summary: 'Explain why pods are in their state: of a file, of kubectl, or of a recorded run.',
    load: async () => (await import('./runs/explain.ts')).command,
  },
  open: {
    usage: 'open FILE|RUN|DIR',
    summary: 'Show a trace file, a recorded run or a recorded genuine kubelet in the browser.',
    load: async () => (await import('./runs/open.ts')).command,
  },
  diff: {
    usage: 'diff FILE|RUN|DIR FILE|RUN|DIR',
    summary: 'Compare two runs step by step; exit code 1 when they differ.',
    load: async () => (await import('./runs/diff.ts')).command,
  },
  export: {
    usage: 'export FILE|RUN|DIR [--format FORMAT] [-o OUT]',
    summary: 'Write a run as a trace file, Perfetto trace or OTLP.',
    load: async () => (await import('./runs/export.ts')).command,
  },
  runs: {
    usage: 'runs [rename|tag|note|delete|import …]',
    summary: 'List, name, tag, delete and import recorded runs.',
    load: async () => (await import('./runs/runs.ts')).command,
  },
  dap: {
    usage: 'dap [--listen PORT|SOCKET]',
    summary: 'Debug pods from VS Code or any other client of the Debug Adapter Protocol.',
    load: async () => (await import('./dap/command.ts')).command,
  },
  cri: {
    usage: 'cri [--listen unix:///PATH] [options]',
    summary: 'Serve Docker (through dockershim) or the simulator as a CRI endpoint over gRPC.',
    load: async () => (await import('./cri/command.ts')).command,
  },
  'docker-proxy': {
    usage: 'docker-proxy --listen unix:///PATH',
    summary: 'Serve a socket of the Docker Engine that accepts only the calls of Podscope.',
    load: async () => (await import('./docker-proxy/command.ts')).command,
  },
  observe: {
    usage: 'observe [install|uninstall] [--listen ENDPOINT] [--runtime ENDPOINT]',
    summary: 'Show and debug a genuine kubelet: a relay forwards its CRI calls to the container runtime.',
    load: async () => (await import('./observe/command.ts')).command,
  },
  'build:site': {
    usage: 'build:site [--out DIR]',
    summary: 'Build the page with its engine as static files.',
    load: async () => (await import('./commands/build-site.ts')).buildSite,
  },
  lessons: {
    usage: 'lessons check [FILE…]|export --scorm [--out DIR] LESSON…',
    summary: 'Check lessons, or write them as packages for learning platforms.',
    load: async () => (await import('./lessons/command.ts')).command,
  },
  doctor: {
    usage: 'doctor',
    summary: 'Check what helps or blocks Podscope on this machine, and how to fix it.',
    load: async () => (await import('./doctor/command.ts')).command,
  },
  completion: {
    usage: 'completion bash|zsh|fish',
    summary: 'Print a completion script for a shell.',
    load: async () => (await import('./commands/completion.ts')).completion(commands),
  },
};
