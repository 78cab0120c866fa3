/** Loads code again whose loading was interrupted. `retry-plugin.ts` calls it for each dynamic import of the page. */

/** Maximum number of attempts after the first one. */
const attempts = 5;

/** Delay before a further attempt in milliseconds, multiplied by the number of the attempt. */
const delay = 300;

/** Event on the window after the last failed attempt. `load-again.js` then reloads the page. */
export const loadFailedEvent = 'podscope:loadFailed';

/**
 * Resolves to the result of `load`. If `load` fails, calls `again` up to five times with growing delays, 4.5 s in all.
 * A browser cancels all loading when the machine's network changes, and a reload would lose the open dialog, or the
 * run of a node in the page.
 * @throws the error of the last attempt
 */
export async function loadAgain<Result>(
  load: () => Promise<Result>,
  again: () => Promise<Result> = load,
): Promise<Result> {
  let attempt = 0;
  for (let next = load; ; next = again)
    try {
      return await next();
    } catch (error) {
      if (++attempt > attempts) {
        dispatchEvent(new Event(loadFailedEvent));
        throw error;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, delay * attempt);
      await promise;
    }
}
