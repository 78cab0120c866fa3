/**
 * Connects to ports inside the network namespaces of pods. A thread of this process can't enter another namespace, so a
 * helper process does. The helper runs for a while after its last connection, because starting it takes most of the
 * time of a connection.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CriError } from '@podscope/cri';
import type { Context } from '@podscope/trace';

const program = fileURLToPath(new URL('./dial-in-namespace.ts', import.meta.url));
/** How long a helper without connections continues to run, in ms. */
const idleMs = 30_000;
const maxErrorBytes = 4096;

/** A running helper process. */
export interface DialHelper {
  readonly child: Pick<ChildProcess, 'kill'>;
  readonly socketPath: string;
  /** Resolves when the process has ended and its files are removed. */
  readonly ended: Promise<void>;
}

interface Entry {
  /** The process whose namespace the helper has entered. */
  readonly pid: number;
  readonly starting: Promise<DialHelper>;
  connections: number;
  idle: { cancel(): void } | undefined;
}

/** The process that runs a sandbox's pause program. */
export interface SandboxProcess {
  readonly sandboxId: string;
  readonly pid: number;
}

/** Starts and stops the helper processes. Each sandbox with connections has one helper. */
export class NamespaceDialers {
  readonly #start: typeof startHelper;
  readonly #helpers = new Map<string, Entry>();
  /** The ends of all helpers that have been started. */
  readonly #ending = new Set<Promise<void>>();

  /** @param start starts a helper in the network namespace of a process; calls `onExit` when the helper has exited */
  constructor(start: (pid: number, onExit: () => void) => Promise<DialHelper> = startHelper) {
    this.#start = start;
  }

  /**
   * Connects to a TCP port on the loopback of a sandbox.
   * @throws CriError FailedPrecondition if the namespace can't be entered, Unavailable if no process listens on the
   * port
   */
  async connect(ctx: Context, { sandboxId, pid }: SandboxProcess, port: number): Promise<Socket> {
    const helper = this.#helper(sandboxId, pid);
    helper.idle?.cancel();
    helper.connections += 1;
    const ended = (): void => {
      helper.connections -= 1;
      if (helper.connections === 0 && this.#helpers.get(sandboxId) === helper)
        helper.idle = ctx.clock.schedule(idleMs, () => this.#stop(sandboxId, helper));
    };
    const { socketPath } = await helper.starting.catch((error: unknown) => {
      helper.connections -= 1;
      throw error;
    });
    const socket = connect({ path: socketPath, allowHalfOpen: true });
    socket.once('close', ended);
    try {
      await open(socket, port);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Stops the helper of a sandbox, because a process in its network namespace would keep the namespace. */
  release(sandboxId: string): void {
    const helper = this.#helpers.get(sandboxId);
    if (helper) this.#stop(sandboxId, helper);
  }

  /** Stops all helpers. Resolves when all of them have ended, including helpers that were still starting. */
  async close(): Promise<void> {
    for (const [sandboxId, helper] of this.#helpers) this.#stop(sandboxId, helper);
    await Promise.all(this.#ending);
  }

  #helper(sandboxId: string, pid: number): Entry {
    const known = this.#helpers.get(sandboxId);
    if (known?.pid === pid) return known;
    // The sandbox was restarted, so it has another namespace.
    if (known) this.#stop(sandboxId, known);
    const starting = this.#start(pid, () => this.#forget(sandboxId, helper));
    const helper: Entry = { pid, starting, connections: 0, idle: undefined };
    this.#helpers.set(sandboxId, helper);
    const ending = starting
      .then(({ ended }) => ended)
      .catch(() => this.#forget(sandboxId, helper))
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    return helper;
  }

  /** Stops a helper. A connection that begins after this call gets a new helper. */
  #stop(sandboxId: string, helper: Entry): void {
    this.#forget(sandboxId, helper);
    helper.idle?.cancel();
    helper.starting.then(
      ({ child }) => void child.kill(),
      () => undefined,
    );
  }

  #forget(sandboxId: string, helper: Entry): void {
    if (this.#helpers.get(sandboxId) === helper) this.#helpers.delete(sandboxId);
  }
}

async function startHelper(pid: number, onExit: () => void): Promise<DialHelper> {
  const directory = await mkdtemp(join(tmpdir(), 'podscope-dial-'));
  const socketPath = join(directory, 's');
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', program, socketPath];
  const child = spawn('nsenter', [`--net=/proc/${pid}/ns/net`, '--', ...command], { stdio: 'pipe' });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      onExit();
      // A file that can't be removed is in the directory of temporary files, where it does no harm.
      void rm(directory, { recursive: true, force: true }).then(resolve, () => resolve());
    });
  });
  let problem = '';
  child.stderr.on('data', (data: Buffer) => {
    if (problem.length < maxErrorBytes) problem += data.toString();
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string, cause?: unknown): void =>
      reject(new CriError('FailedPrecondition', `unable to do port forwarding: ${reason}`, { cause }));
    child.once('error', (cause) => fail(cause.message, cause));
    child.once('close', (code) => fail(problem.trim() || `the helper exited with code ${code}`));
    child.stdout.once('data', () => resolve());
  }).catch(async (error: unknown) => {
    await rm(directory, { recursive: true, force: true });
    throw error;
  });
  return { child, socketPath, ended };
}

/** Requests a port from the helper and waits for its answer. */
function open(socket: Socket, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', (cause) =>
      reject(new CriError('Unavailable', `unable to do port forwarding: ${cause.message}`, { cause })),
    );
    socket.write(`${port}\n`);
    socket.once('data', (data: Buffer) => {
      socket.pause();
      if (data[0] === '+'.charCodeAt(0)) {
        if (data.length > 1) socket.unshift(data.subarray(1));
        resolve();
        return;
      }
      reject(new CriError('Unavailable', data.subarray(1).toString().trim() || `port ${port} could not be reached`));
    });
    socket.once('end', () => reject(new CriError('Unavailable', `port ${port} could not be reached`)));
  });
}
