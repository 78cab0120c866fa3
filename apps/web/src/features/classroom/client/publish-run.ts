/** Sends the events and logs of the shown run to the class: first the whole run, then what is new. */
import { encodeRunPart, type RunPart } from '@podscope/classroom';
import type { NodeSession } from '../../../node/run/node-session.ts';
import { useOpenNode } from '../../../node/run/open-node.ts';
import { LogReader } from './read-logs.ts';

/** Delay between two parts, in milliseconds. */
const pause = 200;
/** Interval at which logs are read while no event arrives, in milliseconds. */
const logInterval = 500;
/** Maximum number of events per part. */
const most = 4_000;

/**
 * Sends the events and log lines of a run whenever there are new ones. Starts again when another run replaces the run.
 * Returns a function that ends this.
 * @param sessionOf returns the session to publish
 */
export function publishRun(sessionOf: () => NodeSession, send: (part: RunPart) => void): () => void {
  let isOver = false;
  let isBusy = false;
  let run: string | undefined;
  let sent = 0;
  let reader: LogReader | undefined;
  let unsubscribe = (): void => undefined;
  const flush = async (): Promise<void> => {
    const session = sessionOf();
    const { node } = session.connection;
    if (isOver || isBusy || !node) return;
    isBusy = true;
    if (node.run !== run) {
      run = node.run;
      sent = 0;
      reader = new LogReader(session);
    }
    const { history } = session.run;
    const from = Math.max(sent + 1, history.firstSeq);
    const events = history.range(from, Math.min(history.lastSeq, from + most - 1));
    // The logs are read after the events, so that they are at least as new as the events beside which they are shown.
    const logs = (await reader?.read()) ?? [];
    const isFirst = sent === 0;
    if (!isOver && (isFirst || events.length > 0 || logs.length > 0)) {
      const content = { ...(isFirst ? { node } : {}), events: [...events], ...(logs.length > 0 ? { logs } : {}) };
      const part = await encodeRunPart(node.run, content, sent);
      if (isOver) return;
      send(part);
      sent = Math.max(sent, part.to);
      setTimeout(() => {
        isBusy = false;
        void flush();
      }, pause);
    } else isBusy = false;
  };
  const follow = (): void => {
    unsubscribe();
    unsubscribe = sessionOf().run.subscribe(() => void flush());
    void flush();
  };
  const stop = useOpenNode.subscribe(follow);
  // Containers write lines without events.
  const timer = setInterval(() => void flush(), logInterval);
  follow();
  return () => {
    isOver = true;
    clearInterval(timer);
    stop();
    unsubscribe();
  };
}
