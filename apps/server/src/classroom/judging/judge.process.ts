/** Judges requests in a worker thread, one after the other, and answers each with its result. */
import { parentPort } from 'node:worker_threads';
import { loadExpressions } from '@podscope/debugger/expressions';
import type { JudgeRequest } from './judge-request.ts';
import { playRequest } from './play-request.ts';

const loaded = loadExpressions();

parentPort?.on('message', (request: JudgeRequest) => {
  void loaded
    .then(() => playRequest(request))
    .catch(() => ({ kind: 'unknown' }))
    // A thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    .then((result) => parentPort?.postMessage(result));
});
