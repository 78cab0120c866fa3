/** Tracks the threads of the debugger: their stops, and the requests made to them. */
import type { InterventionAction, StopReason } from '@podscope/protocol';
import type { Instant, Span } from '@podscope/trace';
import type { FilterHit } from '../breakpoints/exception-filters.ts';
import type { EvaluatedRule } from '../inspect/variables-in-scope.ts';
import type { SpanBoundary } from './span-boundary.ts';
import type { Step } from './stepping.ts';

/** How a stopped thread continues. */
export type Resume =
  | { readonly how: 'continue' | 'step' | 'canceled' | 'disconnected' | 'shutdown' | 'restart' }
  | { readonly how: 'intervention'; readonly action: InterventionAction };

/** Why a thread stops. */
export interface StopCause {
  readonly reason: StopReason;
  readonly text: string;
  readonly breakpoints: readonly number[];
  readonly filter?: FilterHit['filter'];
}

/** A stop of a thread, from the `stopped` event until the thread continues. */
export class ThreadStop {
  readonly number: number;
  readonly boundary: SpanBoundary;
  readonly cause: StopCause;
  readonly since: Instant;
  /** The evaluated rule if a breakpoint at a rule caused the stop. */
  readonly decision: EvaluatedRule | undefined;
  /**
   * Number of the event at which the thread stopped: the start of its span, or, at a stop after the span, the latest
   * event.
   */
  at: number | undefined;
  /** Resolves when the thread continues. */
  readonly over: Promise<Resume>;
  readonly #end: (resume: Resume) => void;

  constructor(
    number: number,
    boundary: SpanBoundary,
    cause: StopCause,
    since: Instant,
    decision: EvaluatedRule | undefined,
  ) {
    this.number = number;
    this.boundary = boundary;
    this.cause = cause;
    this.since = since;
    this.decision = decision;
    const { promise, resolve } = Promise.withResolvers<Resume>();
    this.over = promise;
    this.#end = resolve;
  }

  /** Continues the thread. Further calls have no effect. */
  end(resume: Resume): void {
    this.#end(resume);
  }
}

/** A stop that a rule caused. The flow can't wait at a rule, so the thread stops at its next span boundary. */
interface PendingStop extends StopCause {
  readonly decision: EvaluatedRule;
}

/** The requests to a thread, and its stop. */
export interface Thread {
  readonly id: string;
  stop: ThreadStop | undefined;
  pausing: boolean;
  step: Step | undefined;
  pending: PendingStop | undefined;
  /** The root span of the sync that is being ended because the user restarts it. */
  unwinding: Span | undefined;
  /** True if the thread stops at the beginning of its next sync. */
  restarting: boolean;
}

/** The threads with a stop or a request, by id. */
export class Threads {
  readonly #threads = new Map<string, Thread>();
  #stopped = 0;

  get size(): number {
    return this.#threads.size;
  }

  /** How many threads are stopped. */
  get stoppedCount(): number {
    return this.#stopped;
  }

  get(id: string): Thread | undefined {
    return this.#threads.get(id);
  }

  /** Returns the thread. Creates its entry if necessary. */
  open(id: string): Thread {
    let thread = this.#threads.get(id);
    if (!thread) {
      thread = {
        id,
        stop: undefined,
        pausing: false,
        step: undefined,
        pending: undefined,
        unwinding: undefined,
        restarting: false,
      };
      this.#threads.set(id, thread);
    }
    return thread;
  }

  /** Removes the entry of a thread that has neither a stop nor a request. */
  settle({ id, stop, pausing, step, pending, unwinding, restarting }: Thread): void {
    if (!stop && !pausing && !step && !pending && !unwinding && !restarting) this.#threads.delete(id);
  }

  /** Removes the requests to all threads. Stops remain: the caller has to end them. */
  clear(): void {
    for (const thread of this.#threads.values()) {
      Object.assign(thread, { pausing: false, step: undefined, pending: undefined, restarting: false });
      this.settle(thread);
    }
  }

  /** Returns all stops in the order of their numbers. */
  stops(): readonly ThreadStop[] {
    return [...this.#threads.values()].flatMap(({ stop }) => stop ?? []).toSorted((a, b) => a.number - b.number);
  }

  /** Returns the ids of the threads that stop at their next span boundary because of `pause`. */
  pausing(): readonly string[] {
    return [...this.#threads.values()].filter(({ pausing }) => pausing).map(({ id }) => id);
  }

  begin(thread: Thread, stop: ThreadStop): void {
    thread.stop = stop;
    this.#stopped += 1;
  }

  finish(thread: Thread): void {
    thread.stop = undefined;
    this.#stopped -= 1;
  }
}
