/**
 * Advances the virtual time of a page without a server by exact amounts, so that the page looks the same on every
 * machine.
 */
import { expect, type Page } from '@playwright/test';

interface WithNode {
  nodePort?: MessagePort;
}

/**
 * Stores the port between the page and its engine, so that tests can send messages on it. Must be called before the
 * page is opened.
 */
export const keepNodePort = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const post = Reflect.get(MessagePort.prototype, 'postMessage') as (
      this: MessagePort,
      message: unknown,
      transfer: Transferable[],
    ) => void;
    MessagePort.prototype.postMessage = function keep(this: MessagePort, message: unknown, transfer?: unknown) {
      if (typeof message === 'string' && message.includes('"hello"')) (globalThis as WithNode).nodePort = this;
      return post.call(this, message, (transfer ?? []) as Transferable[]);
    };
  });

/** Advances virtual time by milliseconds; resolves when the page has received all events. */
export async function stepTime(page: Page, milliseconds: number): Promise<void> {
  await expect.poll(() => page.evaluate(() => (globalThis as WithNode).nodePort !== undefined)).toBe(true);
  await page.evaluate(
    (ms) =>
      new Promise<void>((done) => {
        const port = (globalThis as WithNode).nodePort as MessagePort;
        // An id that is far from the ids of the page's own commands.
        const id = 900_000_000 + Math.round(performance.now());
        port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          if (typeof data === 'string' && data.includes(`"id":${id}`))
            requestAnimationFrame(() => requestAnimationFrame(() => done()));
        });
        port.postMessage(JSON.stringify({ type: 'command', id, body: { command: 'stepTime', milliseconds: ms } }));
      }),
    milliseconds,
  );
}
