/** Sends the events of the shown run to the class: first the whole run, then new events. */
import { encodeRunPart, type RunPart } from '@podscope/classroom';
import type { NodeSession } from '../../../node/run/node-session.ts';
import { useOpenNode } from '../../../node/run/open-node.ts';

/** Delay between two parts, in milliseconds. */
const pause = 200;
/** Maximum number of events per part. */
const most = 4_000;

/**
 * Sends the events of a run whenever there are new ones. Starts again when another run replaces the run. Returns a
 * function that ends this.
 * @param sessionOf returns the session to publish
 */
export function publishRun(sessionOf: () => NodeSession, send: (part: RunPart) => void): () => void {
  let isOver = false;
  let isBusy = false;
  let run: string | undefined;
  let sent = 0;
  let unsubscribe = (): void => undefined;
  const flush = async (): Promise<void> => {
    const { connection, run: store } = sessionOf();
    const { node } = connection;
    if (isOver || isBusy || !node) return;
    if (node.run !== run) {
      run = node.run;
      sent = 0;
    }
    const { history } = store;
    if (sent > 0 && history.lastSeq <= sent) return;
    isBusy = true;
    const from = Math.max(sent + 1, history.firstSeq);
    const events = history.range(from, Math.min(history.lastSeq, from + most - 1));
    const part = await encodeRunPart(node.run, { ...(sent === 0 ? { node } : {}), events: [...events] });
    if (isOver) return;
    send(part);
    sent = Math.max(sent, part.to);
    setTimeout(() => {
      isBusy = false;
      void flush();
    }, pause);
  };
  const follow = (): void => {
    unsubscribe();
    unsubscribe = sessionOf().run.subscribe(() => void flush());
    void flush();
  };
  const stop = useOpenNode.subscribe(follow);
  follow();
  return () => {
    isOver = true;
    stop();
    unsubscribe();
  };
}
