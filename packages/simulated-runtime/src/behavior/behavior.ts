/**
 * Determines the program of a simulated container: the container's script; without a script, its command; without a
 * command, the image's entrypoint.
 */
import { type ContainerConfig, CriError, type PodSandboxConfig } from '@podscope/cri';
import type { ImageDefinition } from '../images/catalog.ts';
import type { Command, ProcessMachine, Program } from '../machine/process.ts';
import { grpcHealthChecking } from '../programs/grpc-health-checking.ts';
import { parseScript, type Script, ScriptError } from './script.ts';
import { accompany, scriptedProgram } from './scripted-program.ts';

/** The prefix of the pod annotation `sim.podscope.dev/<container>`, which contains the script of a container. */
export const scriptAnnotationPrefix = 'sim.podscope.dev/';

/** The error when process 1 can't be started. Its message equals the OCI runtime's message. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly exitCode: number;
  /** The reason in the status of the container. */
  readonly reason: string;

  constructor(message: string, exitCode: number, reason = 'ContainerCannotRun') {
    super(message);
    this.exitCode = exitCode;
    this.reason = reason;
  }
}

/** How a container behaves. */
export interface Behavior {
  readonly argv: readonly string[];
  readonly script: Script | undefined;
  /**
   * Returns the program of process 1.
   * @throws StartError when it can't be started
   */
  program(machine: ProcessMachine, command: Command): Promise<Program>;
}

/** Returns the command line of a container. The engine's rules combine it from the container's and the image's. */
function commandLine(config: ContainerConfig, image: ImageDefinition): readonly string[] {
  const command = config.command ?? [];
  const args = config.args ?? [];
  if (command.length > 0) return [...command, ...args];
  return [...(image.entrypoint ?? []), ...(args.length > 0 ? args : (image.command ?? []))];
}

function scriptText(
  scripts: Readonly<Record<string, string>>,
  sandbox: PodSandboxConfig,
  name: string,
): string | undefined {
  const { namespace, name: pod } = sandbox.metadata;
  // Only own properties count, because a container may be called `constructor`.
  const own = [`${namespace}/${pod}/${name}`, `${pod}/${name}`, name].find((key) => Object.hasOwn(scripts, key));
  return sandbox.annotations?.[scriptAnnotationPrefix + name] ?? (own === undefined ? undefined : scripts[own]);
}

const runtimeError = (cause: string): string =>
  'failed to create task for container: failed to create shim task: OCI runtime create failed: runc create ' +
  `failed: ${cause}`;

/** Returns the OCI runtime's error text for a program that can't be executed. */
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
 * Returns the behavior of a container.
 * @throws CriError InvalidArgument when its script can't be parsed, Unknown when it has neither a command nor an
 * entrypoint
 */
export function behaviorOf(
  scripts: Readonly<Record<string, string>>,
  sandbox: PodSandboxConfig,
  config: ContainerConfig,
  image: ImageDefinition,
): Behavior {
  const { name, attempt } = config.metadata;
  const text = scriptText(scripts, sandbox, name);
  let script: Script | undefined;
  try {
    script = text === undefined ? undefined : parseScript(text, attempt);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    throw new CriError(
      'InvalidArgument',
      `script of container "${name}" (annotation ${scriptAnnotationPrefix}${name}): ${error.message}`,
    );
  }
  const argv = commandLine(config, image);
  if (argv.length === 0 && !script) throw new CriError('Unknown', 'Error response from daemon: No command specified');
  return {
    argv: argv.length === 0 ? ['scripted'] : argv,
    script,
    program: async (machine, command) => {
      if (script?.startError) {
        const { message, code, reason } = script.startError;
        throw new StartError(runtimeError(message), code, reason);
      }
      if (script?.drives) return scriptedProgram(script);
      const program = grpcHealthChecking(image, command.argv) ?? (await machine.lookup(command));
      if (typeof program !== 'string') {
        if (!script) return program;
        return (self) => {
          accompany(self, script);
          return program(self);
        };
      }
      throw new StartError(
        runtimeError(cannotExecute(command.argv[0] ?? '', program)),
        program === 'not found' ? 127 : 126,
      );
    },
  };
}
