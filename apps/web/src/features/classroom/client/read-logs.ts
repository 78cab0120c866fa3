/** Reads the new log lines of all containers of a run, so that another participant's page can show them. */
import type { LogChunk } from '@podscope/classroom';
import type { LogLine } from '@podscope/protocol';
import type { NodeSession } from '../../../node/run/node-session.ts';

/** Maximum number of lines per chunk. */
const pageLines = 2_000;
/** Maximum length of all lines of a run together, in characters. Later lines aren't sent. */
const mostText = 2_000_000;

interface KnownLog {
  /** Number of lines that were read. */
  count: number;
  readonly last: LogLine | undefined;
}

type Name = Pick<LogChunk, 'namespace' | 'pod' | 'container' | 'previous'>;

const isSame = (a: LogLine, b: LogLine | undefined): boolean => a.time === b?.time && a.text === b.text;

export class LogReader {
  readonly #session: Pick<NodeSession, 'connection' | 'run'>;
  readonly #known = new Map<string, KnownLog>();
  #room = mostText;
  /** The number of events and the node's time at the last reading. */
  #readAt = '';

  constructor(session: Pick<NodeSession, 'connection' | 'run'>) {
    this.#session = session;
  }

  /** Returns the lines that were written since the last call. A log whose instance was replaced begins with line 0. */
  async read(): Promise<LogChunk[]> {
    const { connection, run } = this.#session;
    if (connection.node?.readOnly === true) return [];
    const now = `${run.history.lastSeq} ${run.liveNow()}`;
    if (now === this.#readAt) return [];
    this.#readAt = now;
    const chunks: LogChunk[] = [];
    for (const name of this.#names()) {
      const chunk = await this.#readLog(name);
      if (chunk) chunks.push(chunk);
    }
    return chunks;
  }

  /** Returns the logs that the node has. */
  #names(): Name[] {
    const pods = this.#session.run.history.newest.pods().filter(({ deletedAt }) => deletedAt === undefined);
    return pods.flatMap(({ namespace, name, containers }) =>
      containers.flatMap((track) => {
        const log = { namespace, pod: name, container: track.name };
        const count = track.attempts.length;
        return [
          ...(count > 1 ? [{ ...log, previous: true }] : []),
          ...(count > 0 ? [{ ...log, previous: false }] : []),
        ];
      }),
    );
  }

  /** Returns the new lines of one log; undefined without new lines, or if the node doesn't have the log. */
  async #readLog(name: Name): Promise<LogChunk | undefined> {
    const key = JSON.stringify(name);
    const known = this.#known.get(key);
    const after = await this.#page(name, Math.max(0, (known?.count ?? 0) - 1));
    if (!after) return undefined;
    const [first] = after;
    // The last known line is read again: if it differs, the log is that of another instance.
    const continues = known !== undefined && (known.count === 0 || (first !== undefined && isSame(first, known.last)));
    const lines = continues ? after.slice(known.count === 0 ? 0 : 1) : known ? await this.#page(name, 0) : after;
    if (!lines || (continues && lines.length === 0)) return undefined;
    const from = continues ? known.count : 0;
    const sent = lines.slice(0, this.#fitting(lines));
    if (sent.length < lines.length && sent.length === 0) return undefined;
    // The next call reads the next page, even if nothing has happened until then.
    if (after.length === pageLines || lines.length === pageLines) this.#readAt = '';
    this.#known.set(key, { count: from + sent.length, last: sent.at(-1) ?? (continues ? known.last : undefined) });
    return { ...name, from, lines: sent };
  }

  /** Takes room for the lines and returns how many of them fit. */
  #fitting(lines: readonly LogLine[]): number {
    let count = 0;
    for (const { text } of lines) {
      if (text.length > this.#room) break;
      this.#room -= text.length;
      count++;
    }
    return count;
  }

  async #page({ pod, ...name }: Name, from: number): Promise<LogLine[] | undefined> {
    try {
      const { lines } = await this.#session.connection.command<'logPage'>({
        command: 'logPage',
        ...name,
        name: pod,
        from,
        limit: pageLines,
      });
      return lines.map(({ time, stream, text }) => ({ time, stream, text }));
    } catch {
      // The container has no log yet, or the pod is gone.
      return undefined;
    }
  }
}
