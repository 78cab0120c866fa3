/**
 * Compares the calls of a genuine sync with those that the shadow engine predicts. If an input can't be observed,
 * several values are tried. If the calls agree only with an assumed value, the verdict is `unknown` and names the
 * input.
 */
import type { Pod } from '@podscope/k8s';
import { kubeletProfiles } from '@podscope/kubelet';
import type { CallRecord } from '../inputs.ts';
import { numberAt } from '../state/fields.ts';
import { containersOf } from '../state/probes.ts';
import { type CallIdentity, describeCall, identityOf, writingMethods } from './identity.ts';
import { runShadow, type ShadowInput, type ShadowOutcome, type SyncKind } from './shadow-run.ts';

/** An input of a sync that no source reports. */
type MissingInput =
  | 'podSpec'
  | 'podStatus'
  | 'probeResult'
  | 'stateBefore'
  | 'volumes'
  | 'terminationRequest'
  | 'hookResult'
  | 'endOfSync';

/** A call that only the kubelet or only the shadow engine made. */
interface CallDifference {
  readonly side: 'predicted' | 'observed' | 'order';
  readonly text: string;
  readonly call: CallIdentity;
}

export interface Verdict {
  readonly verdict: 'agrees' | 'differs' | 'unknown';
  readonly missing?: { readonly input: MissingInput; readonly detail: string };
  readonly differences: readonly CallDifference[];
  /** True if the sync made a call that writes, or should have made one. */
  readonly counts: boolean;
  readonly kind: SyncKind;
}

export interface Judged extends Verdict {
  readonly outcome: ShadowOutcome;
}

/** Returns the calls of a sync that write, in order. */
export const writesOf = (calls: readonly CallRecord[]): readonly CallRecord[] =>
  calls.filter(({ method }) => writingMethods.has(method));

/** The methods of calls that a kill makes. Kills run in parallel, so the order of their calls isn't determined. */
const unordered: ReadonlySet<string> = new Set(['StopContainer', 'ExecSync']);

function differencesOf(outcome: ShadowOutcome, calls: readonly CallRecord[]): readonly CallDifference[] {
  const differences: CallDifference[] = [];
  for (const prediction of outcome.predictions) {
    if (prediction.call === undefined)
      differences.push({ side: 'predicted', text: describeCall(prediction), call: prediction });
  }
  for (const { method, request } of writesOf(outcome.unmatched)) {
    const call = identityOf(method, request);
    differences.push({ side: 'observed', text: describeCall(call), call });
  }
  const times = new Map(calls.map(({ number, t }) => [number, t]));
  let latest = 0;
  for (const prediction of outcome.predictions) {
    const at = times.get(prediction.call ?? -1);
    if (at === undefined || unordered.has(prediction.method)) continue;
    if (at < latest) differences.push({ side: 'order', text: describeCall(prediction), call: prediction });
    latest = Math.max(latest, at);
  }
  return differences;
}

/** Computes a sync with this input and returns how its calls differ from the observed ones. */
async function tried(input: ShadowInput): Promise<Judged> {
  const outcome = await runShadow(input);
  const differences = differencesOf(outcome, input.calls);
  return {
    verdict: differences.length === 0 ? 'agrees' : 'differs',
    differences,
    counts: writesOf(input.calls).length > 0 || outcome.predictions.length > 0,
    kind: input.kind,
    outcome,
  };
}

/** An assumption about an input that no source reports. */
interface Assumption {
  readonly input: MissingInput;
  readonly detail: string;
  readonly variant: ShadowInput;
  /** True if the kubelet's own metrics or statuses show the value. */
  readonly isShown?: boolean;
}

type Container = Pod['spec']['containers'][number];
type Probe = Container['livenessProbe'];

/** Tolerance in milliseconds: the kubelet compares whole seconds, and its clock isn't the relay's. */
const probeTolerance = 1_000;

/**
 * Returns true if a probe can have failed often enough between the start of its container and a time. Upstream:
 * worker.doProbe (prober, v1.36): no attempt before initialDelaySeconds, then one each periodSeconds.
 */
function canHaveFailed(probe: NonNullable<Probe>, startedAt: number, time: number): boolean {
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 } = probe;
  const least = (initialDelaySeconds + (failureThreshold - 1) * periodSeconds) * 1_000;
  return time - startedAt >= least - probeTolerance;
}

/**
 * Returns how often a probe of a container had failed in a row at the start of the sync; undefined if the kubelet's
 * metrics aren't read.
 */
type CountedFailures = (probe: 'liveness' | 'startup', container: string, startedAt: number) => number | undefined;

/**
 * Returns the assumption that a liveness probe failed, whose result no CRI call shows; undefined if the container
 * hasn't run long enough for it.
 */
function inferredFailure(
  { liveness, start, ...input }: ShadowInput,
  countedFailures: CountedFailures,
  { name, livenessProbe }: Container,
  { id, startedAt }: { readonly id: string; readonly startedAt: number | undefined },
): Assumption | undefined {
  if (!livenessProbe || (startedAt !== undefined && !canHaveFailed(livenessProbe, startedAt, start))) return undefined;
  const { periodSeconds = 10, failureThreshold = 3 } = livenessProbe;
  return {
    input: 'probeResult',
    detail:
      `liveness probe of ${name}: failure, inferred from the kill, whose time fits failureThreshold ` +
      `${failureThreshold} and periodSeconds ${periodSeconds}`,
    variant: { ...input, start, liveness: new Map([...liveness, [id, 'failure']]) },
    isShown: (countedFailures('liveness', name, startedAt ?? 0) ?? 0) >= failureThreshold,
  };
}

function unseenProbes({ input, isOlder, countedFailures }: JudgeRequest): readonly Assumption[] {
  const { pod, podStatus } = input;
  // The failures of exec probes are observed, except for those from before the observation.
  const isUnseen = (probe: Probe): boolean => probe !== undefined && (isOlder || !probe.exec);
  return containersOf(pod).flatMap((container): Assumption[] => {
    const running = podStatus.containerStatuses.find(
      ({ name, state }) => name === container.name && state === 'running',
    );
    if (!running) return [];
    const { startedAt } = running;
    const { id } = running.id;
    const failures = countedFailures('startup', container.name, startedAt ?? 0) ?? 0;
    const assume = (result: 'failure' | 'success'): Assumption => ({
      input: 'probeResult',
      detail: `startup probe of ${container.name}: ${result}`,
      variant: { ...input, startup: new Map([...input.startup, [id, result]]) },
      isShown: result === 'failure' && failures >= (container.startupProbe?.failureThreshold ?? 3),
    });
    const failure =
      isUnseen(container.livenessProbe) && inferredFailure(input, countedFailures, container, { id, startedAt });
    return [
      ...(failure ? [failure] : []),
      ...(isUnseen(container.startupProbe) ? [assume('failure'), assume('success')] : []),
    ];
  });
}

/** Kinds of volumes that the kubelet sets up without other programs or API objects. */
const ownVolumes: ReadonlySet<string> = new Set(['name', 'emptyDir', 'hostPath', 'downwardAPI']);

const needsObjects = ({ spec }: Pod): boolean =>
  (spec.volumes ?? []).some((volume) => Object.keys(volume).some((key) => !ownVolumes.has(key)));

const hasHttpHook = (pod: Pod): boolean =>
  containersOf(pod).some(({ lifecycle }) => lifecycle?.postStart?.httpGet ?? lifecycle?.preStop?.httpGet);

export interface JudgeRequest {
  readonly input: ShadowInput;
  /** Other specs that the pod may have had in this sync. */
  readonly otherSpecs: readonly Pod[];
  /** True if a source reports which kind of sync this is. */
  readonly kindIsKnown: boolean;
  /** True if the kubelet's own span reports which kind of sync this is. */
  readonly isExact: boolean;
  /** The status reason of a pod that the kubelet itself ended, such as `Evicted`. */
  readonly ownReason: string | undefined;
  /** Number of the pod's objects that were listed but whose status is unknown; undefined if no list was observed. */
  readonly unseen: number | undefined;
  /** True if no earlier sync of the pod was compared with its calls since the observation began or continued. */
  readonly isFirst: boolean;
  /** The back-offs that the pod's statuses name at the end of the sync, in milliseconds. */
  readonly shownBackOffs: ReadonlySet<number>;
  /** True if the pod's containers were created before the observation began, so that its back-offs are unknown. */
  readonly isOlder: boolean;
  readonly countedFailures: CountedFailures;
}

/**
 * Returns the assumption of a back-off for the first container that exited and has no back-off entry. The relay started
 * after earlier exits of the container, so the kubelet may have an entry.
 */
function olderBackOffs(input: ShadowInput, shown: ReadonlySet<number>): readonly Assumption[] {
  const noPull = {
    input: 'stateBefore' as const,
    detail: 'a back-off of an image from before the observation',
    variant: { ...input, assumesImageBackOff: true },
  };
  const entries = [0, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000];
  const restarts = [...shown, ...entries.filter((each) => !shown.has(each))].map((backoff) => ({
    input: 'stateBefore' as const,
    detail: `a back-off of ${backoff / 1000} s from before the observation`,
    variant: { ...input, assumedBackOff: backoff },
    // The kubelet's own status names this back-off, so it isn't an assumption.
    isShown: shown.has(backoff),
  }));
  return [...restarts, noPull];
}

/**
 * Returns assumptions about the grace period. Evictions, preemptions and shutdowns have their own grace periods, which
 * no source reports. A pod past its deadline has its own one. Upstream: activeDeadlineHandler (v1.36 and v1.20).
 */
function otherGracePeriods(input: ShadowInput, reason: string): readonly Assumption[] {
  if (input.kind !== 'terminating' || reason === 'DeadlineExceeded') return [];
  const timeouts = input.calls.flatMap(({ method, request }) =>
    method === 'StopContainer' ? [numberAt(request, 'timeout')] : [],
  );
  return [...new Set(timeouts)].map((gracePeriod) => ({
    input: 'terminationRequest',
    detail: `the grace period of the termination (${reason}): ${gracePeriod} s`,
    variant: { ...input, gracePeriod },
  }));
}

/** Assumes log files of earlier containers of the same pod, from which the kubelet counts a new container's attempt. */
function earlierLogs(input: ShadowInput): readonly Assumption[] {
  const assumedLogs = new Map(input.assumedLogs);
  for (const { method, request } of input.calls) {
    const { target, attempt = 0 } = identityOf(method, request);
    const isKnown = input.podStatus.containerStatuses.some(({ name }) => name === target);
    if (method === 'CreateContainer' && attempt > 0 && !isKnown) assumedLogs.set(target, attempt - 1);
  }
  const assumed = [...assumedLogs].filter(([name, newest]) => input.assumedLogs.get(name) !== newest);
  if (assumed.length === 0) return [];
  const detail = `log files of earlier containers: ${assumed.map(([name]) => name).join(', ')}`;
  return [{ input: 'stateBefore', detail, variant: { ...input, assumedLogs } }];
}

function assumptionsOf(request: JudgeRequest): readonly Assumption[] {
  const { input, isOlder, kindIsKnown, ownReason, shownBackOffs } = request;
  return [
    ...(kindIsKnown
      ? []
      : [
          {
            input: 'terminationRequest' as const,
            detail: 'no source says whether the pod was to be terminated',
            variant: { ...input, kind: input.kind === 'sync' ? ('terminating' as const) : ('sync' as const) },
          },
        ]),
    ...unseenProbes(request),
    ...earlierLogs(input),
    ...(writesOf(input.calls).length === 0 && needsObjects(input.pod)
      ? [
          {
            input: 'volumes' as const,
            detail: 'whether the volumes were ready',
            variant: { ...input, assumesUnmounted: true },
          },
        ]
      : []),
    ...(hasHttpHook(input.pod)
      ? [
          {
            input: 'hookResult' as const,
            detail: 'the result of an httpGet hook',
            variant: { ...input, httpHooksFail: true },
          },
        ]
      : []),
    ...(isOlder ? olderBackOffs(input, shownBackOffs) : []),
    ...(ownReason ? otherGracePeriods(input, ownReason) : []),
  ];
}

/** Returns the input that the kubelet remembers from before the observation, if the sync may depend on it. */
function unseenState({ input, unseen }: JudgeRequest): Verdict['missing'] {
  if (unseen !== 0)
    return { input: 'podStatus', detail: 'the state of sandboxes and containers from before the observation' };
  if (input.memory.status === undefined)
    return { input: 'stateBefore', detail: 'the calls that this sync made before the observation' };
  const { backOffKey } = kubeletProfiles[input.profile].runtime;
  const { pod, podStatus, memory } = input;
  const forgotten = containersOf(pod).filter((container) => {
    const status = podStatus.containerStatuses.find(({ name }) => name === container.name);
    const hasPulled = status !== undefined || memory.imageBackOffs.has(`${pod.metadata.uid}_${container.image ?? ''}`);
    const hasRestarted = status !== undefined && (status.restartCount > 0 || status.state === 'exited');
    return !hasPulled || (hasRestarted && !memory.backOffs.has(backOffKey(pod, container)));
  });
  if (forgotten.length === 0) return undefined;
  const names = forgotten.map(({ name }) => name).join(', ');
  return { input: 'stateBefore', detail: `back-offs of ${names} from before the observation` };
}

const ranks = { agrees: 0, unknown: 1, differs: 2 } as const satisfies Record<Verdict['verdict'], number>;

/** Judges one sync. */
export async function judge(request: JudgeRequest): Promise<Judged> {
  const { input, isExact, ownReason } = request;
  const judged = await judgeAs(request);
  if (judged.verdict === 'agrees' || isExact || ownReason === undefined || input.kind === 'sync') return judged;
  // The status with the reason for which the kubelet ended the pod is newer than the sync, so the sync may precede the
  // termination.
  const earlier = await judgeAs({ ...request, input: { ...input, kind: 'sync', terminationRequested: false } });
  return ranks[earlier.verdict] < ranks[judged.verdict] ? earlier : judged;
}

/** Judges one sync of a given kind. */
async function judgeAs(request: JudgeRequest): Promise<Judged> {
  const { input, otherSpecs } = request;
  const first = await tried(input);
  if (first.verdict === 'agrees') return first;
  for (const pod of otherSpecs) {
    const other = await tried({ ...input, pod });
    if (other.verdict === 'agrees') return other;
  }
  // The kubelet terminates a pod whose phase is terminal. The sync that found the phase made no calls, so it wasn't
  // observed; this one is the termination.
  if (first.outcome.isTerminal && !request.isExact) {
    const terminating = await tried({ ...input, kind: 'terminating' });
    if (terminating.verdict === 'agrees') return terminating;
  }
  for (const { input: missing, detail, variant, isShown } of assumptionsOf(request)) {
    const other = await tried(variant);
    if (other.verdict === 'agrees' && isShown) return other;
    if (other.verdict === 'agrees') return { ...other, verdict: 'unknown', missing: { input: missing, detail } };
  }
  if (request.isOlder) {
    const detail = 'what the kubelet did before the observation began or continued';
    const missing = unseenState(request) ?? (request.isFirst ? { input: 'stateBefore' as const, detail } : undefined);
    if (missing) return { ...first, verdict: 'unknown', missing };
  }
  const open = input.calls.find(({ result }) => !result);
  if (open)
    return {
      ...first,
      verdict: 'unknown',
      missing: { input: 'endOfSync', detail: `${open.method} has no answer yet` },
    };
  return first;
}
