/**
 * Stores the events of the run and the state computed from them (the fold) outside React; React only reads version
 * numbers. Canvases and live lists are notified once per frame. Text is notified at once, but during a burst only a few
 * times per second. Records are updated in place, so a component that uses a record also has to store its version.
 */

import type { RunTime } from '@podscope/protocol';
import {
  type PodTrack,
  type RunFold,
  RunHistory,
  type SpanRecord,
  type TraceEvent,
  type TraceEventType,
} from '@podscope/trace';
import type { EventReader, Welcome } from '../connection/connection.ts';

/** Runs a task before the next paint. In a hidden page, runs it soon. */
export type Frame = (task: () => void) => void;

/** A hidden tab has no frames, so a timer is used there. */
export const nextFrame: Frame = (task) => {
  if (typeof document !== 'undefined' && document.hidden) setTimeout(task, 200);
  else requestAnimationFrame(() => task());
};

/** Factor for the number of the shown fold in versions; greater than the version of any pod. */
const eraStride = 2 ** 32;

/**
 * Interval between two draws while the page catches up after a lost connection, in milliseconds. Drawing every batch
 * would slow down catching up.
 */
const catchUpPause = 250;

/**
 * Limits of the interval between text updates during a burst, in milliseconds: users can't read faster updates. A page
 * that takes long to render text uses a longer interval.
 */
const textPause = { least: 100, most: 400, share: 10 };

/**
 * Number of events per millisecond from which changes are faster than people can read. Above it, canvases and lists are
 * notified only at the interval `pause`, in milliseconds, so that the page can respond to the user between two
 * notifications.
 */
const burst = { rate: 2, pause: 100 };

/** Events that users wait for. The page is notified of them at once. */
const urgent: ReadonlySet<TraceEventType> = new Set(['stopped', 'continued', 'intervention']);

export interface RunStoreOptions {
  readonly frame?: Frame;
  /** Runs a task after a delay in milliseconds. */
  readonly later?: (delay: number, task: () => void) => void;
  /** The browser's clock, in milliseconds. */
  readonly now?: () => number;
  /** The complete run, if it was recorded. The store shows it from the beginning. */
  readonly history?: RunHistory;
}

interface PodSubscription {
  version: number;
  readonly listeners: Set<() => void>;
}

export class RunStore implements EventReader {
  #history = new RunHistory();
  /** The shown moment; undefined while the page follows the present. */
  #past: { readonly seq: number; readonly time: number; readonly fold: RunFold } | undefined;
  /** Counts replacements of the shown fold, because versions of different folds aren't comparable. */
  #era = 0;
  readonly #options: Required<Omit<RunStoreOptions, 'history'>>;
  readonly #recorded: RunHistory | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #frameListeners = new Set<() => void>();
  readonly #pods = new Map<string, PodSubscription>();
  #version = 0;
  /** The source of the next notification: an animation frame or a timer (`later`); undefined if none is scheduled. */
  #due: 'frame' | 'later' | undefined;
  /** When the listeners for frames were last notified, by the browser's clock. */
  #drawnAt = Number.NEGATIVE_INFINITY;
  /** Number of events since the listeners for frames were last notified. */
  #undrawn = 0;
  /** Minimum time between two notifications of the listeners for frames, in milliseconds. */
  #framePause = 0;
  /** True while the next frame waits for the minimum time. */
  #isFrameLate = false;
  /** When the listeners for text were last notified, by the browser's clock. */
  #reportedAt = Number.NEGATIVE_INFINITY;
  /** Current interval between text updates, in milliseconds. */
  #textPause = textPause.least;
  /** True if the next notification includes the listeners for text. */
  #isUrgent = false;
  /** True while a timer is scheduled for the pending text update. */
  #isTextDue = false;
  /** Last sequence number of the node at its welcome. */
  #target = 0;
  /**
   * True until all events so far are loaded. Until then views would be wrong, because they would show only a part of
   * the run.
   */
  #isLoading = false;
  #uids: readonly string[] = [];
  /**
   * A time of the node's clock, the browser's time at the same instant, and the speed of the node's clock since then.
   */
  #clock = { node: 0, browser: 0, rate: 1 };
  #time: RunTime | undefined;
  #restartedAt: number | undefined;
  #hasBegun = false;

  constructor({ history, ...options }: RunStoreOptions = {}) {
    this.#recorded = history;
    this.#options = {
      frame: nextFrame,
      later: (delay, task) => void setTimeout(task, delay),
      now: () => Date.now(),
      ...options,
    };
  }

  /** Increases with each notification of the listeners of {@link subscribe}. */
  get version(): number {
    return this.#version;
  }

  /** The state at the shown moment. */
  get fold(): RunFold {
    return this.#past?.fold ?? this.#history.newest;
  }

  /** All loaded events of the run. */
  get history(): RunHistory {
    return this.#history;
  }

  /** Sequence number and time of the shown past event; undefined while the page follows the present. */
  get past(): { readonly seq: number; readonly time: number } | undefined {
    return this.#past;
  }

  /** Shows the run as of event `seq`; undefined returns to the present. Events continue to arrive in both cases. */
  travel(seq: number | undefined): void {
    if (seq === undefined || seq >= this.#history.lastSeq) {
      if (!this.#past) return;
      this.#past = undefined;
    } else {
      const target = Math.max(seq, this.#history.firstSeq);
      if (this.#past?.seq === target) return;
      const fold = this.#history.seek(target, this.#past?.fold);
      this.#past = { seq: target, time: this.#history.at(target)?.time ?? fold.lastTime ?? 0, fold };
    }
    this.#era++;
    this.#isUrgent = true;
    this.#announce();
  }

  /** True after the first welcome. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Time at which another run replaced the known run, by the browser's clock. */
  get restartedAt(): number | undefined {
    return this.#restartedAt;
  }

  /** UIDs of all pods of the run; the array changes only when one is added. */
  get uids(): readonly string[] {
    return this.#uids;
  }

  /** Returns the time at the shown moment, in milliseconds since the Unix epoch. */
  now(): number {
    if (this.#past) return this.#past.time;
    return this.liveNow();
  }

  /** Returns the node's current time, even while the page shows the past. */
  liveNow(): number {
    const { node, browser, rate } = this.#clock;
    return node + (this.#options.now() - browser) * rate;
  }

  /** The speed of the node's virtual time; undefined for real time. */
  get runTime(): RunTime | undefined {
    return this.#time;
  }

  time(time: RunTime): void {
    this.#takeTime(time.now, time);
    this.#isUrgent = true;
    this.#announceSoon();
  }

  pod(uid: string | undefined): PodTrack | undefined {
    return uid === undefined ? undefined : this.fold.pod(uid);
  }

  span(id: number | undefined): SpanRecord | undefined {
    return id === undefined ? undefined : this.fold.span(id);
  }

  begin(welcome: Welcome, restarted: boolean): void {
    this.#history = this.#recorded ?? new RunHistory([], { pods: welcome.pods });
    this.#past = undefined;
    this.#era++;
    this.#hasBegun = true;
    this.#isLoading = false;
    if (restarted) this.#restartedAt = this.#options.now();
    this.#takeWelcome(welcome);
    const isIncomplete = this.#history.lastSeq < this.#target;
    // Notify at once to remove the views of the previous run, or because the connection becomes live in this turn.
    if (isIncomplete || this.#recorded) this.#announce();
    this.#isLoading = isIncomplete;
  }

  resume(welcome: Welcome): void {
    this.#takeWelcome(welcome);
  }

  events(events: readonly TraceEvent[]): void {
    const isCatchingUp = this.#history.lastSeq < this.#target;
    this.#history.append(events);
    this.#undrawn += events.length;
    const hasCaughtUp = isCatchingUp && this.#history.lastSeq >= this.#target;
    this.#isUrgent ||= hasCaughtUp || events.some(({ type }) => urgent.has(type));
    if (hasCaughtUp && this.#isLoading) {
      this.#isLoading = false;
      // Notify at once, because the connection becomes live in this turn.
      this.#announce();
    } else this.#announceSoon();
  }

  /** Calls the listener once per frame, for canvases. Returns a function that unsubscribes. */
  subscribeFrames(listener: () => void): () => void {
    this.#frameListeners.add(listener);
    return () => void this.#frameListeners.delete(listener);
  }

  /** Calls the listener at most as often as text can be read. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Like {@link subscribe}, but only for changes of one pod. */
  subscribePod(uid: string, listener: () => void): () => void {
    let subscription = this.#pods.get(uid);
    if (!subscription) {
      subscription = { version: this.podVersion(uid), listeners: new Set() };
      this.#pods.set(uid, subscription);
    }
    const { listeners } = subscription;
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#pods.delete(uid);
    };
  }

  /** Returns the version of a pod; −1 for an unknown pod. */
  podVersion(uid: string | undefined): number {
    const pod = this.pod(uid);
    return pod ? this.#era * eraStride + pod.version : -1;
  }

  #takeTime(now: number, time: RunTime | undefined): void {
    this.#time = time;
    this.#clock = {
      node: now,
      browser: this.#options.now(),
      rate: time === undefined ? 1 : time.paused ? 0 : time.speed,
    };
  }

  #takeWelcome({ now, lastSeq, time }: Welcome): void {
    this.#takeTime(now, time);
    this.#target = lastSeq;
    this.#isUrgent = true;
    this.#announceSoon();
  }

  #announceSoon(): void {
    if (this.#isLoading) return;
    const wanted = this.#history.lastSeq < this.#target ? 'later' : 'frame';
    const isHurried = this.#isFrameLate && this.#isUrgent;
    if ((this.#due === wanted || this.#due === 'frame') && !isHurried) return;
    this.#due = wanted;
    const task = (): void => {
      if (this.#due === wanted) this.#announce();
    };
    const wait = this.#isUrgent ? 0 : this.#drawnAt + this.#framePause - this.#options.now();
    this.#isFrameLate = wanted === 'frame' && wait > 0 && wait <= this.#framePause;
    if (this.#isFrameLate) this.#options.later(wait, () => this.#options.frame(task));
    else if (wanted === 'frame') this.#options.frame(task);
    else this.#options.later(catchUpPause, task);
  }

  #announce(): void {
    this.#due = undefined;
    const now = this.#options.now();
    this.#framePause = this.#undrawn > burst.rate * Math.max(16, now - this.#drawnAt) ? burst.pause : 0;
    this.#drawnAt = now;
    this.#undrawn = 0;
    for (const listener of this.#frameListeners) listener();
    const left = this.#reportedAt + this.#textPause - this.#options.now();
    // A left time above the interval means that the clock was set back. Update then, too, so that the update isn't
    // delayed.
    if (this.#isUrgent || left <= 0 || left > this.#textPause) this.#report();
    else if (!this.#isTextDue) {
      this.#isTextDue = true;
      this.#options.later(left, () => {
        if (this.#isTextDue) this.#report();
      });
    }
  }

  /** Notifies the listeners for text. */
  #report(): void {
    this.#isTextDue = false;
    this.#isUrgent = false;
    this.#reportedAt = this.#options.now();
    this.#version++;
    const pods = this.fold.pods();
    if (pods.length !== this.#uids.length || pods.some(({ uid }, index) => uid !== this.#uids[index]))
      this.#uids = pods.map(({ uid }) => uid);
    for (const [uid, subscription] of this.#pods) {
      const version = this.podVersion(uid);
      if (version === subscription.version) continue;
      subscription.version = version;
      for (const listener of subscription.listeners) listener();
    }
    for (const listener of this.#listeners) listener();
    this.#measure();
  }

  /** Measures how long painting the text takes: this callback runs after the paint. */
  #measure(): void {
    const began = this.#options.now();
    this.#options.later(0, () => {
      const took = this.#options.now() - began;
      this.#textPause = Math.min(textPause.most, Math.max(textPause.least, took * textPause.share));
    });
  }
}
