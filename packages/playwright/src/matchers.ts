/** What is expected of pods: each waits until it holds, as Playwright's own matchers do. */
import { expect as base } from '@playwright/test';
import type { PodHandle, PodState } from './pod.ts';

interface Waiting {
  /** In milliseconds. Default: 20 s. */
  readonly timeout?: number;
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** How the pod stands, for a message. */
function describe(state: PodState | undefined): string {
  if (!state) return 'there is no such pod';
  const containers = state.containers.map(({ name, state: now, attempt, exitCode, reason, backOff }) => {
    const details = [exitCode === undefined ? '' : `exit code ${exitCode}`, reason ?? '', backOff ? `back-off ${backOff.seconds} s` : ''].filter(Boolean);
    return `  ${name}: ${now}, attempt ${attempt}${details.length > 0 ? `, ${details.join(', ')}` : ''}`;
  });
  const results = state.results.slice(-6).map(({ sync, action, target, error }) => `  sync ${sync}: ${action} ${target}${error ? `: ${error}` : ''}`);
  return [`phase ${state.phase || 'none'}, ${state.status}`, ...containers, ...results].join('\n');
}

/** Looks again and again until `holds` is what is wanted. */
async function until(pod: PodHandle, what: string, holds: (state: PodState) => boolean, isNot: boolean, { timeout = 20_000 }: Waiting): Promise<Verdict> {
  let last: PodState | undefined;
  const look = async (): Promise<boolean> => {
    last = await pod.state();
    return last !== undefined && holds(last);
  };
  const reached = await base
    .poll(look, { timeout })
    .toBe(!isNot)
    .then(
      () => true,
      () => false,
    );
  const pass = reached !== isNot;
  return { pass, message: () => `expected ${pod.toString()} ${isNot ? 'not ' : ''}to ${what}, but:\n${describe(last)}` };
}

/** Playwright's expect with Podscope's matchers. */
export const expect = base.extend({
  /** The pod's `status.phase`. */
  toReachPhase(pod: PodHandle, phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed', options: Waiting = {}): Promise<Verdict> {
    return until(pod, `reach phase ${phase}`, (state) => state.phase === phase, this.isNot, options);
  },
  /** What kubectl shows: `CrashLoopBackOff`, `Init:0/1`, `Completed`. */
  toShowStatus(pod: PodHandle, status: string | RegExp, options: Waiting = {}): Promise<Verdict> {
    const fits = (text: string): boolean => (typeof status === 'string' ? text === status : status.test(text));
    return until(pod, `show ${String(status)}`, (state) => fits(state.status), this.isNot, options);
  },
  /** A SyncResult of any sync so far; `error: null` asks for one that went well. */
  toHaveSyncResult(pod: PodHandle, wanted: { action: string; target?: string; error?: string | null }, options: Waiting = {}): Promise<Verdict> {
    const fits = ({ action, target, error }: PodState['results'][number]): boolean =>
      action === wanted.action &&
      (wanted.target === undefined || target === wanted.target) &&
      (wanted.error === undefined || (wanted.error === null ? error === undefined : error === wanted.error));
    return until(pod, `have a SyncResult ${JSON.stringify(wanted)}`, (state) => state.results.some(fits), this.isNot, options);
  },
  /** Some container, or this one, waits in a back-off; of that many seconds, where they are given. */
  toBeInBackOff(pod: PodHandle, { container, seconds, ...options }: Waiting & { container?: string; seconds?: number } = {}): Promise<Verdict> {
    const fits = ({ name, backOff }: PodState['containers'][number]): boolean =>
      backOff !== undefined && (container === undefined || name === container) && (seconds === undefined || backOff.seconds === seconds);
    return until(pod, `be in back-off${seconds === undefined ? '' : ` of ${seconds} s`}`, (state) => state.containers.some(fits), this.isNot, options);
  },
  /** Its worker stands still at a point. */
  toBeStoppedAt(pod: PodHandle, point: string, options: Waiting = {}): Promise<Verdict> {
    return until(pod, `be stopped at ${point}`, ({ stoppedAt }) => stoppedAt?.point === point, this.isNot, options);
  },
});
