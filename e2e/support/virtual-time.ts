/**
 * Steps the virtual time of a page that runs alone by exact amounts, so that the page looks the same on every machine.
 */
import { expect, type Page } from '@playwright/test';

interface WithNode {
  nodePort?: MessagePort;
}

/** Keeps the port between the page and its engine, so that tests can send on it. Call it before opening the page. */
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
        // An id far from the ids that the page gives to its own commands.
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
