/**
 * Decides from the events of a run whether the run has reached the condition of `--until`, or can't reach it any more.
 */
import { type Milliseconds, summarizeStatus, type TraceEvent } from '@podscope/trace';
import type { Until } from './options.ts';

export interface Verdict {
  readonly reached: boolean;
  readonly text: string;
}

interface WatchedPod {
  readonly name: string;
  phase: string;
  hasRun: boolean;
  /**
   * The reason why the pod makes no progress: it has ended, is ready, or waits for its next attempt. Undefined if it
   * makes progress.
   */
  resting: string | undefined;
  /** The container that waits for its back-off. The pod's status shows the back-off only after the next sync. */
  backOff: string | undefined;
  /** True if the awaited step has completed without an error. */
  hasDoneStep: boolean;
  gone: boolean;
}

/** Time without progress of any pod after which the run counts as settled, in milliseconds. */
const quiet: Milliseconds = 5_000;

const isEnd = (phase: string): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Evaluates one condition over the pods of a run. */
export class UntilCondition {
  readonly #until: Until;
  readonly #pods: ReadonlyMap<string, WatchedPod>;
  /** Ids of the open spans of the awaited step. */
  readonly #spans = new Set<number>();
  #changedAt: number | undefined;

  /** @param pods the names of the pods by UID */
  constructor(until: Until, pods: ReadonlyMap<string, string>) {
    this.#until = until;
    this.#pods = new Map(
      [...pods].map(([uid, name]) => [
        uid,
        {
          name,
          phase: 'Pending',
          hasRun: false,
          resting: undefined,
          backOff: undefined,
          hasDoneStep: false,
          gone: false,
        },
      ]),
    );
  }

  apply(event: TraceEvent): void {
    const pod = event.pod === undefined ? undefined : this.#pods.get(event.pod);
    if (!pod) return;
    if (event.type === 'podStatus') this.#status(pod, event.status, event.time);
    else if (event.type === 'backOff') {
      if (event.state === 'waiting') pod.backOff = event.container;
      else if (pod.backOff === event.container) pod.backOff = undefined;
      if (pod.backOff !== undefined && pod.resting === undefined)
        this.#rest(pod, `${pod.backOff} in back-off`, event.time);
    } else if (event.type === 'runtimeStateChanged' && event.to === 'running' && event.name === pod.backOff)
      pod.backOff = undefined;
    else if (event.type === 'podChanged' && event.operation === 'DELETED') pod.gone = true;
    else if ('step' in this.#until) this.#step(pod, event, this.#until.step);
  }

  #isQuiet(now: number): boolean {
    return this.#changedAt === undefined || now - this.#changedAt >= quiet;
  }

  #status(pod: WatchedPod, status: Readonly<Record<string, unknown>>, time: number): void {
    const { phase, ready, containers } = summarizeStatus(status);
    pod.phase = phase;
    pod.hasRun ||= phase === 'Running' || phase === 'Succeeded';
    const waiting = [...containers].find(([, word]) =>
      /BackOff\b|^CreateContainerConfigError\b|^InvalidImageName\b|^ErrImageNeverPull\b/.test(word),
    );
    const backOff = pod.backOff === undefined ? undefined : `${pod.backOff} in back-off`;
    this.#rest(pod, isEnd(phase) ? phase : ready ? 'ready' : waiting ? `${waiting[0]} ${waiting[1]}` : backOff, time);
  }

  #rest(pod: WatchedPod, resting: string | undefined, time: number): void {
    if ((resting === undefined) !== (pod.resting === undefined) || resting === 'ready' || pod.resting === 'ready')
      this.#changedAt = time;
    pod.resting = resting;
  }

  #step(pod: WatchedPod, event: TraceEvent, point: string): void {
    if (event.type === 'spanStarted' && event.point === point) this.#spans.add(event.span);
    else if (event.type === 'spanEnded' && this.#spans.delete(event.span) && event.outcome === 'ok')
      pod.hasDoneStep = true;
  }

  /**
   * Returns the verdict, or undefined while the condition can still be reached.
   * @param now the node's clock
   */
  judge(now: number): Verdict | undefined {
    const pods = [...this.#pods.values()];
    const gone = pods.find((pod) => pod.gone);
    if (gone) return { reached: false, text: `pod ${gone.name} is gone` };
    if ('step' in this.#until) {
      const missing = pods.filter(({ hasDoneStep }) => !hasDoneStep);
      if (missing.length === 0)
        return { reached: true, text: `${this.#until.step} is done for ${pods.map(({ name }) => name).join(', ')}` };
      // The step may still run after the pod has ended, so wait until the run is settled.
      const over = missing.filter(({ phase }) => isEnd(phase));
      return over.length > 0 && this.#isQuiet(now)
        ? { reached: false, text: `${listed(over)} without ${this.#until.step}` }
        : undefined;
    }
    switch (this.#until.state) {
      case 'running':
        return judgeEach(
          pods,
          ({ hasRun }) => hasRun,
          ({ phase, hasRun }) => phase === 'Failed' && !hasRun,
        );
      case 'succeeded':
        return judgeEach(
          pods,
          ({ phase }) => phase === 'Succeeded',
          ({ phase }) => phase === 'Failed',
        );
      case 'failed':
        return judgeEach(
          pods,
          ({ phase }) => phase === 'Failed',
          ({ phase }) => phase === 'Succeeded',
        );
      case 'settled': {
        if (pods.some(({ resting }) => resting === undefined)) return undefined;
        const over = pods.every(({ phase }) => isEnd(phase));
        if (!over && !this.#isQuiet(now)) return undefined;
        return { reached: true, text: `settled: ${pods.map(({ name, resting }) => `${name} ${resting}`).join(', ')}` };
      }
      default:
        return this.#until.state satisfies never;
    }
  }
}

type Test = (pod: WatchedPod) => boolean;

const listed = (pods: readonly WatchedPod[]): string => pods.map(({ name, phase }) => `${name} ${phase}`).join(', ');

function judgeEach(pods: readonly WatchedPod[], isReached: Test, isContrary: Test): Verdict | undefined {
  if (pods.every(isReached)) return { reached: true, text: listed(pods) };
  const contrary = pods.filter(isContrary);
  return contrary.length > 0 ? { reached: false, text: listed(contrary) } : undefined;
}
