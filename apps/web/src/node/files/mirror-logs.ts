/** Answers the log commands of a mirrored run from the lines that the other browser has sent. */
import type { Command, LogLine, LogPage, ServerMessage } from '@podscope/protocol';

/** Consecutive lines of a container's log. */
export interface MirrorLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** True for the log of the previous instance. */
  readonly previous: boolean;
  /** Number of the first line, from 0. Lines from 0 replace the log. */
  readonly from: number;
  readonly lines: readonly LogLine[];
}

type LogCommand = Extract<Command, { command: 'logs' | 'logPage' | 'followLogs' }>;

export const isLogCommand = (body: Command): body is LogCommand =>
  body.command === 'logs' || body.command === 'logPage' || body.command === 'followLogs';

const keyOf = (namespace: string, pod: string, container: string, previous: boolean): string =>
  `${namespace}/${pod}/${container}/${previous}`;

interface Follower {
  readonly log: string;
  next: number;
  readonly deliver: (message: ServerMessage) => void;
}

export class MirrorLogs {
  readonly #logs = new Map<string, LogLine[]>();
  /** The followers by the id of their command and their receiver. */
  readonly #followers = new Map<(message: ServerMessage) => void, Map<number, Follower>>();

  /** Adds lines and sends them to the followers of the log. For followers, a replaced log ends. */
  add({ namespace, pod, container, previous, from, lines }: MirrorLog): void {
    const log = keyOf(namespace, pod, container, previous);
    const known = this.#logs.get(log);
    const isReplaced = known !== undefined && from < known.length;
    const all = [...(isReplaced ? known.slice(0, from) : (known ?? [])), ...lines];
    this.#logs.set(log, all);
    for (const followers of this.#followers.values())
      for (const [id, follower] of followers) {
        if (follower.log !== log) continue;
        const added = isReplaced ? [] : all.slice(follower.next);
        follower.next += added.length;
        if (isReplaced) followers.delete(id);
        if (isReplaced || added.length > 0) follower.deliver({ type: 'logLines', id, lines: added, end: isReplaced });
      }
  }

  /** Returns the result of a log command. `deliver` receives the later lines of a followed log. */
  answer(
    id: number,
    body: LogCommand,
    deliver: (message: ServerMessage) => void,
  ): LogPage | { readonly lines: readonly LogLine[] } {
    const log = keyOf(
      body.namespace,
      body.name,
      body.container,
      body.command !== 'followLogs' && body.previous === true,
    );
    const lines = this.#logs.get(log) ?? [];
    switch (body.command) {
      case 'logs':
        return { lines: lines.slice(-(body.tailLines ?? lines.length)) };
      case 'logPage':
        return pageOf(lines, body);
      case 'followLogs': {
        const { fromLine = Math.max(0, lines.length - (body.tailLines ?? lines.length)) } = body;
        const followers = this.#followers.get(deliver) ?? new Map<number, Follower>();
        this.#followers.set(deliver, followers);
        followers.set(id, { log, next: Math.max(fromLine, lines.length), deliver });
        return { lines: lines.slice(fromLine) };
      }
      default:
        return body satisfies never;
    }
  }

  /** Stops following a log. */
  cancel(target: number, deliver: (message: ServerMessage) => void): void {
    this.#followers.get(deliver)?.delete(target);
  }

  /** Stops following all logs that this receiver follows. */
  forget(deliver: (message: ServerMessage) => void): void {
    this.#followers.delete(deliver);
  }
}

/** Returns a page of a log: `limit` lines from line `from`, or the last ones; with `search`, only matching lines. */
function pageOf(
  lines: readonly LogLine[],
  { from, limit, search }: Pick<Extract<LogCommand, { command: 'logPage' }>, 'from' | 'limit' | 'search'>,
): LogPage {
  const needle = search?.toLowerCase() ?? '';
  const matching = lines.flatMap((line, number) =>
    line.text.toLowerCase().includes(needle) ? [{ ...line, number }] : [],
  );
  const page = from === undefined ? matching.slice(-limit) : matching.filter(({ number }) => number >= from);
  return { lines: page.slice(0, limit), total: lines.length, matches: matching.length };
}
