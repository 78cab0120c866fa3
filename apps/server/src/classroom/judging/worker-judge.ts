/**
 * Judges answers in a worker thread, so that the class server stays responsive while runs are played. The thread ends
 * when it has no work, which also frees its memory.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Judge, JudgeRequest, JudgeResult } from './judge-request.ts';

/** The maximum time for a request, in milliseconds. A learner's manifest may keep the engine busy for longer. */
const longest = 30_000;
/** The maximum time until the thread has loaded the engine, in milliseconds. It doesn't count for the request. */
const longestStart = 300_000;
/** The maximum size of the thread's heap, in MiB. */
const mostHeap = 128;
/** The time without a request after which the thread ends, in milliseconds. */
const idleTime = 5_000;

export interface WorkerJudge {
  readonly judge: Judge;
  close(): Promise<void>;
}

/** A thread, and the promise that resolves when it can judge. */
interface Thread {
  readonly worker: Worker;
  readonly ready: Promise<unknown>;
}

function startThread(): Thread {
  const worker = new Worker(new URL('./judge.process.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: mostHeap, maxYoungGenerationSizeMb: 8 },
  });
  worker.unref();
  return { worker, ready: once(worker, 'message', { signal: AbortSignal.timeout(longestStart) }) };
}

/** Creates a judge. Its thread starts with the first request. */
export function createWorkerJudge(): WorkerJudge {
  let thread: Thread | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = thread;
    thread = undefined;
    await ending?.worker.terminate();
  };

  async function play(request: JudgeRequest): Promise<JudgeResult> {
    clearTimeout(idle);
    thread ??= startThread();
    const { worker, ready } = thread;
    try {
      await ready;
      // A thread has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(request);
      // `once` also rejects on an error of the thread, for example if its memory is exhausted.
      const [result] = (await once(worker, 'message', { signal: AbortSignal.timeout(longest) })) as [JudgeResult];
      return result;
    } catch {
      await end();
      return { kind: 'unknown' };
    }
  }

  return {
    judge: (request) => {
      waiting++;
      const judged = last
        .then(() => play(request))
        .finally(() => {
          waiting--;
          if (waiting === 0) idle = setTimeout(() => void end(), idleTime).unref();
        });
      last = judged;
      return judged;
    },
    close: end,
  };
}
