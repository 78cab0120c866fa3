/**
 * Decides what a simulated container does: a script if there is one, else what its command says, else what its image does. All three end
 * in a program for process 1.
 */
import { type ContainerConfig, CriError, type PodSandboxConfig } from '@podscope/cri';
import type { ImageDefinition } from '../images/catalog.ts';
import type { Machine } from '../machine/machine.ts';
import type { ProcessOptions, Program } from '../machine/process.ts';
import { grpcHealthChecking } from '../programs/grpc-health-checking.ts';
import { parseScript, type Script, ScriptError } from './script.ts';
import { accompany, scriptedProgram } from './scripted-program.ts';

/** Annotations `sim.podscope.dev/<container>` on the pod carry scripts. */
export const scriptAnnotationPrefix = 'sim.podscope.dev/';

/** A first process that can't be started, in the words of the OCI runtime. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What a container does. */
export interface Life {
  readonly argv: readonly string[];
  readonly script: Script | undefined;
  /** The program of process 1. @throws StartError when there is none. */
  program(machine: Machine, process: Pick<ProcessOptions, 'argv' | 'cwd' | 'env'>): Promise<Program>;
}

/** The command line a container runs: its own, or the image's, by the engine's rules. */
function commandLine(config: ContainerConfig, image: ImageDefinition): readonly string[] {
  const command = config.command ?? [];
  const args = config.args ?? [];
  if (command.length > 0) return [...command, ...args];
  return [...(image.entrypoint ?? []), ...(args.length > 0 ? args : (image.command ?? []))];
}

function scriptText(scripts: Readonly<Record<string, string>>, sandbox: PodSandboxConfig, name: string): string | undefined {
  const { namespace, name: pod } = sandbox.metadata;
  // A container may be called `constructor`.
  const own = [`${namespace}/${pod}/${name}`, `${pod}/${name}`, name].find((key) => Object.hasOwn(scripts, key));
  return sandbox.annotations?.[scriptAnnotationPrefix + name] ?? (own === undefined ? undefined : scripts[own]);
}

const runtimeError = (cause: string): string =>
  `failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: ${cause}`;

/** What the OCI runtime says when a program can't be run. */
export function cannotExecute(name: string, failure: 'not found' | 'permission denied'): string {
  const isPath = name.includes('/');
  const cause =
    failure === 'permission denied'
      ? `exec: "${name}": permission denied`
      : isPath
        ? `exec: "${name}": stat ${name}: no such file or directory`
        : `exec: "${name}": executable file not found in $PATH`;
  return `unable to start container process: ${cause}: unknown`;
}

/**
 * The life of a container.
 * @throws CriError InvalidArgument when its script can't be read, Unknown when it has nothing to run.
 */
export function lifeOf(scripts: Readonly<Record<string, string>>, sandbox: PodSandboxConfig, config: ContainerConfig, image: ImageDefinition): Life {
  const { name, attempt } = config.metadata;
  const text = scriptText(scripts, sandbox, name);
  let script: Script | undefined;
  try {
    script = text === undefined ? undefined : parseScript(text, attempt);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    throw new CriError('InvalidArgument', `script of container "${name}" (annotation ${scriptAnnotationPrefix}${name}): ${error.message}`);
  }
  const argv = commandLine(config, image);
  if (argv.length === 0 && !script) throw new CriError('Unknown', 'Error response from daemon: No command specified');
  return {
    argv: argv.length === 0 ? ['scripted'] : argv,
    script,
    program: async (machine, process) => {
      if (script?.startError) throw new StartError(runtimeError(script.startError.message), script.startError.code);
      if (script?.drives) return scriptedProgram(script);
      const program = grpcHealthChecking(image, process.argv) ?? (await machine.lookup(process));
      if (typeof program !== 'string') {
        if (!script) return program;
        return (self) => {
          accompany(self, script);
          return program(self);
        };
      }
      throw new StartError(runtimeError(cannotExecute(process.argv[0] ?? '', program)), program === 'not found' ? 127 : 126);
    },
  };
}
