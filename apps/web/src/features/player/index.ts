/** Implements the player in an embedded page: answers messages of the page around it (docs/learn/embedding.md). */
import { errorMessage } from '@podscope/base';
import type { ZodError } from 'zod';
import { type LessonState, stepOf, useLesson } from '../lessons/index.ts';
import { performRequest } from './play-requests.ts';
import {
  invalidMessageSchema,
  type PlayerEvent,
  type PlayerState,
  playerMessageSchema,
  playerVersion,
} from './player-messages.ts';

type Answer =
  | PlayerEvent
  | { readonly reply: number; readonly state: PlayerState }
  | { readonly reply: number; readonly error: string };

/**
 * Reports the steps and answers of the lesson to the page around this page. Returns a function that stops reporting.
 */
function reportLesson(send: (event: PlayerEvent) => void): () => void {
  let reported = '';
  const report = (state: LessonState): void => {
    const { lesson, phase, answer, right } = state;
    const step = stepOf(state);
    if (!lesson || !step) return;
    const key = [lesson.id, step.id, phase].join(' ');
    if (key === reported) return;
    reported = key;
    const place = { lesson: lesson.id, step: step.id };
    if (phase === 'over' && answer !== undefined)
      send({ event: 'answer', ...place, answer, right: right ?? null, isRight: right === answer });
    send({ event: 'step', ...place, index: state.step, steps: lesson.steps.length, phase });
  };
  return useLesson.subscribe(report);
}

/** Returns what is wrong with a message, with the names of its members: `request.seconds: …`. */
const problemsOf = ({ issues }: ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');

/**
 * Answers messages of the page around this page. Messages from other windows and origins are ignored, and nothing is
 * sent to other origins. Returns a function that ends this.
 * @param host origin of the page around this page, as the frame's address names it
 */
export function offerPlayer(host: string): () => void {
  const send = (answer: Answer): void => parent.postMessage({ podscope: playerVersion, ...answer }, host);
  /** Requests are performed one after the other. */
  let queue: Promise<void> = Promise.resolve();
  const receive = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source !== parent || origin !== host) return;
    const message = playerMessageSchema.safeParse(data);
    if (!message.success) {
      const sent = invalidMessageSchema.safeParse(data);
      if (sent.success) send({ reply: sent.data.id, error: problemsOf(message.error) });
      return;
    }
    const { id, request } = message.data;
    queue = queue
      .then(() => performRequest(request))
      .then(
        (state) => send({ reply: id, state }),
        (error: unknown) => send({ reply: id, error: errorMessage(error) }),
      );
  };
  addEventListener('message', receive);
  const stop = reportLesson(send);
  send({ event: 'ready' });
  return () => {
    removeEventListener('message', receive);
    stop();
  };
}
