/** Translates the events of a run into DAP events. */
import type { BreakpointState } from '@podscope/protocol';
import { FlowText, type TraceEvent, type TraceEventOf } from '@podscope/trace';
import type { DebugSession } from './debug-session.ts';

type StopReport = Pick<TraceEventOf<'stopped'>, 'reason' | 'text' | 'breakpoints'>;

export class EventTranslator {
  /** Id of the breakpoint that implements stopOnEntry; undefined if it isn't set. */
  entry: number | undefined;
  readonly #session: DebugSession;
  #flow = new FlowText();
  #start: number | undefined;
  /** Pods that currently exist, by UID. */
  readonly #pods = new Map<string, { readonly namespace: string; readonly name: string }>();
  /** Pods of the launched program with their final phase, by UID. */
  #program: Map<string, 'Succeeded' | 'Failed' | undefined> | undefined;

  constructor(session: DebugSession) {
    this.#session = session;
  }

  /** Sets the pods of the program. The session ends when all of them have ended. */
  watch(pods: ReadonlyMap<string, string>): void {
    this.#program = new Map([...pods.keys()].map((uid) => [uid, undefined]));
  }

  /**
   * Resets the state for a rerun, which creates the same pods again.
   * @returns the threads of the previous pods
   */
  beginAgain(): readonly string[] {
    const pods = [...this.#pods.keys()];
    const program = this.#program;
    this.reset();
    this.#program = program && new Map([...program.keys()].map((uid) => [uid, undefined]));
    return pods;
  }

  reset(): void {
    this.#flow = new FlowText();
    this.#start = undefined;
    this.#pods.clear();
    this.#program = undefined;
  }

  /** Returns the pods of the program that currently exist. Returns an empty list for an attached node. */
  pods(): readonly { readonly namespace: string; readonly name: string }[] {
    return [...(this.#program?.keys() ?? [])].flatMap((uid) => this.#pods.get(uid) ?? []);
  }

  /**
   * Handles one event.
   * @param isNews false for events from before the client attached
   */
  take(event: TraceEvent, isNews: boolean): void {
    this.#start ??= event.time;
    const lines = this.#flow.lines(event);
    this.#keep(event);
    this.#reportPods(event);
    if (!isNews) return;
    for (const { time, pod, depth, text } of lines) {
      const elapsed = `${((time - (this.#start ?? time)) / 1_000).toFixed(2)}s`.padStart(9);
      this.#session.print(
        `${elapsed}  ${this.#pods.size > 1 && pod !== undefined ? `${pod}  ` : ''}${'  '.repeat(depth)}${text}`,
      );
    }
    this.#print(event);
  }

  stopped(thread: string, stop: StopReport): void {
    const { text, breakpoints } = stop;
    const isEntry = this.entry !== undefined && breakpoints?.includes(this.entry);
    this.#session.event('stopped', {
      reason: isEntry ? 'entry' : this.#session.breakpoints.reasonOf(stop),
      description: text,
      threadId: this.#session.threads.idOf(thread),
      // A stop affects one pod worker; the others keep running.
      allThreadsStopped: false,
      ...(breakpoints && breakpoints.length > 0 ? { hitBreakpointIds: breakpoints } : {}),
    });
  }

  #keep(event: TraceEvent): void {
    if (event.type === 'podChanged' && event.pod !== undefined) {
      const { metadata } = event.object as {
        readonly metadata?: { readonly name?: string; readonly namespace?: string };
      };
      if (event.operation === 'DELETED') this.#pods.delete(event.pod);
      else this.#pods.set(event.pod, { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' });
    }
  }

  /** Emits DAP thread events for pods. Pods that existed before the client attached also get a thread event. */
  #reportPods(event: TraceEvent): void {
    if (event.pod === undefined) return;
    if (event.type === 'podChanged' && event.operation !== 'MODIFIED') {
      this.#session.event('thread', {
        reason: event.operation === 'ADDED' ? 'started' : 'exited',
        threadId: this.#session.threads.idOf(event.pod),
      });
      if (event.operation === 'DELETED') this.#programEnds(event.pod, undefined);
    } else if (event.type === 'podStatus') {
      const { phase } = event.status;
      if (phase === 'Succeeded' || phase === 'Failed') this.#programEnds(event.pod, phase);
    }
  }

  #print(event: TraceEvent): void {
    const { threads, stops, past, breakpoints, group } = this.#session;
    switch (event.type) {
      case 'stopped':
        stops.set(event.thread, event);
        this.stopped(event.thread, event);
        break;
      case 'continued':
        stops.delete(event.thread);
        past.leave(event.thread);
        this.#session.event('continued', { threadId: threads.idOf(event.thread), allThreadsContinued: false });
        break;
      case 'breakpointsChanged': {
        // The cast is safe: the debugger defines the type of these lists, and the event was validated.
        const own = (event.breakpoints as unknown as readonly BreakpointState[]).filter(
          (state) => state.group === group,
        );
        for (const change of breakpoints.changes(own)) this.#session.event('breakpoint', change);
        break;
      }
      default:
    }
  }

  #programEnds(uid: string, phase: 'Succeeded' | 'Failed' | undefined): void {
    if (!this.#program?.has(uid)) return;
    this.#program.set(uid, phase ?? this.#program.get(uid) ?? 'Failed');
    const ends = [...this.#program.values()];
    if (ends.includes(undefined)) return;
    this.#program = undefined;
    this.#session.ended(ends.includes('Failed') ? 1 : 0);
  }
}
