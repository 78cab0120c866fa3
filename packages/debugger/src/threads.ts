/** What the debugger knows of each thread: whether it stands still, and what is asked of it. */
import type { InterventionAction, StopReason } from '@podscope/protocol';
import type { Instant, Span } from '@podscope/trace';
import type { FilterHit } from './exception-filters.ts';
import type { Passage } from './passage.ts';
import type { Step } from './stepping.ts';
import type { WeighedRule } from './variables-in-scope.ts';

/** What lets a stopped thread go on. */
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

/** A thread that stands still. */
export class Stop {
  readonly number: number;
  readonly passage: Passage;
  readonly cause: StopCause;
  readonly since: Instant;
  /** The rule that was weighed, when that is why. */
  readonly decision: WeighedRule | undefined;
  /** Number of the event at which the thread stands: the start of its span, or the stop after it. */
  at: number | undefined;
  /** Resolves when the thread goes on. */
  readonly over: Promise<Resume>;
  readonly #end: (resume: Resume) => void;

  constructor(number: number, passage: Passage, cause: StopCause, since: Instant, decision: WeighedRule | undefined) {
    this.number = number;
    this.passage = passage;
    this.cause = cause;
    this.since = since;
    this.decision = decision;
    const { promise, resolve } = Promise.withResolvers<Resume>();
    this.over = promise;
    this.#end = resolve;
  }

  /** Lets the thread go on. Only the first call counts. */
  end(resume: Resume): void {
    this.#end(resume);
  }
}

/** A stop that was decided where the flow could not be held; it takes place at the next gate. */
interface PendingStop extends StopCause {
  readonly decision: WeighedRule;
}

/** What is asked of a thread, and where it stands. */
export interface Thread {
  readonly id: string;
  stop: Stop | undefined;
  pausing: boolean;
  step: Step | undefined;
  pending: PendingStop | undefined;
  /** The pass of this root span is being ended, to begin anew. */
  unwinding: Span | undefined;
  /** Stop at the beginning of the next pass. */
  restarting: boolean;
}

/** Threads by id. Those of which nothing is asked are not kept. */
export class Threads {
  readonly #threads = new Map<string, Thread>();
  #stopped = 0;

  get size(): number {
    return this.#threads.size;
  }

  /** How many stand still. */
  get stoppedCount(): number {
    return this.#stopped;
  }

  get(id: string): Thread | undefined {
    return this.#threads.get(id);
  }

  /** The thread, made if need be. */
  open(id: string): Thread {
    let thread = this.#threads.get(id);
    if (!thread) {
      thread = { id, stop: undefined, pausing: false, step: undefined, pending: undefined, unwinding: undefined, restarting: false };
      this.#threads.set(id, thread);
    }
    return thread;
  }

  /** Forgets a thread of which nothing is asked. */
  settle({ id, stop, pausing, step, pending, unwinding, restarting }: Thread): void {
    if (!stop && !pausing && !step && !pending && !unwinding && !restarting) this.#threads.delete(id);
  }

  /** Forgets what is asked of all threads; stops are ended by their owner. */
  clear(): void {
    for (const thread of this.#threads.values()) {
      Object.assign(thread, { pausing: false, step: undefined, pending: undefined, restarting: false });
      this.settle(thread);
    }
  }

  /** Everything that stands still, in the order in which it stopped. */
  stops(): readonly Stop[] {
    return [...this.#threads.values()].flatMap(({ stop }) => stop ?? []).toSorted((a, b) => a.number - b.number);
  }

  begin(thread: Thread, stop: Stop): void {
    thread.stop = stop;
    this.#stopped += 1;
  }

  finish(thread: Thread): void {
    thread.stop = undefined;
    this.#stopped -= 1;
  }
}
