/** What is expected of pods: each waits until it holds, as Playwright's own matchers do. */
import { expect as base, type ExpectMatcherState } from '@playwright/test';
import { describePod, seen } from './describe-pod.ts';
import { PodHandle, type PodState } from './pod.ts';

interface Waiting {
  /** In milliseconds. Default: `expect.timeout` of Playwright's configuration. */
  readonly timeout?: number;
}

interface Verdict {
  readonly name: string;
  readonly pass: boolean;
  readonly message: () => string;
}

/** An event that is looked for; what is not named may be anything. */
interface WantedEvent {
  readonly reason: string;
  readonly type?: 'Normal' | 'Warning';
  readonly message?: string | RegExp;
}

const fits = (text: string, wanted: string | RegExp): boolean => (typeof wanted === 'string' ? text === wanted : text.search(wanted) >= 0);

interface Wish extends Waiting {
  /** As in `expected pod default/web to …`. */
  readonly what: string;
  readonly holds: (state: PodState) => boolean;
  /** What of it was seen, as in `but it shows Error`. */
  readonly sees: (state: PodState) => string;
}

/** What was thrown in the page, without the way it took. */
const reasonOf = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return line.replace(/^page\.evaluate: (?:Error: )?/, '');
};

/** Looks again and again until `holds` is what is wanted. Of a pod that is not there nothing holds, and nothing does not. */
async function until(matcher: ExpectMatcherState, name: string, pod: PodHandle, { what, holds, sees, timeout = matcher.timeout }: Wish): Promise<Verdict> {
  if (!(pod instanceof PodHandle)) throw new TypeError(`${name} is about a pod: expect(podscope.pod('web')).${name}(…)`);
  const { isNot } = matcher;
  let now = 'the page has not answered yet';
  const look = async (): Promise<boolean> => {
    try {
      const state = await pod.state();
      now = state ? `${sees(state)}:\n${describePod(state)}` : await pod.others();
      return state !== undefined && holds(state) !== isNot;
    } catch (error) {
      // The page may be between two addresses. Should it stay like this, it is what the message says.
      now = reasonOf(error);
      return false;
    }
  };
  const waitFor = (): Promise<boolean> =>
    base
      .poll(look, { timeout })
      .toBe(true)
      .then(
        () => true,
        () => false,
      );
  // However short the time, and however slow the page: it is asked once.
  const reached = (await look()) || (await waitFor());
  return { name, pass: reached !== isNot, message: () => `expected ${pod.toString()} ${isNot ? 'not ' : ''}to ${what} within ${timeout} ms, but ${now}` };
}

/** Playwright's expect with Podscope's matchers. */
export const expect = base.extend({
  /** The pod's `status.phase` is that, or has been: however fast time runs, no phase is missed. */
  toReachPhase(pod: PodHandle, phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed', options: Waiting = {}): Promise<Verdict> {
    return until(this, 'toReachPhase', pod, {
      ...options,
      what: `reach phase ${phase}`,
      holds: ({ phases }) => phases.some((each) => each.phase === phase),
      sees: seen.phases,
    });
  },
  /** What kubectl shows: `CrashLoopBackOff`, `Init:0/1`, `Completed`. */
  toShowStatus(pod: PodHandle, status: string | RegExp, options: Waiting = {}): Promise<Verdict> {
    return until(this, 'toShowStatus', pod, { ...options, what: `show ${String(status)}`, holds: (state) => fits(state.status, status), sees: seen.status });
  },
  /** All its containers are ready. */
  toBeReady(pod: PodHandle, options: Waiting = {}): Promise<Verdict> {
    return until(this, 'toBeReady', pod, {
      ...options,
      what: 'be ready',
      holds: ({ ready, total, isGone }) => !isGone && total > 0 && ready === total,
      sees: seen.readiness,
    });
  },
  /** It was there, and is no more. */
  toBeGone(pod: PodHandle, options: Waiting = {}): Promise<Verdict> {
    return until(this, 'toBeGone', pod, { ...options, what: 'be gone', holds: ({ isGone }) => isGone, sees: seen.presence });
  },
  /** Its containers were started again so many times in all, or more. */
  toHaveRestarted(pod: PodHandle, times: number, options: Waiting = {}): Promise<Verdict> {
    return until(this, 'toHaveRestarted', pod, {
      ...options,
      what: `have restarted ${times} times`,
      holds: ({ restarts }) => restarts >= times,
      sees: seen.restarts,
    });
  },
  /** A SyncResult of any sync so far; `error: null` asks for one that went well. */
  toHaveSyncResult(pod: PodHandle, wanted: { action: string; target?: string; error?: string | null }, options: Waiting = {}): Promise<Verdict> {
    const isWanted = ({ action, target, error }: PodState['results'][number]): boolean =>
      action === wanted.action &&
      (wanted.target === undefined || target === wanted.target) &&
      (wanted.error === undefined || (wanted.error === null ? error === undefined : error === wanted.error));
    const what = `have a SyncResult ${JSON.stringify(wanted)}`;
    return until(this, 'toHaveSyncResult', pod, {
      ...options,
      what,
      holds: ({ results }) => results.some(isWanted),
      sees: (state) => seen.results(state, wanted.action),
    });
  },
  /** An event about it, as `kubectl describe` shows them. */
  toHaveEvent(pod: PodHandle, wanted: WantedEvent, options: Waiting = {}): Promise<Verdict> {
    const isWanted = ({ type, reason, message }: PodState['events'][number]): boolean =>
      reason === wanted.reason &&
      (wanted.type === undefined || type === wanted.type) &&
      (wanted.message === undefined || (typeof wanted.message === 'string' ? message.includes(wanted.message) : message.search(wanted.message) >= 0));
    const what = `have an event ${[wanted.type, wanted.reason, wanted.message].filter((each) => each !== undefined).join(' ')}`;
    return until(this, 'toHaveEvent', pod, {
      ...options,
      what,
      holds: ({ events }) => events.some(isWanted),
      sees: (state) => seen.events(state, wanted.reason),
    });
  },
  /** Some container, or this one, waits in a back-off; of that many seconds, where they are given. */
  toBeInBackOff(pod: PodHandle, { container, seconds, ...options }: Waiting & { container?: string; seconds?: number } = {}): Promise<Verdict> {
    const waits = ({ name, backOff }: PodState['containers'][number]): boolean =>
      backOff !== undefined && (container === undefined || name === container) && (seconds === undefined || backOff.seconds === seconds);
    const what = `be in back-off${seconds === undefined ? '' : ` of ${seconds} s`}${container === undefined ? '' : ` with container ${container}`}`;
    return until(this, 'toBeInBackOff', pod, {
      ...options,
      what,
      holds: ({ containers }) => containers.some(waits),
      sees: (state) => seen.backOff(state, container),
    });
  },
  /** Some container, or this one, waits in a back-off or has done so; of that many seconds, where they are given. */
  toHaveBackedOff(pod: PodHandle, { container, seconds, ...options }: Waiting & { container?: string; seconds?: number } = {}): Promise<Verdict> {
    const waited = ({ name, backOffs }: PodState['containers'][number]): boolean =>
      (container === undefined || name === container) && backOffs.some((each) => seconds === undefined || each.seconds === seconds);
    return until(this, 'toHaveBackedOff', pod, {
      ...options,
      what: `have backed off${seconds === undefined ? '' : ` for ${seconds} s`}${container === undefined ? '' : ` with container ${container}`}`,
      holds: ({ containers }) => containers.some(waited),
      sees: (state) => seen.backOffs(state, container),
    });
  },
  /** Its worker stands still at a point. */
  toBeStoppedAt(pod: PodHandle, point: string, options: Waiting = {}): Promise<Verdict> {
    return until(this, 'toBeStoppedAt', pod, {
      ...options,
      what: `be stopped at ${point}`,
      holds: ({ stoppedAt }) => stoppedAt?.point === point,
      sees: seen.stop,
    });
  },
});
