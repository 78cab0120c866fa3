/**
 * Compares the sequences of statuses. Polling misses short-lived ones, and some occur only if the kubelet syncs before
 * or after an exit. Therefore only statuses that lasted must exist on both sides, in the same order.
 */
import { isCrashLoop, type PodStatusSeen } from '../recording.ts';
import type { Compare } from './comparison.ts';

/** Duration in ms from which a status must occur on both sides: three periods of the PLEG. */
const lasting = 3000;

interface Phase {
  readonly signature: string;
  /** The pod's part of the status, and each container's, without values that differ between rounds of a crash loop. */
  readonly parts: readonly string[];
  duration: number;
  readonly restarts: number;
}

type State = NonNullable<NonNullable<PodStatusSeen['containerStatuses']>[number]['state']>;

function stateText(state: State | undefined): string {
  if (state?.running) return 'running';
  if (state?.terminated) return `terminated(${state.terminated.reason ?? ''} ${state.terminated.exitCode})`;
  return state?.waiting ? `waiting(${state.waiting.reason ?? ''})` : '-';
}

type SeenContainer = NonNullable<PodStatusSeen['containerStatuses']>[number];

const containersOf = (status: PodStatusSeen): readonly SeenContainer[] => [
  ...(status.initContainerStatuses ?? []),
  ...(status.containerStatuses ?? []),
];

/** Returns the phase, reason and conditions of a status. */
function podText(status: PodStatusSeen): readonly string[] {
  const conditions = (status.conditions ?? []).map(
    ({ type, status: value, reason }) => `${type}=${value}${reason ? `(${reason})` : ''}`,
  );
  return [`${status.phase ?? ''}${status.reason ? ` ${status.reason}` : ''}`, ...conditions.toSorted()];
}

const containerText = (name: string, states: string, ready: boolean, restarts: number): string =>
  `${name}: ${states}, ${ready ? 'ready' : 'not ready'}, ${restarts} restarts`;

/** Returns the compared part of a status: phase, reasons, conditions, states and restart counts. */
const signatureOf = (status: PodStatusSeen): string =>
  [
    ...podText(status),
    ...containersOf(status).map(({ name, state, lastState, ready, restartCount }) =>
      containerText(name, `${stateText(state)}, last ${stateText(lastState)}`, ready, restartCount),
    ),
  ].join('; ');

const isBackingOff = ({ state }: SeenContainer): boolean => state?.waiting?.reason === 'CrashLoopBackOff';

/**
 * Returns the parts of a status for the comparison of crash loops. A container in back-off counts as terminated, even
 * if its state is `waiting`: the kubelet reports `terminated` in the sync that finds the exit and `waiting` from the
 * next sync on. The time of the next sync is random, because the delay of completeWork has a jitter.
 */
const loopPartsOf = (status: PodStatusSeen): readonly string[] => [
  podText(status).join('; '),
  ...containersOf(status).map((container) => {
    const { name, state, lastState, ready, restartCount } = container;
    const ended = isBackingOff(container) ? lastState : state;
    return containerText(name, stateText(ended), ready, restartCount);
  }),
];

const restartsOf = (status: PodStatusSeen): number =>
  Math.max(0, ...containersOf(status).map(({ restartCount }) => restartCount));

/** Returns each signature once, at its first position, with its total duration. */
function phases(seen: readonly StatusAt[], end: number): readonly Phase[] {
  const found = new Map<string, Phase>();
  for (const [index, { t, status }] of seen.entries()) {
    if (!status) continue;
    const signature = signatureOf(status);
    const phase = found.get(signature) ?? {
      signature,
      parts: loopPartsOf(status),
      duration: 0,
      restarts: restartsOf(status),
    };
    phase.duration += (seen[index + 1]?.t ?? end) - t;
    found.set(signature, phase);
  }
  return [...found.values()];
}

/** A status and the time since which it was shown. The status is undefined while the pod isn't listed. */
export interface StatusAt {
  readonly t: number;
  readonly status: PodStatusSeen | undefined;
}

/** Returns the status shown at a time if it has lasted long enough to be compared. */
export function lastingStatus(seen: readonly StatusAt[], at: number): string | undefined {
  const before = seen.filter(({ t }) => t < at);
  const last = before.at(-1)?.status;
  const run = last && runs(before, at).at(-1);
  return run && run.duration >= lasting ? run.signature : undefined;
}

/** Returns all statuses that were shown without interruption for long enough to be compared. */
export const haveLasted = (seen: readonly StatusAt[], at: number): ReadonlySet<string> =>
  new Set(
    runs(seen, at)
      .filter(({ duration }) => duration >= lasting)
      .map(({ signature }) => signature),
  );

/** Returns the periods in which the compared part of the status stayed the same. */
function runs(
  seen: readonly StatusAt[],
  end: number,
): readonly { readonly signature: string; readonly duration: number }[] {
  const found: { signature: string; duration: number }[] = [];
  for (const [index, { t, status }] of seen.entries()) {
    if (!status) continue;
    const signature = signatureOf(status);
    const duration = (seen[index + 1]?.t ?? end) - t;
    const last = found.at(-1);
    if (last?.signature === signature && seen[index - 1]?.status) last.duration += duration;
    else found.push({ signature, duration });
  }
  return found;
}

/** Returns the pairs of a longest common subsequence, weighted by how long both statuses lasted. */
function align(
  a: readonly Phase[],
  b: readonly Phase[],
): { readonly a: ReadonlySet<Phase>; readonly b: ReadonlySet<Phase> } {
  const best = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const match =
        a[i]?.signature === b[j]?.signature ? at(i + 1, j + 1) + 1 + (a[i]?.duration ?? 0) + (b[j]?.duration ?? 0) : 0;
      const row = best[i];
      if (row) row[j] = Math.max(match, at(i + 1, j), at(i, j + 1));
    }
  }
  const matched = { a: new Set<Phase>(), b: new Set<Phase>() };
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [left, right] = [a[i], b[j]];
    if (left && right && left.signature === right.signature && at(i, j) > Math.max(at(i + 1, j), at(i, j + 1))) {
      matched.a.add(left);
      matched.b.add(right);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return matched;
}

/** Returns the containers that were shown in a back-off. */
const backedOff = (seen: readonly StatusAt[]): ReadonlySet<string> =>
  new Set(
    seen.flatMap(({ status }) =>
      status
        ? containersOf(status)
            .filter(isBackingOff)
            .map(({ name }) => name)
        : [],
    ),
  );

/**
 * Returns the statuses that lasted in one run and are missing in the other. In a crash loop, restarts are at random
 * times relative to each other and to the other containers. Therefore one run may end one restart earlier than the
 * other, and a status counts as present if the other run showed each of its parts.
 */
function missing(
  list: readonly Phase[],
  matched: ReadonlySet<Phase>,
  other: readonly Phase[],
  isLoop: boolean,
): readonly Phase[] {
  const most = Math.max(0, ...other.map(({ restarts }) => restarts));
  const shown = new Set(other.flatMap(({ parts }) => parts));
  const isChance = ({ parts, restarts }: Phase): boolean => restarts > most || parts.every((part) => shown.has(part));
  return list.filter((phase) => !matched.has(phase) && phase.duration >= lasting && !(isLoop && isChance(phase)));
}

export const compareStatuses: Compare = ({ recording, seen }) => {
  const differences: string[] = [];
  const isLoop = isCrashLoop(recording);
  for (const [index, uid] of recording.pod.uids.entries()) {
    const theirs = recording.statuses
      .filter((status) => recording.pod.uids.length === 1 || status.uid === uid)
      .map((status) => ({ t: status.t, status: status.gone ? undefined : status }));
    const ours = seen.statuses.filter((status) => status.uid === seen.uids[index]);
    const [a, b] = [phases(theirs, theirs.at(-1)?.t ?? 0), phases(ours, ours.at(-1)?.t ?? 0)];
    const matched = align(a, b);
    const line = (where: string, { signature, duration }: Phase): string =>
      `status only ${where}, for ${duration / 1000} s: ${signature}`;
    differences.push(...missing(a, matched.a, b, isLoop).map((phase) => line('in the recording', phase)));
    differences.push(...missing(b, matched.b, a, isLoop).map((phase) => line('here', phase)));
    const here = backedOff(ours);
    for (const name of isLoop ? backedOff(theirs) : [])
      if (!here.has(name)) differences.push(`${name} is never shown in CrashLoopBackOff here`);
    if (theirs.at(-1)?.status === undefined && ours.at(-1)?.status !== undefined)
      differences.push('the pod is still listed here');
  }
  return differences;
};
