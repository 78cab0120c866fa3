/** Collects the facts of a pod that diagnoses read: its object, its status, and the paths of the fields. */
import type { Attributes } from '../event.ts';
import { listAt, objectAt, textAt } from '../folds/attribute-values.ts';
import type { RunFold } from '../folds/run-fold.ts';
import type { ContainerTrack, KubernetesEventRecord, PodTrack } from '../folds/tracks.ts';
import { type RuntimeCommands, type RuntimeKind, runtimeCommands } from './runtime-commands.ts';
import type { ExplainText } from './text.ts';

/** A field of the pod with its value, as evidence. */
export interface FieldFact {
  /** `spec.containers[0].image` */
  readonly path: string;
  readonly value: string;
}

/** A command to try next, with its purpose. */
export interface NextCommand {
  readonly why: ExplainText;
  readonly command: string;
}

/** Where a cause lies. */
export const causeOrigins = [
  'scheduler',
  'controller',
  'kubelet',
  'runtime',
  'registry',
  'storage',
  'network',
  'node',
  'program',
  'configuration',
] as const;
export type CauseOrigin = (typeof causeOrigins)[number];

/** One problem of a pod. */
export interface Diagnosis {
  /** The reason in Kubernetes terms: `CrashLoopBackOff`, `SandboxChanged`. */
  readonly reason: string;
  /** `waiting`: the kubelet continues without any action. */
  readonly severity: 'error' | 'waiting' | 'info';
  /** The container; absent if the whole pod is affected. */
  readonly container?: string;
  readonly title: ExplainText;
  /** The sentences of one paragraph. */
  readonly cause: readonly ExplainText[];
  /** The message of the runtime, the registry or the program. */
  readonly said?: string;
  /** The instance of the container whose last log lines tell the cause. */
  readonly log?: 'current' | 'previous';
  readonly facts: readonly FieldFact[];
  readonly next: readonly NextCommand[];
  /** What happens next without any action; absent where the engine's own decisions tell. */
  readonly outlook?: readonly ExplainText[];
  /** Where the cause lies. */
  readonly origin?: CauseOrigin;
  /** `unknown`: the facts don't name a cause, and `next` says where to look. Default: certain. */
  readonly certainty?: 'certain' | 'likely' | 'unknown';
}

export interface ContainerFacts {
  readonly name: string;
  readonly type: ContainerTrack['type'];
  readonly spec: Attributes;
  readonly specPath: string;
  readonly status: Attributes;
  readonly statusPath: string;
  readonly track: ContainerTrack | undefined;
  readonly image: string;
}

export interface PodFacts {
  readonly fold: RunFold;
  readonly track: PodTrack;
  readonly object: Attributes;
  readonly status: Attributes;
  readonly now: number;
  readonly containers: readonly ContainerFacts[];
  /** Returns `kubectl -n NAMESPACE WORDS`, without -n for the default namespace. */
  readonly kubectl: (words: string) => string;
  /** The commands of the node's container runtime. */
  readonly onNode: RuntimeCommands;
}

const lists = [
  ['initContainers', 'initContainerStatuses'],
  ['containers', 'containerStatuses'],
  ['ephemeralContainers', 'ephemeralContainerStatuses'],
] as const;

const nothing: Attributes = {};

/** Returns the facts. @param runtime the node's runtime, for pods whose status doesn't name it */
export function podFactsOf(fold: RunFold, track: PodTrack, now: number, runtime?: RuntimeKind): PodFacts {
  const object = track.object ?? nothing;
  const status = track.status ?? objectAt(object, 'status') ?? nothing;
  const containers = lists.flatMap(([specs, statuses]) => {
    const shown = listAt(status, statuses);
    return listAt(object, 'spec', specs).map((spec, index): ContainerFacts => {
      const name = textAt(spec, 'name') ?? '';
      const at = shown.findIndex((each) => each['name'] === name);
      const own = track.containers.find((each) => each.name === name);
      return {
        name,
        type: own?.type ?? 'container',
        spec,
        specPath: `spec.${specs}[${index}]`,
        status: shown[at] ?? nothing,
        statusPath: `status.${statuses}[${Math.max(0, at)}]`,
        track: own,
        image: textAt(spec, 'image') ?? textAt(shown[at], 'image') ?? '',
      };
    });
  });
  const namespace = track.namespace === '' || track.namespace === 'default' ? '' : `-n ${track.namespace} `;
  return {
    fold,
    track,
    object,
    status,
    now,
    containers,
    kubectl: (words) => `kubectl ${namespace}${words}`,
    onNode: runtimeCommands(status, runtime),
  };
}

/** Returns the facts of the fields that have a value. */
export const factsOf = (...facts: readonly (readonly [path: string, value: unknown])[]): readonly FieldFact[] =>
  facts.flatMap(([path, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [{ path, value: typeof value === 'string' ? value : JSON.stringify(value) }],
  );

/** The first `read` events by reason. */
interface EventIndex {
  read: number;
  readonly byReason: Map<string, KubernetesEventRecord[]>;
}

/** Lists of events only grow, so each event is indexed once. */
const eventIndexes = new WeakMap<readonly KubernetesEventRecord[], EventIndex>();

/** Returns the pod's events with that reason, oldest first. */
export function eventsOf({ events }: PodTrack, reason: string): readonly KubernetesEventRecord[] {
  let index = eventIndexes.get(events);
  if (!index || index.read > events.length) eventIndexes.set(events, (index = { read: 0, byReason: new Map() }));
  const { byReason } = index;
  for (; index.read < events.length; index.read++) {
    const event = events[index.read];
    const same = event && byReason.get(event.reason);
    if (same) same.push(event);
    else if (event) byReason.set(event.reason, [event]);
  }
  return byReason.get(reason) ?? [];
}

/** Returns the newest event with one of these reasons; with `container`, only of that container. */
export function newestEvent(
  { track }: PodFacts,
  reasons: readonly string[],
  container?: string,
): KubernetesEventRecord | undefined {
  let newest: KubernetesEventRecord | undefined;
  for (const reason of reasons) {
    const found = eventsOf(track, reason).findLast((event) => container === undefined || event.container === container);
    if (found && found.seq > (newest?.seq ?? 0)) newest = found;
  }
  return newest;
}

/** Formats milliseconds as `850 ms`, `2.4 s` or `3 min 20 s`. */
export function lengthInWords(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
