/** Implements `podscope run`: parses the command line and calls {@link runManifest}. */
import { type CommandBody, callOf, onInterrupt } from '@podscope/command-line';
import { printable } from '@podscope/trace';
import { parseRunOptions } from './options.ts';
import { runManifest } from './run-manifest.ts';

export const command: CommandBody = {
  help: `Usage: ${callOf('run')} MANIFEST [options]

Starts a node, applies MANIFEST (a YAML or JSON file, or -), prints the flow while it happens, and ends the pods. In
the simulator time is virtual and passes as fast as possible: an hour of back-off takes a moment.

  --runtime R       auto (default: Docker if it answers, else sim), docker, sim, or unix:///path of a CRI socket.
  --profile P       v1.36 (default) or v1.20: the release to behave like.
  --feature-gates G=true,H=false
                    Gates of the kubelet, as for start.
  --until WHAT      When to end: running, succeeded, failed, step:NAME (a step of SyncPod or any point has ended
                    without an error in each pod), or settled (default: (a) every pod has ended, or (b) no
                    pod has changed for 5 s, and each has ended, is ready or waits in a back-off).
  --timeout D       The time limit, on the node's clock; default 10m.
  --break SPEC      A breakpoint; can be repeated. SPEC is
                    [before|after|error] PLACE [pod=… namespace=… container=… containerType=… threads=… hits=…] [once]
                    [if CONDITION] [log MESSAGE], where PLACE is a point (cri.CreateContainer, cri.*), a function
                    (SyncPod), kind:KIND, decision:RULE or FILE:LINE of the engine; or one of anyError, firstBackOff,
                    sandboxChanged, phaseChanged. On a terminal a prompt opens (help lists its commands); else stack and
                    variables are printed and the run ends with exit code 4.
  --continue        Print stops and continue automatically.
  --faults FILE     A fault plan (docs/use/debugging.md).
  --seed N          Run in the simulator with this seed for all random values.
  --simulation FILE Run in the simulator. FILE describes its node: images, registries, container behavior, times,
                    failures (docs/use/simulator.md).
  --record FILE     Write the run to a trace file, for open, explain, diff and export.
  --json            Events as JSON lines instead of text.
  --keep            Leave the pods running.
  --state-dir DIR   Keep the node's state there instead of in a directory that is deleted at the end.
  --allow-privileged, --allow-host-path, --allow-host-namespaces
                    Allow pods that are rejected otherwise.

Exit codes: 0 reached · 1 can't be reached · 2 invalid command line, manifest or plan · 3 timeout · 4 stopped at a
breakpoint · 5 the runtime does not answer · 130 interrupted.`,
  examples: [
    ['run pod.yaml', 'Run a pod until it is ready, has ended or waits in a back-off'],
    [
      'run pod.yaml --runtime sim --until step:createPodSandbox',
      'Stop once the sandbox has been created, without Docker',
    ],
    ["run pod.yaml --break 'cri.CreateContainer if attempt == 1'", 'Stop before the second attempt of a container'],
    ['run pod.yaml --record pod.podscope', 'Keep the run in a file'],
  ],
  run: async (args) => {
    const options = parseRunOptions(args);
    const { stdout, stdin, stderr } = process;
    const interrupt = onInterrupt();
    try {
      return await runManifest(options, {
        terminal: {
          write: (text) => void stdout.write(text),
          colour: stdout.isTTY && !process.env['NO_COLOR'],
          live: stdout.isTTY,
        },
        print: (message) => void stderr.write(`${printable(message)}\n`),
        stdin,
        prompt: stdin.isTTY && stdout.isTTY ? { input: stdin, output: stdout } : undefined,
        signal: interrupt.signal,
      });
    } finally {
      interrupt.end();
    }
  },
};
