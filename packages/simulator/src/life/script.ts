/**
 * Scripts: what a simulated container does, said in a line. Clauses are separated by `;` or a line end; a clause is words `key=value` or
 * `key`, values with blanks in double quotes. Durations are `250ms`, `5s`, `1m30s`; `5s~2s` means five seconds, two more or less.
 *
 *     exit=1 after=5s                      ends with that code
 *     oom after=3s                         is killed for want of memory
 *     signal=SEGV after=2s                 dies of a signal
 *     start-error="text" code=127          can't be started
 *     log="hello" every=1s times=3         writes a line; also after=, stream=stderr
 *     message="text" after=1s              writes the termination message
 *     ignore-sigterm                       takes no notice of the stop signal
 *     sigterm=0 after=2s                   ends so long after the stop signal, with that code
 *     listen=8080 status=200 body="ok"     serves HTTP; also after=, until=, delay=; tcp: only takes connections
 *     exec="cat /tmp/ok" exit=1            answers a command run in it; also stdout=, stderr=, after=, until=, delay=; exec=* any command
 *     memory=64Mi cpu=0.5 after=10s        uses that much from then on
 *     run                                  lives until it is stopped
 *
 * `attempt=0`, `attempt=1-3`, `attempt=2-` limits a clause to those restarts. `exec`, `sigterm`, `listen` clauses alone leave the rest of
 * the container's life to its command.
 */
import type { Milliseconds } from '@podscope/trace';
import { parseSignal, type SignalName } from '../machine/signals.ts';
import { parseDuration, parseSize } from '../programs/support.ts';

/** A script that can't be read; the message names the clause. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
}

/** A length of time, with how far it may be off. */
export interface Span {
  readonly ms: Milliseconds;
  readonly jitter: Milliseconds;
}

/** Something the container does by itself. */
export type ScriptAction =
  | { readonly kind: 'exit'; readonly after: Span; readonly code: number }
  | { readonly kind: 'oom'; readonly after: Span }
  | { readonly kind: 'signal'; readonly after: Span; readonly signal: SignalName }
  | { readonly kind: 'log'; readonly after: Span; readonly text: string; readonly stream: 'stdout' | 'stderr'; readonly every?: Span; readonly times: number }
  | { readonly kind: 'message'; readonly after: Span; readonly text: string }
  | { readonly kind: 'use'; readonly after: Span; readonly memory?: number; readonly cpu?: number };

/** A port it serves. */
export interface ScriptListener {
  readonly port: number;
  readonly http: boolean;
  readonly status: number;
  readonly body: string;
  readonly after: Span;
  /** When it stops answering, counted from the start. */
  readonly until?: Span;
  readonly delay: Span;
}

/** What it answers to a command. */
export interface ScriptExec {
  /** The command, its words joined by blanks; `*` for any. */
  readonly command: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly after: Span;
  readonly until?: Span;
  readonly delay: Span;
}

export interface Script {
  /** True when the script is the whole life; false when the command runs beside it. */
  readonly drives: boolean;
  readonly startError?: { readonly message: string; readonly code: number };
  readonly actions: readonly ScriptAction[];
  readonly listeners: readonly ScriptListener[];
  readonly execs: readonly ScriptExec[];
  readonly onTerm: 'ignore' | { readonly code: number; readonly after: Span } | undefined;
}

const none: Span = { ms: 0, jitter: 0 };

class Clause {
  readonly text: string;
  readonly head: string;
  readonly #values: ReadonlyMap<string, string>;
  readonly #read = new Set<string>();

  constructor(text: string) {
    this.text = text;
    const values = new Map<string, string>();
    let rest = text;
    while (rest !== '') {
      const match = /^([a-z][a-z-]*)(?:=("(?:[^"\\]|\\.)*"|[^\s"]*))?(?:\s+|$)/.exec(rest);
      if (!match?.[1]) throw this.error(`can't read ${JSON.stringify(rest)}; a clause is made of key=value words`);
      const value = match[2] ?? '';
      values.set(match[1], value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char)) : value);
      rest = rest.slice(match[0].length);
    }
    this.#values = values;
    this.head = [...values.keys()].find((key) => key !== 'attempt') ?? '';
  }

  error(reason: string): ScriptError {
    return new ScriptError(`clause "${this.text}": ${reason}`);
  }

  has(key: string): boolean {
    this.#read.add(key);
    return this.#values.has(key);
  }

  word(key: string, otherwise = ''): string {
    return this.has(key) ? (this.#values.get(key) ?? '') : otherwise;
  }

  number(key: string, otherwise: number): number {
    const text = this.word(key);
    if (text === '') return otherwise;
    if (!/^\d+(\.\d+)?$/.test(text)) throw this.error(`${key}=${text} is not a number`);
    return Number(text);
  }

  size(key: string): number | undefined {
    const text = this.word(key);
    if (text === '') return undefined;
    const size = parseSize(text);
    if (size === undefined) throw this.error(`${key}=${text} is not a size such as 64Mi`);
    return size;
  }

  span(key: string): Span | undefined {
    if (!this.has(key)) return undefined;
    const [amount = '', off = '0'] = this.word(key).split('~');
    const [ms, jitter] = [parseDuration(amount), parseDuration(off)];
    if (ms === undefined || jitter === undefined) throw this.error(`${key}=${this.word(key)} is not a duration such as 5s or 5s~2s`);
    return { ms, jitter };
  }

  /** @throws ScriptError when a word was of no use. */
  finish(): void {
    const unknown = [...this.#values.keys()].find((key) => !this.#read.has(key));
    if (unknown !== undefined) throw this.error(`"${unknown}" means nothing beside "${this.head}"`);
  }

  /** True when the clause holds for that restart. */
  appliesTo(attempt: number): boolean {
    if (!this.has('attempt')) return true;
    const match = /^(\d+)(-(\d*))?$/.exec(this.word('attempt'));
    if (!match) throw this.error('attempt= takes a number or a range such as 0, 1-3, 2-');
    const from = Number(match[1]);
    const to = match[2] === undefined ? from : match[3] ? Number(match[3]) : Number.POSITIVE_INFINITY;
    return attempt >= from && attempt <= to;
  }
}

/** Cuts a script at `;` and line ends that are not inside quotes. */
const clausesOf = (text: string): Clause[] =>
  (text.match(/(?:"(?:[^"\\]|\\.)*"|[^;\n"])+/g) ?? [])
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
    .map((clause) => new Clause(clause));

function actionOf(clause: Clause): ScriptAction | undefined {
  const after = clause.span('after') ?? none;
  switch (clause.head) {
    case 'exit':
      return { kind: 'exit', after, code: clause.number('exit', 0) };
    case 'oom':
      clause.has('oom');
      return { kind: 'oom', after };
    case 'signal': {
      const signal = parseSignal(clause.word('signal'));
      if (!signal) throw clause.error(`${clause.word('signal')} is not a signal such as SEGV`);
      return { kind: 'signal', after, signal };
    }
    case 'log': {
      const every = clause.span('every');
      const times = clause.number('times', every ? Number.POSITIVE_INFINITY : 1);
      return { kind: 'log', after, text: clause.word('log'), stream: clause.word('stream') === 'stderr' ? 'stderr' : 'stdout', every, times };
    }
    case 'message':
      return { kind: 'message', after, text: clause.word('message') };
    case 'memory':
    case 'cpu':
      return { kind: 'use', after, memory: clause.size('memory'), cpu: clause.has('cpu') ? clause.number('cpu', 0) : undefined };
    default:
      return undefined;
  }
}

const listenerOf = (clause: Clause): ScriptListener => ({
  port: clause.number('listen', 0),
  http: !clause.has('tcp'),
  status: clause.number('status', 200),
  body: clause.word('body', 'ok'),
  after: clause.span('after') ?? none,
  until: clause.span('until'),
  delay: clause.span('delay') ?? none,
});

const execOf = (clause: Clause): ScriptExec => ({
  command: clause.word('exec'),
  code: clause.number('exit', 0),
  stdout: clause.word('stdout'),
  stderr: clause.word('stderr'),
  after: clause.span('after') ?? none,
  until: clause.span('until'),
  delay: clause.span('delay') ?? none,
});

/**
 * Reads the clauses that hold for that restart.
 * @throws ScriptError naming the clause.
 */
export function parseScript(text: string, attempt: number): Script {
  const actions: ScriptAction[] = [];
  const listeners: ScriptListener[] = [];
  const execs: ScriptExec[] = [];
  let startError: Script['startError'];
  let onTerm: Script['onTerm'];
  let drives = false;
  for (const clause of clausesOf(text)) {
    const applies = clause.appliesTo(attempt);
    let add: () => void;
    const action = actionOf(clause);
    if (action) {
      add = () => actions.push(action);
      if (applies && action.kind !== 'use') drives = true;
    } else {
      switch (clause.head) {
        case 'run':
          clause.has('run');
          add = () => {
            drives = true;
          };
          break;
        case 'ignore-sigterm':
          clause.has('ignore-sigterm');
          add = () => {
            onTerm = 'ignore';
          };
          break;
        case 'sigterm': {
          const reaction = { code: clause.number('sigterm', 0), after: clause.span('after') ?? none };
          add = () => {
            onTerm = reaction;
          };
          break;
        }
        case 'start-error': {
          const error = { message: clause.word('start-error', 'start error'), code: clause.number('code', 128) };
          add = () => {
            startError = error;
          };
          break;
        }
        case 'listen': {
          const listener = listenerOf(clause);
          add = () => listeners.push(listener);
          break;
        }
        case 'exec': {
          const exec = execOf(clause);
          add = () => execs.push(exec);
          break;
        }
        default:
          throw clause.error(
            `"${clause.head}" is no clause; known are exit, oom, signal, start-error, log, message, ignore-sigterm, sigterm, listen, exec, memory, cpu, run`,
          );
      }
    }
    clause.finish();
    if (applies) add();
  }
  return { drives, startError, actions, listeners, execs, onTerm };
}
