/**
 * Parses scripts, which define the behavior of a simulated container. Clauses are separated by `;` or a line end. A
 * clause consists of words `key=value` or `key`, with values that contain blanks in double quotes. Durations are
 * `250ms`, `5s`, `1m30s`; `5s~2s` means five seconds, at most two more or less.
 *
 *     exit=1 after=5s                      exits with that code
 *     oom after=3s                         is OOM-killed; code=1: a child is killed, and it exits with that code
 *     signal=SEGV after=2s                 is killed by a signal
 *     start-error="text" code=127          fails to start; reason=StartError: as containerd and CRI-O name it
 *     log="hello" every=1s times=3         logs a line; also after=, stream=stderr
 *     message="text" after=1s              writes the termination message
 *     ignore-sigterm                       ignores the stop signal
 *     sigterm=0 after=2s                   exits with that code after the stop signal
 *     listen=8080 status=200 body="ok"     serves HTTP; also after=, until=, delay=; tcp: accepts connections only
 *     listen=5000 grpc status=NOT_SERVING  serves gRPC health checks; also service=, after=, until=, delay=; the first
 *                                          clause that applies counts, otherwise NOT_SERVING; status=UNIMPLEMENTED: no
 *                                          health service
 *     exec="cat /tmp/ok" exit=1            result of an exec; also stdout=, stderr=, after=, until=, delay=;
 *                                          exec=* matches any command
 *     memory=64Mi cpu=0.5 after=10s        uses that much from then on
 *     run                                  runs until it is stopped
 *
 * `attempt=0`, `attempt=1-3`, `attempt=2-` limit a clause to those restarts. A script that has only `exec`, `sigterm`
 * and `listen` clauses runs in addition to the container's command.
 */
import type { Milliseconds } from '@podscope/trace';
import type { SignalName } from '../machine/signals.ts';
import { type Clause, clausesOf, noTime, type Span } from './clause.ts';

export { ScriptError, type Span } from './clause.ts';

/** An action that the script performs at a certain time. */
export type ScriptAction =
  | { readonly kind: 'exit'; readonly after: Span; readonly code: number }
  | { readonly kind: 'oom'; readonly after: Span; readonly code: number | undefined }
  | { readonly kind: 'signal'; readonly after: Span; readonly signal: SignalName }
  | {
      readonly kind: 'log';
      readonly after: Span;
      readonly text: string;
      readonly stream: 'stdout' | 'stderr';
      readonly every?: Span;
      readonly times: number;
    }
  | { readonly kind: 'message'; readonly after: Span; readonly text: string }
  | { readonly kind: 'use'; readonly after: Span; readonly memory?: number; readonly cpu?: number };

/** A port that the container serves. */
export interface ScriptListener {
  readonly port: number;
  readonly http: boolean;
  readonly status: number;
  readonly body: string;
  readonly after: Span;
  /** When the port starts to fail or closes, in ms since the start. */
  readonly until: Milliseconds | undefined;
  readonly delay: Span;
}

const healthStatuses = ['SERVING', 'NOT_SERVING', 'UNKNOWN', 'SERVICE_UNKNOWN', 'UNIMPLEMENTED'] as const;

/** The result of a gRPC health check. */
export interface ScriptHealth {
  readonly port: number;
  /** The name of the service; empty for the whole server. */
  readonly service: string;
  readonly status: (typeof healthStatuses)[number];
  readonly after: Milliseconds;
  readonly until: Milliseconds | undefined;
  readonly delay: Span;
}

/** The result of an exec. */
export interface ScriptExec {
  /** The command as one text, with blanks between its words; `*` matches any command. */
  readonly command: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The beginning of the period in which the clause applies, in ms since the start. */
  readonly after: Milliseconds;
  readonly until: Milliseconds | undefined;
  readonly delay: Span;
}

/** How the runtime names a failed start: the Docker engine, or containerd and CRI-O. */
const startErrorReasons = ['ContainerCannotRun', 'StartError'] as const;
type StartErrorReason = (typeof startErrorReasons)[number];

export interface Script {
  /** Whether the script runs in place of the container's command. If not, both run. */
  readonly drives: boolean;
  readonly startError?: { readonly message: string; readonly code: number; readonly reason: StartErrorReason };
  readonly actions: readonly ScriptAction[];
  readonly listeners: readonly ScriptListener[];
  readonly health: readonly ScriptHealth[];
  readonly execs: readonly ScriptExec[];
  readonly onTerm: 'ignore' | { readonly code: number; readonly after: Span } | undefined;
}

/** The possible first words of a clause. */
const heads = [
  'exit',
  'oom',
  'signal',
  'start-error',
  'log',
  'message',
  'ignore-sigterm',
  'sigterm',
  'listen',
  'exec',
  'memory',
  'cpu',
  'run',
] as const;

const after = (clause: Clause): Span => clause.span('after') ?? noTime;

function logOf(clause: Clause): ScriptAction {
  const every = clause.span('every');
  return {
    kind: 'log',
    after: after(clause),
    text: clause.word('log'),
    stream: clause.oneOf('stream', ['stdout', 'stderr'], 'stdout'),
    every,
    times: clause.whole('times', 'how often', [1, Number.POSITIVE_INFINITY], every ? Number.POSITIVE_INFINITY : 1),
  };
}

/**
 * Returns the end of a period in ms since the start.
 * @throws ScriptError when the end isn't after the beginning
 */
function untilOf(clause: Clause, from: Milliseconds): Milliseconds | undefined {
  const until = clause.moment('until');
  if (until !== undefined && until <= from) throw clause.error('until= must be later than after=');
  return until;
}

function listenerOf(clause: Clause): ScriptListener {
  const port = clause.whole('listen', 'a port', [1, 65_535], 0);
  const http = !clause.flag('tcp');
  const begin = after(clause);
  return {
    port,
    http,
    // A TCP listener has no HTTP status.
    status: http ? clause.whole('status', 'an HTTP status', [100, 599], 200) : 200,
    body: http ? clause.word('body', 'ok') : '',
    after: begin,
    until: untilOf(clause, begin.ms),
    delay: clause.span('delay') ?? noTime,
  };
}

function healthOf(clause: Clause): ScriptHealth {
  clause.flag('grpc');
  const begin = clause.moment('after') ?? 0;
  return {
    port: clause.whole('listen', 'a port', [1, 65_535], 0),
    service: clause.word('service'),
    status: clause.oneOf('status', healthStatuses, 'SERVING'),
    after: begin,
    until: untilOf(clause, begin),
    delay: clause.span('delay') ?? noTime,
  };
}

function execOf(clause: Clause): ScriptExec {
  const begin = clause.moment('after') ?? 0;
  return {
    command: clause.word('exec'),
    code: clause.exitCode('exit', 0),
    stdout: clause.word('stdout'),
    stderr: clause.word('stderr'),
    after: begin,
    until: untilOf(clause, begin),
    delay: clause.span('delay') ?? noTime,
  };
}

/** A script while it is parsed. */
interface Draft {
  drives: boolean;
  startError: Script['startError'];
  readonly actions: ScriptAction[];
  readonly listeners: ScriptListener[];
  readonly health: ScriptHealth[];
  readonly execs: ScriptExec[];
  onTerm: Script['onTerm'];
}

/**
 * Parses a clause. Returns a function that adds its content to a draft.
 * @throws ScriptError for an invalid clause
 */
function read(clause: Clause): (draft: Draft) => void {
  const act =
    (action: ScriptAction, drives = true) =>
    (draft: Draft): void => {
      draft.actions.push(action);
      draft.drives ||= drives;
    };
  const head = heads.find((known) => known === clause.head);
  switch (head) {
    case 'exit':
      return act({ kind: 'exit', after: after(clause), code: clause.exitCode('exit', 0) });
    case 'oom':
      clause.flag('oom');
      return act({
        kind: 'oom',
        after: after(clause),
        code: clause.has('code') ? clause.exitCode('code', 1) : undefined,
      });
    case 'signal':
      return act({ kind: 'signal', after: after(clause), signal: clause.signal('signal') });
    case 'log':
      return act(logOf(clause));
    case 'message':
      return act({ kind: 'message', after: after(clause), text: clause.word('message') });
    case 'memory':
    case 'cpu':
      return act({ kind: 'use', after: after(clause), memory: clause.size('memory'), cpu: clause.cpus('cpu') }, false);
    case 'run':
      clause.flag('run');
      return (draft) => void (draft.drives = true);
    case 'ignore-sigterm':
      clause.flag('ignore-sigterm');
      return (draft) => void (draft.onTerm = 'ignore');
    case 'sigterm': {
      const reaction = { code: clause.exitCode('sigterm', 0), after: after(clause) };
      return (draft) => void (draft.onTerm = reaction);
    }
    case 'start-error': {
      const error = {
        message: clause.word('start-error'),
        code: clause.exitCode('code', 128),
        reason: clause.oneOf('reason', startErrorReasons, 'ContainerCannotRun'),
      };
      return (draft) => void (draft.startError = error);
    }
    case 'listen': {
      if (clause.has('grpc')) {
        const answer = healthOf(clause);
        return ({ health }) => void health.push(answer);
      }
      const listener = listenerOf(clause);
      return ({ listeners }) => void listeners.push(listener);
    }
    case 'exec': {
      const exec = execOf(clause);
      return ({ execs }) => void execs.push(exec);
    }
    case undefined:
      throw clause.error(`"${clause.head}" isn't a clause; clauses are ${heads.join(', ')}`);
  }
}

/**
 * Parses a script. Returns the clauses that apply to restart `attempt`.
 * @throws ScriptError for any invalid clause, even one that doesn't apply
 */
export function parseScript(text: string, attempt: number): Script {
  const draft: Draft = {
    drives: false,
    startError: undefined,
    actions: [],
    listeners: [],
    health: [],
    execs: [],
    onTerm: undefined,
  };
  for (const clause of clausesOf(text)) {
    const applies = clause.appliesTo(attempt);
    const add = read(clause);
    clause.finish();
    if (applies) add(draft);
  }
  return draft;
}
