/**
 * The events of the run as this page has them, folded: outside React, which only hears version numbers. Pictures and lists that follow hear
 * of changes once a frame; everything that is read as text hears at once of what comes alone, and a few times a second of what pours in.
 * The records it hands out are updated in place: a reader that keeps one keeps its version beside it.
 */

import type { RunTime } from '@podscope/protocol';
import { type PodTrack, type RunFold, RunHistory, type SpanRecord, type TraceEvent, type TraceEventType } from '@podscope/trace';
import type { EventReader, Welcome } from '../connection/connection.ts';

/** Runs a task before the next paint, or soon when nothing is painted. */
export type Frame = (task: () => void) => void;

/** Frames are not drawn in a hidden tab; a timer still runs there. */
export const nextFrame: Frame = (task) => {
  if (typeof document !== 'undefined' && document.hidden) setTimeout(task, 200);
  else requestAnimationFrame(() => task());
};

/** More than the version of any pod. */
const eraStride = 2 ** 32;

/** While much is to be caught up, drawing each batch would only slow it down. */
const catchUpPause = 250;

/**
 * While events pour in, text is renewed so seldom, in milliseconds: nobody reads faster, and each time takes from the pictures. The longer a
 * page takes for it, the longer it waits: so many times as long.
 */
const textPause = { least: 100, most: 400, share: 10 };

/** What people wait for is told at once. */
const urgent: ReadonlySet<TraceEventType> = new Set(['stopped', 'continued', 'intervention']);

export interface RunStoreOptions {
  readonly frame?: Frame;
  /** Runs a task after so many milliseconds. */
  readonly later?: (delay: number, task: () => void) => void;
  /** The browser's clock. */
  readonly now?: () => number;
}

interface PodSubscription {
  version: number;
  readonly listeners: Set<() => void>;
}

export class RunStore implements EventReader {
  #history = new RunHistory();
  /** The instant in view, when it is not the newest. */
  #past: { readonly seq: number; readonly time: number; readonly fold: RunFold } | undefined;
  /** Counts changes of the fold that is shown: versions of different folds say nothing of each other. */
  #era = 0;
  readonly #options: Required<RunStoreOptions>;
  readonly #listeners = new Set<() => void>();
  readonly #frameListeners = new Set<() => void>();
  readonly #pods = new Map<string, PodSubscription>();
  #version = 0;
  /** Which announcement is due; an earlier one makes the later one void. */
  #due: 'frame' | 'later' | undefined;
  /** When those who hear of text heard last; the browser's clock. */
  #toldAt = Number.NEGATIVE_INFINITY;
  /** How long they wait while events pour in. */
  #textPause = textPause.least;
  /** Text is told with the next announcement. */
  #isUrgent = false;
  /** A timer tells of what text has not shown yet. */
  #isTextDue = false;
  /** Number of the last event that the node had when it welcomed this page. */
  #target = 0;
  #uids: readonly string[] = [];
  /** The node's clock and the browser's at the same instant, and how the node's goes on from there. */
  #clock = { node: 0, browser: 0, rate: 1 };
  #time: RunTime | undefined;
  #restartedAt: number | undefined;
  #hasBegun = false;

  constructor(options: RunStoreOptions = {}) {
    this.#options = { frame: nextFrame, later: (delay, task) => void setTimeout(task, delay), now: () => Date.now(), ...options };
  }

  /** Grows each time that {@link subscribe} tells. */
  get version(): number {
    return this.#version;
  }

  /** The state at the instant in view. */
  get fold(): RunFold {
    return this.#past?.fold ?? this.#history.newest;
  }

  /** All events of the run that this page has. */
  get history(): RunHistory {
    return this.#history;
  }

  /** Number and time of the event that the page looks back to; undefined at the present. */
  get past(): { readonly seq: number; readonly time: number } | undefined {
    return this.#past;
  }

  /** Shows the run as it was after event `seq`; without one, as it is. Events go on coming in meanwhile. */
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

  /** True once the node has welcomed this page. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** When this page found another run in place of the one it knew; the browser's clock. */
  get restartedAt(): number | undefined {
    return this.#restartedAt;
  }

  /** UIDs of all pods of the run; the same array until one is added. */
  get uids(): readonly string[] {
    return this.#uids;
  }

  /** The node's clock, ms since the Unix epoch. */
  now(): number {
    if (this.#past) return this.#past.time;
    return this.liveNow();
  }

  /** The node's clock, also while the page looks back. */
  liveNow(): number {
    const { node, browser, rate } = this.#clock;
    return node + (this.#options.now() - browser) * rate;
  }

  /** How the node's time passes, when it is virtual. */
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
    this.#history = new RunHistory([], { pods: welcome.pods });
    this.#past = undefined;
    this.#era++;
    this.#hasBegun = true;
    if (restarted) this.#restartedAt = this.#options.now();
    this.#takeWelcome(welcome);
  }

  resume(welcome: Welcome): void {
    this.#takeWelcome(welcome);
  }

  events(events: readonly TraceEvent[]): void {
    const isCatchingUp = this.#history.lastSeq < this.#target;
    this.#history.append(events);
    const hasCaughtUp = isCatchingUp && this.#history.lastSeq >= this.#target;
    this.#isUrgent ||= hasCaughtUp || events.some(({ type }) => urgent.has(type));
    this.#announceSoon();
  }

  /** Hears of changes once a frame: for what is drawn, not for what is read. */
  subscribeFrames(listener: () => void): () => void {
    this.#frameListeners.add(listener);
    return () => void this.#frameListeners.delete(listener);
  }

  /** Hears of changes as fast as they can be read. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Hears, as fast as it can be read, only of what changed this pod. */
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

  /** −1 for a pod that is not known. */
  podVersion(uid: string | undefined): number {
    const pod = this.pod(uid);
    return pod ? this.#era * eraStride + pod.version : -1;
  }

  #takeTime(now: number, time: RunTime | undefined): void {
    this.#time = time;
    this.#clock = { node: now, browser: this.#options.now(), rate: time === undefined ? 1 : time.paused ? 0 : time.speed };
  }

  #takeWelcome({ now, lastSeq, time }: Welcome): void {
    this.#takeTime(now, time);
    this.#target = lastSeq;
    this.#isUrgent = true;
    this.#announceSoon();
  }

  #announceSoon(): void {
    const wanted = this.#history.lastSeq < this.#target ? 'later' : 'frame';
    if (this.#due === wanted || this.#due === 'frame') return;
    this.#due = wanted;
    const task = (): void => {
      if (this.#due === wanted) this.#announce();
    };
    if (wanted === 'frame') this.#options.frame(task);
    else this.#options.later(catchUpPause, task);
  }

  #announce(): void {
    this.#due = undefined;
    for (const listener of this.#frameListeners) listener();
    const left = this.#toldAt + this.#textPause - this.#options.now();
    // A clock that was set back must not keep anything waiting.
    if (this.#isUrgent || left <= 0 || left > this.#textPause) this.#tell();
    else if (!this.#isTextDue) {
      this.#isTextDue = true;
      this.#options.later(left, () => {
        if (this.#isTextDue) this.#tell();
      });
    }
  }

  /** Tells those who hear of text. */
  #tell(): void {
    this.#isTextDue = false;
    this.#isUrgent = false;
    this.#toldAt = this.#options.now();
    this.#version++;
    const pods = this.fold.pods();
    if (pods.length !== this.#uids.length || pods.some(({ uid }, index) => uid !== this.#uids[index])) this.#uids = pods.map(({ uid }) => uid);
    for (const [uid, subscription] of this.#pods) {
      const version = this.podVersion(uid);
      if (version === subscription.version) continue;
      subscription.version = version;
      for (const listener of subscription.listeners) listener();
    }
    for (const listener of this.#listeners) listener();
    this.#measure();
  }

  /** How long text takes until it is painted: what is asked for now comes after that. */
  #measure(): void {
    const began = this.#options.now();
    this.#options.later(0, () => {
      const took = this.#options.now() - began;
      this.#textPause = Math.min(textPause.most, Math.max(textPause.least, took * textPause.share));
    });
  }
}
