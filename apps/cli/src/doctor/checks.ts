/** Checks the features of a machine that Podscope needs. Each check returns a finding with a remedy. */
import { errorMessage } from '@podscope/base';
import { unsupportedNode } from '@podscope/command-line';
import type { EngineDescription } from '@podscope/dockershim';

/** The result of one check. With a `note`, some features are unavailable. With a `problem`, Podscope can't start. */
export interface Finding {
  readonly subject: string;
  readonly state: 'ok' | 'note' | 'problem';
  /** The result, in one line. */
  readonly found: string;
  /** The remedy for the user; absent if nothing needs to be done. */
  readonly remedy?: string;
}

/** The facts about a machine that the checks read. */
export interface Machine {
  readonly nodeVersion: string;
  readonly platform: string;
  readonly isRoot: boolean;
  /** Returns the description of the engine. Rejects with a `code` if the engine doesn't respond. */
  engine(): Promise<EngineDescription>;
  /** Listens on a port and closes it. Rejects with a `code` if the port is in use. */
  listen(port: number): Promise<void>;
  /** Creates a file in the directory and removes it. Rejects with a `code` if that isn't possible. */
  writeTo(directory: string): Promise<void>;
  /** Returns true if a program of this name is in PATH and can be executed. */
  hasProgram(name: string): Promise<boolean>;
  /** Returns true if the cgroups of pods can be created. */
  canCreateCgroups(): Promise<boolean>;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Checks the version of Node.js. */
export function checkNode({ nodeVersion }: Machine): Finding {
  const problem = unsupportedNode(nodeVersion);
  return problem === undefined
    ? { subject: 'Node', state: 'ok', found: nodeVersion }
    : { subject: 'Node', state: 'problem', found: nodeVersion, remedy: problem };
}

/** The oldest API version that Podscope supports: the version of Docker 20.10. */
const oldestApi = 1.41;

const dockerRemedies: Readonly<Record<string, string>> = {
  ENOENT: 'Install and start Docker, or set DOCKER_HOST. Until then pods run in the simulator.',
  ECONNREFUSED: 'Start the Docker daemon, or set DOCKER_HOST. Until then pods run in the simulator.',
  EACCES: 'Join the group docker (sudo usermod -aG docker $USER, then log in again), or use rootless Docker.',
};

/** Checks whether the Docker engine responds, and its version. */
export async function checkDocker(machine: Machine): Promise<readonly Finding[]> {
  try {
    const engine = await machine.engine();
    const isOld = Number(engine.apiVersion) < oldestApi;
    return [
      {
        subject: 'Docker',
        state: isOld ? 'note' : 'ok',
        found: `${engine.version} (API ${engine.apiVersion}) at ${engine.url}`,
        ...(isOld ? { remedy: 'Podscope is tested with Docker 20.10 and newer: upgrade the engine.' } : {}),
      },
      await checkCgroups(machine, engine),
    ];
  } catch (error) {
    const remedy =
      dockerRemedies[codeOf(error)] ?? 'Check DOCKER_HOST and the daemon. Until then pods run in the simulator.';
    return [{ subject: 'Docker', state: 'note', found: errorMessage(error), remedy }];
  }
}

/** Checks whether pods can have their own cgroups. */
async function checkCgroups(machine: Machine, engine: EngineDescription): Promise<Finding> {
  const found = `v${engine.cgroupVersion}, driver ${engine.cgroupDriver}`;
  const subject = 'control groups';
  if (engine.isRootless)
    return {
      subject,
      state: 'note',
      found: `${found}, rootless`,
      remedy: 'Pods get no control group of their own with rootless Docker. Limits of containers still hold.',
    };
  if (await machine.canCreateCgroups()) return { subject, state: 'ok', found };
  return {
    subject,
    state: 'note',
    found: `${found}, not writable`,
    remedy: 'Pods get no control group of their own. Run Podscope as root to give them one.',
  };
}

/** Checks the permissions of the user on this machine. */
export function checkPermissions({ isRoot, platform }: Machine): Finding {
  const subject = 'permissions';
  if (isRoot) return { subject, state: 'ok', found: 'root' };
  return {
    subject,
    state: platform === 'linux' ? 'note' : 'ok',
    found: 'not root',
    ...(platform === 'linux'
      ? { remedy: 'Volumes in memory, CNI and control groups of pods need root. Everything else works.' }
      : {}),
  };
}

/** Checks the port of the page. */
export async function checkPort(machine: Machine, port: number): Promise<Finding> {
  const subject = `port ${port}`;
  try {
    await machine.listen(port);
    return { subject, state: 'ok', found: 'free' };
  } catch (error) {
    const isTaken = codeOf(error) === 'EADDRINUSE';
    return {
      subject,
      state: 'problem',
      found: isTaken ? 'in use, perhaps by another Podscope' : errorMessage(error),
      remedy: 'Choose another one with --port, or --port 0 for any free one.',
    };
  }
}

/** Checks that the state directory can be written. */
export async function checkStateDirectory(machine: Machine, directory: string): Promise<Finding> {
  const subject = 'state directory';
  try {
    await machine.writeTo(directory);
    return { subject, state: 'ok', found: directory };
  } catch (error) {
    return {
      subject,
      state: 'problem',
      found: `${directory}: ${errorMessage(error)}`,
      remedy: 'Name a directory that you can write to with --state-dir.',
    };
  }
}

/** Checks for kubectl, which is optional. */
export async function checkKubectl(machine: Machine): Promise<Finding> {
  return (await machine.hasProgram('kubectl'))
    ? { subject: 'kubectl', state: 'ok', found: 'installed' }
    : {
        subject: 'kubectl',
        state: 'note',
        found: 'not installed',
        remedy: 'Optional: with kubectl you can also create and inspect pods from a terminal.',
      };
}
