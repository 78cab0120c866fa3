/** Collects the known facts about a pod: spec, status, events, owner, node, logs and claims. */
import { type Container, type ContainerStatus, isRestartableInitContainer, type Pod, type Probe } from '@podscope/k8s';
import { addMilliseconds, type Instant } from '@podscope/trace';
import { type CauseOrigin, type ExplainText, type FieldFact, type NextCommand, textOf } from '@podscope/trace/explain';
import { instantOf, type PodSnapshot, type SnapshotEvent } from '../pod-snapshot.ts';
import { change, type Owner, ownerOf, patch, set } from './owner/owner.ts';

/** The state of a node according to its conditions. */
export interface NodeFacts {
  readonly name: string;
  readonly exists: boolean;
  readonly unschedulable: boolean;
  /** The release of the kubelet, for example `v1.32.4+k3s1`. */
  readonly kubeletVersion?: string | undefined;
  /** The operating system as the node reports it, for example `Ubuntu 22.04.4 LTS`. */
  readonly osImage?: string | undefined;
  /** The machine as the cloud provider names it, for example `aws:///eu-central-1a/i-0abc`. */
  readonly providerId?: string | undefined;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
    readonly message?: string;
  }[];
}

export interface ClaimFacts {
  readonly name: string;
  readonly exists: boolean;
  readonly phase?: string | undefined;
  readonly storageClass?: string | undefined;
  /** The message of the claim's newest warning. */
  readonly warning?: string | undefined;
}

/** The facts about a cluster besides the pod and its events. */
export interface ClusterFacts {
  readonly owner?: { readonly kind: string; readonly name: string; readonly apiVersion: string } | undefined;
  readonly node?: NodeFacts | undefined;
  /** The tries of the Job that made the pod. */
  readonly job?:
    | { readonly name: string; readonly backoffLimit: number; readonly failed: number; readonly isOver: boolean }
    | undefined;
  /** How many pods the topmost owner wants, and how many of its pods are available. */
  readonly replicas?: { readonly wanted: number; readonly available: number } | undefined;
  /** The node that the template of the topmost owner names; undefined if it names none or the template isn't known. */
  readonly templateNode?: string | undefined;
  readonly claims?: readonly ClaimFacts[];
  /** The last lines of the newest ended instance of a container, by its name. */
  readonly logs?: Readonly<Record<string, string>>;
  /** Whether the reader uses the node's own machine, so that commands for the node run there. Default: false. */
  readonly isThisMachine?: boolean;
  /** The program that lists containers on the node. Used for a pod whose status doesn't name the runtime. */
  readonly runtime?: 'docker' | 'crictl';
  /**
   * The active back-offs by container, if the kubelet reported them. Default: they are computed from status and events.
   */
  readonly backOffs?: Readonly<Record<string, KnownBackOff>>;
  /** For each container whose newest ended instance was stopped because of a probe: the kill, if CRI calls show it. */
  readonly probeKills?: Readonly<Record<string, ProbeKill>>;
  /** For each container whose newest postStart hook failed: the error of the hook, if the run shows the hook's call. */
  readonly failedHooks?: Readonly<Record<string, string>>;
}

/** A kill because of a failed probe, as the CRI calls of a kubelet show it. */
export interface ProbeKill {
  readonly kind: 'liveness' | 'startup';
  /** How often the probe failed in a row before the kill; undefined if no call shows the probe's attempts. */
  readonly failures: number | undefined;
}

/** A back-off that the kubelet reported. */
export interface KnownBackOff {
  readonly kind: 'container' | 'image';
  /** When the back-off ends. The first sync after it makes the next attempt. */
  readonly at: Instant;
  /** The length of the back-off in ms. */
  readonly wait: number;
}

type Terminated = NonNullable<NonNullable<ContainerStatus['state']>['terminated']>;

export interface ContainerCase {
  readonly name: string;
  readonly role: 'init' | 'sidecar' | 'main';
  readonly spec: Container;
  /** The path of the container, for example `spec.containers[0]`. */
  readonly specPath: string;
  readonly status: ContainerStatus | undefined;
  readonly statusPath: string;
  /** The newest instance that has ended, with the path of its fields; undefined if no instance has ended. */
  readonly ended: (Terminated & { readonly path: string; readonly isCurrent: boolean }) | undefined;
  readonly waiting: { readonly reason: string; readonly message: string } | undefined;
  readonly runningSince: Instant | undefined;
  readonly backOff: KnownBackOff | undefined;
  /** The error of the newest postStart hook, if it failed and the run shows the hook's call. */
  readonly failedHook: string | undefined;
  /** The kill that ended the newest ended instance, if CRI calls show it but no event does. */
  readonly probeKill: ProbeKill | undefined;
  /** Oldest first. */
  readonly events: readonly SnapshotEvent[];
}

export interface PodCase {
  readonly pod: Pod;
  readonly events: readonly SnapshotEvent[];
  readonly now: Instant;
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly owner: Owner;
  readonly cluster: ClusterFacts;
  readonly containers: readonly ContainerCase[];
  /** Returns the command `kubectl -n NAMESPACE WORDS`. For the default namespace, `-n` is omitted. */
  readonly kubectl: (words: string) => string;
  /** Returns the commands that change the owner's template. The text gets the owner's name as the value `owner`. */
  readonly change: (id: Parameters<typeof textOf>[0], values?: ExplainText['values']) => readonly NextCommand[];
  /**
   * Returns the command that merges fields into the spec of the owner's pod template. With a container, the fields are
   * those of that container.
   */
  readonly patch: (
    id: Parameters<typeof textOf>[0],
    values: ExplainText['values'],
    fields: object,
    container?: Pick<ContainerCase, 'name' | 'role'>,
  ) => readonly NextCommand[];
  readonly set: (
    id: Parameters<typeof textOf>[0],
    values: ExplainText['values'],
    words: (ref: string) => string,
  ) => readonly NextCommand[];
}

/** A cause that a matcher has found. */
export interface Finding {
  /** The reason as Kubernetes names it, for example `CrashLoopBackOff` or `Unschedulable`. */
  readonly reason: string;
  readonly severity: 'error' | 'waiting' | 'info';
  readonly origin: CauseOrigin;
  /** How certain the cause is. Default: `certain`. */
  readonly certainty?: 'certain' | 'likely' | 'unknown';
  readonly container?: string;
  readonly title: ExplainText;
  readonly cause: readonly ExplainText[];
  readonly said?: string | undefined;
  /** Which instance of the container has the log whose last lines show the cause. */
  readonly log?: 'current' | 'previous';
  readonly facts: readonly FieldFact[];
  /** What happens next if the user does nothing. */
  readonly outlook: readonly ExplainText[];
  readonly next: readonly NextCommand[];
}

/** Looks for causes of one kind. */
export type Matcher = (it: PodCase) => readonly Finding[];
export type ContainerMatcher = (it: PodCase, container: ContainerCase) => Finding | undefined;

const lists = [
  ['initContainers', 'initContainerStatuses'],
  ['containers', 'containerStatuses'],
] as const;

function containersOf(
  { spec, status = {} }: Pod,
  events: readonly SnapshotEvent[],
  { backOffs = {}, probeKills = {}, failedHooks = {} }: ClusterFacts,
): readonly ContainerCase[] {
  return lists.flatMap(([specs, statuses]) =>
    (spec[specs] ?? []).map((container, index): ContainerCase => {
      const at = (status[statuses] ?? []).findIndex(({ name }) => name === container.name);
      const own = status[statuses]?.[at];
      const statusPath = `status.${statuses}[${Math.max(0, at)}]`;
      const current = own?.state?.terminated;
      const past = own?.lastState?.terminated;
      const waiting = own?.state?.waiting;
      return {
        name: container.name,
        role: specs === 'containers' ? 'main' : isRestartableInitContainer(container) ? 'sidecar' : 'init',
        spec: container,
        specPath: `spec.${specs}[${index}]`,
        status: own,
        statusPath,
        ended: current
          ? { ...current, path: `${statusPath}.state.terminated`, isCurrent: true }
          : past
            ? { ...past, path: `${statusPath}.lastState.terminated`, isCurrent: false }
            : undefined,
        waiting: waiting ? { reason: waiting.reason ?? '', message: waiting.message ?? '' } : undefined,
        runningSince: instantOf(own?.state?.running?.startedAt),
        backOff: backOffs[container.name],
        failedHook: failedHooks[container.name],
        probeKill: probeKills[container.name],
        events: events.filter((event) => event.container === container.name),
      };
    }),
  );
}

/**
 * Collects the facts about a pod.
 * @param at when the snapshot was taken, if that is later than every time in it
 */
export function podCaseOf({ pod, events, observedAt }: PodSnapshot, cluster: ClusterFacts = {}, at?: Instant): PodCase {
  const { name, namespace = 'default' } = pod.metadata;
  const kubectl = (words: string): string => `kubectl ${namespace === 'default' ? '' : `-n ${namespace} `}${words}`;
  const owner = ownerOf(pod, cluster.owner);
  return {
    pod,
    events,
    now: at !== undefined && at > observedAt ? at : observedAt,
    namespace,
    name,
    node: pod.spec.nodeName ?? '',
    owner,
    cluster,
    containers: containersOf(pod, events, cluster),
    kubectl,
    change: (id, values = {}) => change(owner, kubectl, textOf(id, { owner: owner.label, ...values })),
    patch: (id, values, fields, container) =>
      patch(
        owner,
        kubectl,
        textOf(id, { owner: owner.label, ...values }),
        container
          ? { [container.role === 'main' ? 'containers' : 'initContainers']: [{ name: container.name, ...fields }] }
          : fields,
      ),
    set: (id, values, words) => set(owner, kubectl, textOf(id, { owner: owner.label, ...values }), words),
  };
}

/** Returns kubectl's option that selects the pods with the same labels, for example ` -l app=web`. */
export function appSelector({ pod: { metadata } }: PodCase): string {
  const key = ['app.kubernetes.io/name', 'app', 'k8s-app'].find((each) => metadata.labels?.[each] !== undefined);
  return key === undefined ? '' : ` -l ${key}=${metadata.labels?.[key]}`;
}

/** Returns the facts of those fields that have a value. */
export const factsOf = (...facts: readonly (readonly [path: string, value: unknown])[]): readonly FieldFact[] =>
  facts.flatMap(([path, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [{ path, value: typeof value === 'string' ? value.trim() : JSON.stringify(value) }],
  );

/** Returns the fact of an event. */
export const eventFact = (event: SnapshotEvent | undefined): readonly FieldFact[] =>
  event
    ? [
        {
          path: `event ${event.reason}${event.count > 1 ? ` (${event.count} times)` : ''}`,
          value: event.message.trim(),
        },
      ]
    : [];

/** Returns the newest event that has one of the reasons and whose message matches the pattern. */
export const newest = (
  events: readonly SnapshotEvent[],
  reasons: readonly string[],
  pattern?: RegExp,
): SnapshotEvent | undefined =>
  events.findLast(({ reason, message }) => reasons.includes(reason) && (pattern?.test(message) ?? true));

export const conditionOf = ({ pod }: PodCase, type: string) =>
  pod.status?.conditions?.find((condition) => condition.type === type);

export const pathOfCondition = (type: string): string => `status.conditions[${type}]`;

const clock = (at: number): string => `${new Date(at).toISOString().slice(11, 19)} UTC`;

/** Returns a text that contains times. The page formats them in the user's time zone. */
export const timed = (
  id: Parameters<typeof textOf>[0],
  instants: Readonly<Record<string, number>>,
  values: ExplainText['values'] = {},
): ExplainText => ({
  ...textOf(id, { ...values, ...Object.fromEntries(Object.entries(instants).map(([key, at]) => [key, clock(at)])) }),
  instants,
});

/** Formats milliseconds as `45 s`, `6 min` or `2 h`, rounded to whole units. */
export function roughly(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  const minutes = Math.round((seconds % 3_600) / 60);
  const hours = Math.floor(seconds / 3_600);
  return seconds >= 36_000 || minutes === 0 || minutes === 60
    ? `${Math.round(seconds / 3_600)} h`
    : `${hours} h ${minutes} min`;
}

/** Formats milliseconds as `40 s`, `2 min 40 s` or `5 min`, without rounding to minutes. */
export function exactly(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return minutes === 0 ? `${seconds} s` : rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** Parses a duration in Go's format like `5m0s`. Returns milliseconds. */
export function goMilliseconds(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  if (parts.length === 0) return undefined;
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * ({ h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }[unit ?? 's'] ?? 0),
    0,
  );
}

/** Returns how long an ended instance ran, in ms; undefined if it never started. */
export function ranFor({
  startedAt,
  finishedAt,
}: {
  readonly startedAt?: string | null;
  readonly finishedAt?: string | null;
}): number | undefined {
  const [from, to] = [instantOf(startedAt), instantOf(finishedAt)];
  return from === undefined || to === undefined || to < from ? undefined : to - from;
}

const maxBackOff = 300_000;

/** Returns when a crashed container starts again, and its back-off; undefined if that isn't known. */
export function nextStart({
  waiting,
  ended,
  status,
  backOff,
}: ContainerCase): { readonly at: Instant; readonly wait: number } | undefined {
  if (backOff?.kind === 'container') return backOff;
  const finished = instantOf(ended?.finishedAt);
  if (finished === undefined) return undefined;
  const named = goMilliseconds(/back-off (\S+) restarting/.exec(waiting?.message ?? '')?.[1] ?? '');
  // The back-off is 10 s and doubles with each restart up to 5 min. Upstream: flowcontrol.Backoff (kuberuntime
  // doBackOff).
  const wait = named ?? Math.min(maxBackOff, 10_000 * 2 ** Math.min(6, Math.max(0, (status?.restartCount ?? 0) - 1)));
  return { at: addMilliseconds(finished, wait), wait };
}

/** Returns the texts about what happens next to a container that crashes. */
export function crashOutlook(it: PodCase, container: ContainerCase, restarts: boolean): readonly ExplainText[] {
  const { name, ended, waiting } = container;
  if (!restarts) return failedOutlook(it);
  const ran = ended && ranFor(ended);
  const isJob = it.owner.kind === 'Job' || it.owner.kind === 'CronJob';
  const again =
    ended?.exitCode === 0
      ? textOf('crashZero', { container: name })
      : ran === undefined || ran < 5_000
        ? textOf('crashSame', { container: name })
        : textOf('crashAfter', { container: name, ran: roughly(ran) });
  if (container.runningSince !== undefined)
    return [
      ran === undefined
        ? textOf('crashRuns', { container: name })
        : timed('crashRunsUntil', { time: container.runningSince + ran }, { container: name, ran: roughly(ran) }),
      ...(ran !== undefined && ran >= workedFor ? [textOf('crashNoBackOff')] : []),
    ];
  // The back-off begins with the first restart. Upstream: doBackOff of the kubelet, which finds no entry before it.
  if (container.status?.restartCount === 0 && ended?.isCurrent && container.backOff === undefined)
    return [
      textOf('crashAtOnce', { container: name }),
      again,
      textOf('crashGrows'),
      ...(isJob && it.pod.spec.restartPolicy === 'OnFailure' ? [textOf('crashJob')] : []),
    ];
  const next = nextStart(container);
  if (!next) return [textOf('crashSoon', { container: name }), again];
  const wait = exactly(next.wait);
  return [
    next.at < it.now && waiting?.reason === 'CrashLoopBackOff'
      ? timed('crashDue', { time: next.at }, { container: name, wait })
      : timed('crashNext', { time: next.at }, { container: name, wait }),
    again,
    ...(next.wait < maxBackOff ? [textOf('crashGrows')] : []),
    ...(isJob && it.pod.spec.restartPolicy === 'OnFailure' ? [textOf('crashJob')] : []),
  ];
}

const disruptions = new Set([
  'PreemptionByScheduler',
  'EvictionByEvictionAPI',
  'DeletionByTaintManager',
  'DeletionByPodGC',
]);

/** Returns whether something outside the pod ended it, so that the next pod needn't end the same way. */
export const isDisrupted = ({ status }: Pod): boolean =>
  /^(?:Preempting|Preempted|NodeShutdown|Shutdown|Terminated|NodeLost)$/.test(status?.reason ?? '') ||
  (status?.conditions ?? []).some(
    ({ type, status: is, reason = '' }) => type === 'DisruptionTarget' && is === 'True' && disruptions.has(reason),
  );

/** Returns the texts about what happens next to a pod that has failed permanently. */
export function failedOutlook({ owner, pod, cluster: { job } }: PodCase, heals = false): readonly ExplainText[] {
  const stays = textOf('failedStays', { phase: pod.status?.phase ?? 'Failed' });
  if (isDisrupted(pod) && (owner.kind === 'Job' || owner.kind === 'CronJob'))
    return [stays, textOf('failedJobAnew', { owner: owner.label })];
  if (owner.isCustom) return [stays, textOf('failedCustom', { owner: owner.label })];
  if (owner.kind === 'Pod') return [stays, textOf('failedAlone')];
  if (job && (owner.kind === 'Job' || owner.kind === 'CronJob')) {
    const { backoffLimit: limit, failed, isOver } = job;
    const all = { job: `Job ${job.name}`, limit, failed, tries: limit + 1, owner: owner.label };
    return [
      stays,
      textOf(isOver || failed > limit ? 'failedJobOver' : 'failedJobLeft', all),
      ...(owner.kind === 'CronJob' ? [textOf('failedCronNext', all)] : []),
    ];
  }
  if (owner.kind === 'Job') return [stays, textOf(heals ? 'failedJobRetry' : 'failedJob', { owner: owner.label })];
  if (owner.kind === 'CronJob') return [stays, textOf('failedCronJob', { owner: owner.label })];
  return [stays, textOf('failedReplaced', { owner: owner.label })];
}

/** Returns whether the kubelet starts an ended container again. Upstream: kubecontainer.ShouldContainerBeRestarted. */
export function isRestarted({ pod }: PodCase, { role, spec, ended }: ContainerCase): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  if (pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded') return false;
  const policy = role === 'sidecar' ? 'Always' : (spec.restartPolicy ?? pod.spec.restartPolicy ?? 'Always');
  if (policy === 'Always') return role !== 'init' || ended?.exitCode !== 0;
  return policy === 'OnFailure' && ended?.exitCode !== 0;
}

/** Returns the port of a probe. If it is a name, the container's ports define its number. */
export function probePort(
  probe: Probe,
  { ports = [] }: Container,
): { readonly port: number | undefined; readonly named: string | undefined } {
  const given = probe.httpGet?.port ?? probe.tcpSocket?.port ?? probe.grpc?.port;
  if (typeof given === 'number') return { port: given, named: undefined };
  if (given === undefined) return { port: undefined, named: undefined };
  const number = Number(given);
  if (Number.isInteger(number)) return { port: number, named: undefined };
  return { port: ports.find(({ name }) => name === given)?.containerPort, named: given };
}

/** Returns the command that shows the log. The previous instance has a log if the container has restarted. */
export const logsCommand = (
  { kubectl, name, containers }: PodCase,
  { name: container, ended, status }: ContainerCase,
): string =>
  kubectl(
    `logs ${name}${containers.length > 1 ? ` -c ${container}` : ''} ` +
      `--tail=50${ended && !ended.isCurrent && (status?.restartCount ?? 0) > 0 ? ' --previous' : ''}`,
  );

/**
 * From this number of restarts on, the restarts of a container that is ready again are a pattern and not an accident.
 */
const manyRestarts = 5;
/** Number of OOM kills, or of failures after a time of work, that are a pattern. The second shows that it returns. */
const fewRestarts = 2;
/** The time in ms after which the kubelet resets the back-off of an instance, because it has worked. */
export const workedFor = 600_000;
/** The time in ms after which a container that failed after a time of work, and is ready again, counts as healthy. */
const recent = 3_600_000;
/** The longest average time between restarts, in ms, for which the restarts are a pattern. */
const rareRestarts = 12 * 3_600_000;

/**
 * Returns whether the last ended instance is relevant to the current state. A container that is ready again is healthy,
 * unless events report failures or it is restarted often. Events expire after an hour.
 */
export function isPresent(
  { pod, now }: Pick<PodCase, 'pod' | 'now'>,
  { ended, role, runningSince, status, events }: ContainerCase,
): boolean {
  if (!ended) return false;
  if (ended.isCurrent) return !(role === 'init' && ended.exitCode === 0);
  if (runningSince === undefined || status?.ready !== true) return true;
  const failure =
    newest(events, ['BackOff', 'OOMKilling', 'Failed']) ??
    newest(events, ['Killing'], /^(?!.*(?:resize requires restart|definition changed))/) ??
    newest(events, ['Unhealthy'], /^(?:Liveness|Startup)/);
  const restarts = status.restartCount ?? 0;
  const created = instantOf(pod.metadata.creationTimestamp);
  const isRare = created !== undefined && (runningSince - created) / Math.max(1, restarts) > rareRestarts;
  // An instance that had worked for a while and failed has a cause that returns, unlike one that waited for a server.
  const hadWorked = ended.exitCode !== 0 && ended.reason !== 'Unknown' && (ranFor(ended) ?? 0) >= workedFor;
  const many = ended.reason === 'OOMKilled' || hadWorked ? fewRestarts : manyRestarts;
  const isRecent = hadWorked && now - runningSince < recent;
  return failure !== undefined || (restarts >= many && (!isRare || isRecent));
}
