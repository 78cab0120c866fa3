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

interface Helper {
  readonly child: ChildProcess;
  readonly socketPath: string;
  connections: number;
  idle: { cancel(): void } | undefined;
}

/** Starts and stops the helper processes. Each namespace in use has one. */
export class NamespaceDialers {
  readonly #helpers = new Map<number, Promise<Helper>>();

  /**
   * Connects to a TCP port on the loopback of the namespace of process `pid`.
   * @throws CriError FailedPrecondition if the namespace can't be entered, Unavailable if no process listens on the
   * port
   */
  async connect(ctx: Context, pid: number, port: number): Promise<Socket> {
    const helper = await this.#helper(pid);
    helper.idle?.cancel();
    helper.connections += 1;
    const socket = connect({ path: helper.socketPath, allowHalfOpen: true });
    socket.once('close', () => {
      helper.connections -= 1;
      if (helper.connections === 0) helper.idle = ctx.clock.schedule(idleMs, () => helper.child.kill());
    });
    try {
      await open(socket, port);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** Stops all helpers. */
  async close(): Promise<void> {
    for (const starting of this.#helpers.values()) {
      const helper = await starting.catch(() => undefined);
      helper?.idle?.cancel();
      helper?.child.kill();
    }
  }

  #helper(pid: number): Promise<Helper> {
    const known = this.#helpers.get(pid);
    if (known) return known;
    const forget = (): void => void this.#helpers.delete(pid);
    const starting = startHelper(pid, forget);
    this.#helpers.set(pid, starting);
    starting.catch(forget);
    return starting;
  }
}

async function startHelper(pid: number, onExit: () => void): Promise<Helper> {
  const directory = await mkdtemp(join(tmpdir(), 'podscope-dial-'));
  const socketPath = join(directory, 's');
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', program, socketPath];
  const child = spawn('nsenter', [`--net=/proc/${pid}/ns/net`, '--', ...command], { stdio: 'pipe' });
  child.once('close', () => {
    onExit();
    void rm(directory, { recursive: true, force: true });
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
  });
  return { child, socketPath, connections: 0, idle: undefined };
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
