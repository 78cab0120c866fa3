/**
 * Judges requests in a worker thread, one after the other, and answers each with its result. The first message is
 * `ready`, when the engine is loaded.
 */
import { parentPort } from 'node:worker_threads';
import { loadExpressions } from '@podscope/debugger/expressions';
import type { JudgeRequest } from './judge-request.ts';
import { playRequest } from './play-request.ts';

await loadExpressions();

parentPort?.on('message', (request: JudgeRequest) => {
  void playRequest(request)
    .catch(() => ({ kind: 'unknown' }))
    // A thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    .then((result) => parentPort?.postMessage(result));
});
// A thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage('ready');
