/** Handles the commands that every node has: apply, validate, delete, YAML, logs and cancel. */
import type { ApplyResult, LogLine } from '@podscope/protocol';
import { type Clock, type Milliseconds, sleep } from '@podscope/trace';
import { type CommandCall, type CommandHandlers, type CommandOf, requireConnection } from './command-table.ts';
import { readLogPage } from './log-page.ts';

/** A request for a container's log. */
export interface LogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  readonly previous?: boolean;
  readonly tailLines?: number;
  readonly follow?: boolean;
}

/** The operations that the commands call. Their errors are {@link ApiError}s. */
export interface NodeCommands {
  apply(manifest: string): Promise<ApplyResult>;
  validate(manifest: string): Promise<ApplyResult>;
  deletePod(namespace: string, name: string, gracePeriodSeconds: number | undefined): Promise<void>;
  getPodYaml(namespace: string, name: string): string;
  logs(request: LogRequest, signal: AbortSignal): AsyncIterable<LogLine>;
}

/** The maximum number of lines in one message. */
const maxLogLines = 256;
/** The default number of lines in a response to `logs`. */
const defaultTailLines = 1_000;
/** The maximum number of characters in a response to `logs`. The oldest lines beyond it are dropped. */
const maxLogCharacters = 4 * 1024 * 1024;
/** How long a line of a followed log may be delayed, in ms, so that several lines are sent in one message. */
const logBatchDelay: Milliseconds = 20;
/** How long to wait for an error after opening a log, in ms. Without an error, the log counts as open. */
const logOpenDelay: Milliseconds = 100;

/** Returns the handlers. */
export const nodeCommandHandlers = (commands: NodeCommands): CommandHandlers => ({
  apply: ({ manifest }) => commands.apply(manifest),
  validate: ({ manifest }) => commands.validate(manifest),
  deletePod: async ({ namespace, name, gracePeriodSeconds }) => {
    await commands.deletePod(namespace, name, gracePeriodSeconds);
    return {};
  },
  getPodYaml: ({ namespace, name }) => ({ yaml: commands.getPodYaml(namespace, name) }),
  logs: async (request, { signal }) => ({
    lines: await collect(commands.logs({ ...request, tailLines: request.tailLines ?? defaultTailLines }, signal)),
  }),
  logPage: ({ from, limit, search, ...request }, { signal }) =>
    readLogPage(commands.logs(request, signal), { from, limit, search }),
  followLogs: (request, call) => followLogs(commands, request, call),
  cancel: ({ target }, call) => {
    requireConnection(call, 'cancel').cancel(target);
    return {};
  },
});

/** Responds once the log is open, then sends its lines until it ends or the command is canceled. */
async function followLogs(commands: NodeCommands, request: CommandOf<'followLogs'>, call: CommandCall): Promise<void> {
  const { signal } = call;
  const { id, send, respond, congested, pacing } = requireConnection(call, 'followLogs');
  const { fromLine = 0, ...options } = request;
  const iterator = skip(commands.logs({ ...options, follow: true }, signal), fromLine)[Symbol.asyncIterator]();
  let answered = false;
  try {
    let next = iterator.next();
    await Promise.race([next, pause(pacing, logOpenDelay, signal)]);
    respond({ lines: [] });
    answered = true;
    for (let done = false; !done; ) {
      const lines: LogLine[] = [];
      let item = await next;
      // Lines that arrive before the deadline are sent in the same message.
      const deadline = pause(pacing, logBatchDelay, signal).then(() => undefined);
      while (!item.done) {
        lines.push(item.value);
        next = iterator.next();
        const following = lines.length < maxLogLines ? await Promise.race([next, deadline]) : undefined;
        if (!following) break;
        item = following;
      }
      done = item.done === true;
      if (lines.length > 0) send({ type: 'logLines', id, lines, end: false });
      while (congested() && !signal.aborted) await pause(pacing, logBatchDelay, signal);
    }
  } catch (error) {
    if (!answered) throw error;
  } finally {
    void iterator.return?.().catch(() => undefined);
  }
  send({ type: 'logLines', id, lines: [], end: true });
}

/** Yields the items of `source` without the first `count`. */
async function* skip<T>(source: AsyncIterable<T>, count: number): AsyncIterable<T> {
  let left = count;
  for await (const item of source) {
    if (left > 0) left--;
    else yield item;
  }
}

/** Waits for a delay or until the signal is aborted. */
const pause = (pacing: Clock, delay: Milliseconds, signal: AbortSignal): Promise<void> =>
  sleep(pacing, delay, signal).catch(() => undefined);

/** Returns all lines; if they exceed the limit, the newest ones. */
async function collect(source: AsyncIterable<LogLine>): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  let characters = 0;
  let first = 0;
  for await (const line of source) {
    lines.push(line);
    characters += line.text.length;
    while (characters > maxLogCharacters) characters -= lines[first++]?.text.length ?? 0;
  }
  return lines.slice(first);
}
