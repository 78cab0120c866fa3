import { expect, it } from 'vitest';
import { LimitedAnswers } from './limited-answers.ts';

const mebibyte = new Uint8Array(1024 * 1024);

/** Returns a response that never ends, and a function that tells whether its body was cancelled. */
function endless(): { readonly answer: Response; readonly isCancelled: () => boolean } {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(mebibyte),
    cancel: () => {
      isCancelled = true;
    },
  });
  return { answer: new Response(body), isCancelled: () => isCancelled };
}

it('stops reading an answer that is larger than the limit', async () => {
  const { answer, isCancelled } = endless();
  await expect(new LimitedAnswers().textOf(answer, 'http://tempo')).rejects.toThrow(
    'an answer of http://tempo is larger than 64 MiB',
  );
  expect(isCancelled()).toBe(true);
});

it('stops reading when all answers together are larger than the limit', async () => {
  const answers = new LimitedAnswers({ each: 2 * 1024 * 1024, all: 3 * 1024 * 1024 });
  const two = (): Response => new Response(Buffer.alloc(2 * 1024 * 1024, 'x'));
  expect(await answers.textOf(two(), 'http://tempo')).toHaveLength(2 * 1024 * 1024);
  await expect(answers.textOf(two(), 'http://tempo')).rejects.toThrow('are larger than 3 MiB in all');
});

it('joins the bytes of a character that is split between two chunks', async () => {
  const bytes = new TextEncoder().encode('a–b');
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect(await new LimitedAnswers().textOf(new Response(body), 'http://tempo')).toBe('a–b');
});
