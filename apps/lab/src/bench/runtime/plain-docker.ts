/**
 * Repeats the Docker calls that dockershim made for a pod, with a minimal HTTP client. Methods, paths, bodies and
 * concurrency are the same; only names and ids are new. The measured time is the lower bound for dockershim.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { z } from 'zod';
import type { DockerCall } from './docker-calls.ts';
import type { Cycle } from './pod-cycle.ts';

/** A minimal HTTP client for the engine's socket. */
export class PlainDocker {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #socketPath: string;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /**
   * Sends a request.
   * @throws Error for an error response other than 404 or 409, which mean that the call had no effect
   */
  call(method: string, path: string, body: string | undefined): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers =
        body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
      const outgoing = request(
        { socketPath: this.#socketPath, agent: this.#agent, method, path, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const { statusCode = 0 } = response;
            if (statusCode < 400 || statusCode === 404 || statusCode === 409) resolve(text);
            else reject(new Error(`${method} ${path}: ${statusCode} ${text}`));
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** Removes all containers with this label. A failed measurement may have left them behind. */
  async removeAll(label: string): Promise<void> {
    const filters = encodeURIComponent(JSON.stringify({ label: [label] }));
    const left = z
      .array(z.object({ Id: z.string() }))
      .parse(JSON.parse(await this.call('GET', `/containers/json?all=1&filters=${filters}`, undefined)));
    for (const { Id } of left) await this.call('DELETE', `/containers/${Id}?force=1&v=1`, undefined);
  }

  close(): void {
    this.#agent.destroy();
  }
}

const idPattern = /[0-9a-f]{64}/g;

/** The Docker calls of one pod, ready to be replayed. */
export class Recording {
  readonly #calls: readonly DockerCall[];
  readonly #uid: string;
  /** Number of calls that belong to the pod's start. */
  readonly #startCalls: number;

  /**
   * @param uid UID of the recorded pod
   * @param runningAt when its container began to run, by the clock of the calls
   */
  constructor(calls: readonly DockerCall[], uid: string, runningAt: number) {
    this.#calls = calls;
    this.#uid = uid;
    this.#startCalls = calls.filter(({ startedAt }) => startedAt < runningAt).length;
  }

  get length(): number {
    return this.#calls.length;
  }

  /**
   * Replays the calls. A call waits for the calls that had ended before its start in the recording, and runs
   * concurrently with all others.
   */
  async replay(docker: PlainDocker): Promise<Cycle> {
    const uid = randomUUID();
    const ids = new Map<string, string>();
    const renamed = (text: string): string =>
      text
        .replaceAll(this.#uid, uid)
        .replaceAll(this.#uid.slice(0, 8), uid.slice(0, 8))
        .replaceAll(idPattern, (id) => ids.get(id) ?? id);
    const done: Promise<void>[] = [];
    const make = async (call: DockerCall, before: readonly Promise<void>[]): Promise<void> => {
      await Promise.all(before);
      const answer = await docker.call(
        call.method,
        renamed(call.path),
        call.body === undefined ? undefined : renamed(JSON.stringify(call.body)),
      );
      const [recorded, now] = [
        idOf(call.response),
        call.path.startsWith('/containers/create') ? idOf(JSON.parse(answer)) : undefined,
      ];
      if (recorded !== undefined && now !== undefined) ids.set(recorded, now);
    };
    const begin = performance.now();
    let running = begin;
    for (const [index, call] of this.#calls.entries()) {
      if (index === this.#startCalls) {
        await Promise.all(done);
        running = performance.now();
      }
      const before = done.filter((_, earlier) => (this.#calls[earlier]?.endedAt ?? 0) <= call.startedAt);
      done.push(make(call, before));
    }
    await Promise.all(done);
    return { start: running - begin, removal: performance.now() - running };
  }
}

function idOf(response: unknown): string | undefined {
  if (typeof response !== 'object' || response === null || !('Id' in response)) return undefined;
  return typeof response.Id === 'string' ? response.Id : undefined;
}
