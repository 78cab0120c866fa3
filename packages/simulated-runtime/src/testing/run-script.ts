/** Runs a shell script in a simulated process, for tests. */
import { createRandom } from '@podscope/base';
import { VirtualClock } from '@podscope/trace';
import { dockerHub } from '../images/catalog.ts';
import { defaultCredentials } from '../kernel/credentials.ts';
import { Kernel, sysctlsOf } from '../kernel/kernel.ts';
import { FileSystem } from '../machine/file-system.ts';
import { MemoryHostFiles } from '../machine/host-files.ts';
import { Machine } from '../machine/machine.ts';
import type { Process } from '../machine/process.ts';
import { emptyInput, TextOutput } from '../machine/streams.ts';
import { NetworkStack } from '../network/pod-network.ts';
import { lookupIn } from '../programs/lookup.ts';
import { drive } from './drive.ts';

/** The result of a script. */
export interface ScriptOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The duration of the script in ms. */
  readonly took: number;
}

export interface ScriptOptions {
  /** Called with the running process. */
  readonly during?: (process: Process, clock: VirtualClock) => void;
  readonly memoryLimit?: number;
  /** Whether the script is process 1. Default: true. */
  readonly init?: boolean;
  readonly image?: keyof typeof dockerHub;
}

/** Runs `sh -c script` as process 1 of a busybox container, on a virtual clock. */
export async function runScript(script: string, options: ScriptOptions = {}): Promise<ScriptOutcome> {
  const clock = new VirtualClock();
  const network = new NetworkStack('10.244.0.2');
  const kernel = new Kernel();
  const image = dockerHub[options.image ?? 'library/busybox'];
  if (!image) throw new Error(`no such image: ${options.image}`);
  const machine = new Machine({
    clock,
    random: createRandom(1),
    files: new FileSystem(new MemoryHostFiles(), []),
    network,
    resolveHost: (host) => (host === 'localhost' || host === '127.0.0.1' ? network : undefined),
    credentials: defaultCredentials,
    namespaces: kernel.newNamespaces(),
    pidNamespace: kernel.newPidNamespace(options.init === false ? { argv: ['/pause'] } : undefined),
    sysctls: sysctlsOf({ 'kernel.hostname': 'box' }),
    limits: () => ({ memoryLimitInBytes: options.memoryLimit }),
    nodeMemory: 8 * 1024 ** 3,
    lookup: lookupIn(image),
  });
  const env = new Map([
    ['PATH', '/bin'],
    ['HOME', '/root'],
    ['HOSTNAME', 'box'],
  ]);
  const argv = ['sh', '-c', script];
  const program = await machine.lookup({ argv, cwd: '/', env });
  if (typeof program === 'string') throw new Error(`sh: ${program}`);
  const [stdout, stderr] = [new TextOutput(), new TextOutput()];
  const started = clock.now();
  const process = machine.spawn(program, { argv, env, cwd: '/', stdin: emptyInput, stdout, stderr });
  options.during?.(process, clock);
  const code = await drive(clock, process.exited);
  return { code, stdout: stdout.text, stderr: stderr.text, took: clock.now() - started };
}
