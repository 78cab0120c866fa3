/**
 * Drives a virtual clock by real time: paused, step by step, or so many virtual seconds to the real one. The run itself does not notice:
 * the same timers fall due in the same order at any speed.
 */
import { addMilliseconds, type Clock, type Instant, type Milliseconds, type Timer, type VirtualClock } from '@podscope/trace';

/** How a run's time passes. */
export interface TimeState {
  /** The virtual clock. */
  readonly now: Instant;
  /** Virtual seconds to a real one. */
  readonly speed: number;
  readonly paused: boolean;
}

/** The slowest and the fastest speed. */
export const speedRange = { min: 0.1, max: 1000 } as const;

/** Between two looks at the real clock: one frame of a screen. */
const frame: Milliseconds = 16;
/** How long one turn may keep the thread busy before messages get their chance to be answered with news of it. */
const longestTurn: Milliseconds = 12;
/** How often listeners are set right while the engine lags behind the speed asked for. */
const correctionInterval: Milliseconds = 500;
/** How far to look for the next event. */
const farthestEvent: Milliseconds = 24 * 3_600_000;

export interface TimeDriverOptions {
  readonly clock: VirtualClock;
  /** Real time. */
  readonly real: Clock;
  readonly speed?: number;
  readonly paused?: boolean;
}

/** Lets virtual time pass. Idle until {@link start}. */
export class TimeDriver {
  readonly #clock: VirtualClock;
  readonly #real: Clock;
  readonly #listeners = new Set<(state: TimeState) => void>();
  #speed: number;
  #paused: boolean;
  #timer: Timer | undefined;
  #toldAt: Milliseconds = 0;
  #running = false;
  /** Moves of the clock, one after another. */
  #moves: Promise<unknown> = Promise.resolve();
  /** Counts interruptions: a move that began before the last one ends early. */
  #era = 0;
  /** Where virtual time is counted from. */
  #base: { readonly real: Instant; readonly virtual: Instant };

  constructor({ clock, real, speed = 1, paused = false }: TimeDriverOptions) {
    this.#clock = clock;
    this.#real = real;
    this.#speed = speed;
    this.#paused = paused;
    this.#base = { real: real.now(), virtual: clock.now() };
  }

  get state(): TimeState {
    return { now: this.#clock.now(), speed: this.#speed, paused: this.#paused };
  }

  /** Lets time pass from now on. */
  start(): void {
    this.#running = true;
    this.#rebase();
    this.#schedule();
  }

  /** Stops the clock for good; resolves when nothing moves it any more. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#era++;
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.#moves;
  }

  /**
   * Changes speed, or pauses and goes on.
   * @throws RangeError for a speed outside {@link speedRange}.
   */
  set({ speed = this.#speed, paused = this.#paused }: { readonly speed?: number; readonly paused?: boolean }): void {
    if (!(speed >= speedRange.min && speed <= speedRange.max))
      throw new RangeError(`a speed lies between ${speedRange.min} and ${speedRange.max}; ${speed} does not`);
    this.#speed = speed;
    this.#paused = paused;
    this.#era++;
    this.#rebase();
    this.#changed();
  }

  /**
   * Lets so many virtual milliseconds pass at once, paused or not.
   * @param isEnough time passes no further once it holds
   */
  async step(ms: Milliseconds, isEnough: () => boolean = () => false): Promise<void> {
    await this.#move(async (era) => {
      const target = addMilliseconds(this.#clock.now(), ms);
      const mayGoOn = (): boolean => era === this.#era && !isEnough();
      while (mayGoOn() && (await this.#clock.fireNext(target)));
      if (mayGoOn()) await this.#clock.advanceTo(target);
    });
  }

  /**
   * Lets time pass, timer by timer, until `happened` holds.
   * @returns false when it did not within a virtual day
   */
  async stepUntil(happened: () => boolean): Promise<boolean> {
    let found = false;
    await this.#move(async (era) => {
      const end = addMilliseconds(this.#clock.now(), farthestEvent);
      while (era === this.#era && !(found = happened()) && (await this.#clock.fireNext(end)));
    });
    return found;
  }

  /**
   * Begins `task` between two moves of the clock, so that the instant it happens at is a whole one; what it waits for does not hold the
   * clock.
   */
  async between<T>(task: () => Promise<T>): Promise<T> {
    let running: Promise<T> | undefined;
    const begun = this.#moves.then(async () => {
      running = task();
      // Reported by whoever awaits the task.
      running.catch(() => undefined);
      await this.#clock.settle();
    });
    this.#moves = begun.catch(() => undefined);
    await begun;
    return running as Promise<T>;
  }

  /** Resolves when no move is under way. */
  async idle(): Promise<void> {
    await this.#moves;
  }

  /** Calls `listener` when speed or pause change and after each step; the returned function ends that. */
  subscribe(listener: (state: TimeState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #move(body: (era: number) => Promise<void>): Promise<void> {
    const era = ++this.#era;
    const moved = this.#moves.then(() => body(era));
    this.#moves = moved.catch(() => undefined);
    await moved;
    this.#rebase();
    this.#changed();
  }

  #schedule(): void {
    this.#timer = this.#real.schedule(frame, () => {
      const turn = this.#moves.then(() => this.#turn());
      this.#moves = turn.catch(() => undefined);
      void turn.finally(() => {
        if (this.#running) this.#schedule();
      });
    });
  }

  /** Brings virtual time to where real time says it is, as far as one turn allows. */
  async #turn(): Promise<void> {
    if (this.#paused || !this.#running) return;
    const era = this.#era;
    const begin = this.#real.now();
    const target = addMilliseconds(this.#base.virtual, (begin - this.#base.real) * this.#speed);
    while (era === this.#era) {
      if (this.#real.now() - begin > longestTurn) {
        this.#fallBehind(begin);
        return;
      }
      if (!(await this.#clock.fireNext(target))) break;
    }
    if (era === this.#era) await this.#clock.advanceTo(target);
  }

  /** The engine is slower than the speed asked for: time goes on from here rather than ever further behind. */
  #fallBehind(at: Instant): void {
    this.#rebase();
    // Who shows the time reckons it from the speed: told now and then where it really is.
    if (at - this.#toldAt > correctionInterval) this.#changed();
  }

  #rebase(): void {
    this.#base = { real: this.#real.now(), virtual: this.#clock.now() };
  }

  #changed(): void {
    this.#toldAt = this.#real.now();
    for (const listener of this.#listeners) listener(this.state);
  }
}
