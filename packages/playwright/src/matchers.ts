/**
 * Extends Playwright's `expect` with matchers for pods. Like Playwright's own matchers, each matcher waits until its
 * condition is true.
 */
import { expect as base, type ExpectMatcherState } from '@playwright/test';
import { messageOf, PodHandle, type PodState } from './node/pod.ts';
import { describePod, seen } from './report/describe-pod.ts';

interface Waiting {
  /** The time limit in milliseconds. Default: `expect.timeout` of Playwright's configuration. */
  readonly timeout?: number;
}

interface Verdict {
  readonly name: string;
  readonly pass: boolean;
  readonly message: () => string;
}

/** A pattern for an event. Undefined fields match anything. */
interface WantedEvent {
  readonly reason: string;
  readonly type?: 'Normal' | 'Warning';
  readonly message?: string | RegExp;
}

const fits = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text === wanted : text.search(wanted) >= 0;

interface Wish extends Waiting {
  /** Completes `expected pod default/web to …`. */
  readonly what: string;
  readonly holds: (state: PodState) => boolean;
  /** Returns what was observed, for example `it shows Error`. */
  readonly sees: (state: PodState) => string;
}

/** Polls the pod until `holds` returns the wanted value. For a missing pod, no matcher succeeds, negated or not. */
async function until(
  matcher: ExpectMatcherState,
  name: string,
  pod: PodHandle,
  { what, holds, sees, timeout = matcher.timeout }: Wish,
): Promise<Verdict> {
  if (!(pod instanceof PodHandle))
    throw new TypeError(`${name} is about a pod: expect(podscope.pod('web')).${name}(…)`);
  const { isNot } = matcher;
  let now = 'the page has not answered yet';
  const look = async (): Promise<boolean> => {
    try {
      const state = await pod.state();
      now = state ? `${sees(state)}:\n${describePod(state)}` : await pod.others();
      return state !== undefined && holds(state) !== isNot;
    } catch (error) {
      // The page may be navigating. If the error persists, the message reports it.
      now = messageOf(error);
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
  // The pod is checked at least once, even with a short timeout and a slow page.
  const reached = (await look()) || (await waitFor());
  if (!reached && (await pod.isPaused()))
    now += '\nVirtual time is paused: node.runUntil(…), advance(…) or resume() moves it.';
  return {
    name,
    pass: reached !== isNot,
    message: () => `expected ${pod.toString()} ${isNot ? 'not ' : ''}to ${what} within ${timeout} ms, but ${now}`,
  };
}

/** Playwright's `expect` with Podscope's matchers. */
export const expect = base.extend({
  /** Checks that the pod has or had this `status.phase`. No phase is missed, however fast time runs. */
  toReachPhase(
    pod: PodHandle,
    phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed',
    options: Waiting = {},
  ): Promise<Verdict> {
    return until(this, 'toReachPhase', pod, {
      ...options,
      what: `reach phase ${phase}`,
      holds: ({ phases }) => phases.some((each) => each.phase === phase),
      sees: seen.phases,
    });
  },
  /** Checks the status that kubectl shows: `CrashLoopBackOff`, `Init:0/1`, `Completed`. */
  toShowStatus(pod: PodHandle, status: string | RegExp, options: Waiting = {}): Promise<Verdict> {
    return until(this, 'toShowStatus', pod, {
      ...options,
      what: `show ${String(status)}`,
      holds: (state) => fits(state.status, status),
      sees: seen.status,
    });
  },
  /** Checks that all containers are ready. */
  toBeReady(pod: PodHandle, options: Waiting = {}): Promise<Verdict> {
    return until(this, 'toBeReady', pod, {
      ...options,
      what: 'be ready',
      holds: ({ ready, total, isGone }) => !isGone && total > 0 && ready === total,
      sees: seen.readiness,
    });
  },
  /** Checks that the pod existed and has been deleted. */
  toBeGone(pod: PodHandle, options: Waiting = {}): Promise<Verdict> {
    return until(this, 'toBeGone', pod, {
      ...options,
      what: 'be gone',
      holds: ({ isGone }) => isGone,
      sees: seen.presence,
    });
  },
  /** Checks that the containers have restarted at least `times` times in total. */
  toHaveRestarted(pod: PodHandle, times: number, options: Waiting = {}): Promise<Verdict> {
    return until(this, 'toHaveRestarted', pod, {
      ...options,
      what: `have restarted ${times} times`,
      holds: ({ restarts }) => restarts >= times,
      sees: seen.restarts,
    });
  },
  /** Checks for a SyncResult in any sync so far. `error: null` matches only a successful one. */
  toHaveSyncResult(
    pod: PodHandle,
    wanted: { action: string; target?: string; error?: string | null },
    options: Waiting = {},
  ): Promise<Verdict> {
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
  /** Checks for an event about the pod, as in `kubectl describe`. */
  toHaveEvent(pod: PodHandle, wanted: WantedEvent, options: Waiting = {}): Promise<Verdict> {
    const isWanted = ({ type, reason, message }: PodState['events'][number]): boolean =>
      reason === wanted.reason &&
      (wanted.type === undefined || type === wanted.type) &&
      (wanted.message === undefined ||
        (typeof wanted.message === 'string' ? message.includes(wanted.message) : message.search(wanted.message) >= 0));
    const what =
      'have an event ' + [wanted.type, wanted.reason, wanted.message].filter((each) => each !== undefined).join(' ');
    return until(this, 'toHaveEvent', pod, {
      ...options,
      what,
      holds: ({ events }) => events.some(isWanted),
      sees: (state) => seen.events(state, wanted.reason),
    });
  },
  /** Checks that any container, or the named container, is in back-off, optionally of the given number of seconds. */
  toBeInBackOff(
    pod: PodHandle,
    { container, seconds, ...options }: Waiting & { container?: string; seconds?: number } = {},
  ): Promise<Verdict> {
    const waits = ({ name, backOff }: PodState['containers'][number]): boolean =>
      backOff !== undefined &&
      (container === undefined || name === container) &&
      (seconds === undefined || backOff.seconds === seconds);
    const what =
      'be in ' +
      `back-off${seconds === undefined ? '' : ` of ${seconds} s`}` +
      (container === undefined ? '' : ` with container ${container}`);
    return until(this, 'toBeInBackOff', pod, {
      ...options,
      what,
      holds: ({ containers }) => containers.some(waits),
      sees: (state) => seen.backOff(state, container),
    });
  },
  /**
   * Checks that any container, or the named container, is or was in back-off, optionally of the given number of
   * seconds.
   */
  toHaveBackedOff(
    pod: PodHandle,
    { container, seconds, ...options }: Waiting & { container?: string; seconds?: number } = {},
  ): Promise<Verdict> {
    const waited = ({ name, backOffs }: PodState['containers'][number]): boolean =>
      (container === undefined || name === container) &&
      backOffs.some((each) => seconds === undefined || each.seconds === seconds);
    return until(this, 'toHaveBackedOff', pod, {
      ...options,
      what:
        'have backed ' +
        `off${seconds === undefined ? '' : ` for ${seconds} s`}` +
        (container === undefined ? '' : ` with container ${container}`),
      holds: ({ containers }) => containers.some(waited),
      sees: (state) => seen.backOffs(state, container),
    });
  },
  /** Checks that the pod's worker is stopped at a point. */
  toBeStoppedAt(pod: PodHandle, point: string, options: Waiting = {}): Promise<Verdict> {
    return until(this, 'toBeStoppedAt', pod, {
      ...options,
      what: `be stopped at ${point}`,
      holds: ({ stoppedAt }) => stoppedAt?.point === point,
      sees: seen.stop,
    });
  },
});
