/** Filters and orders the pod list. */
import type { PodTone, PodTrack } from '@podscope/trace';
import type { Preferences } from '../../base/preferences/preferences.ts';
import { createdAt, podRowText } from './pod-row-text.ts';

export const podOrders = ['name', 'status', 'restarts', 'age'] as const satisfies readonly Preferences['podOrder'][];
type PodOrder = (typeof podOrders)[number];

export interface PodListOptions {
  /** Words that the name, the namespace or the status of a pod must contain. */
  readonly filter?: string;
  /** Only this namespace; undefined for all. */
  readonly namespace?: string | undefined;
  /** `name`: by namespace and name. `status`: problems first. `restarts`: most first. `age`: newest first. */
  readonly order?: PodOrder;
  /** Omits deleted pods. */
  readonly hidesDeleted?: boolean;
  /** UIDs of deleted pods to omit. */
  readonly cleared?: ReadonlySet<string>;
}

/** How urgently each state needs attention. States with smaller numbers come first. */
const urgency: Readonly<Record<PodTone, number>> = {
  stopped: 0,
  error: 1,
  waiting: 2,
  unknown: 3,
  terminating: 4,
  progressing: 5,
  running: 6,
  succeeded: 7,
};

const byName = (a: PodTrack, b: PodTrack): number =>
  a.namespace.localeCompare(b.namespace) || a.name.localeCompare(b.name, 'en', { numeric: true });

/** Returns the namespaces of the pods, ordered. */
export const namespacesOf = (pods: readonly PodTrack[]): readonly string[] =>
  [...new Set(pods.map(({ namespace }) => namespace))].toSorted();

/** Returns the matching pods in order. Deleted pods come last, newest first, because their history stays available. */
export function listPods(
  pods: readonly PodTrack[],
  { filter = '', namespace, order = 'name', hidesDeleted = false, cleared }: PodListOptions = {},
): readonly PodTrack[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const described = new Map<PodTrack, ReturnType<typeof podRowText>['description']>();
  const describe = (pod: PodTrack) => {
    const known = described.get(pod) ?? podRowText(pod, pod.lastTime).description;
    described.set(pod, known);
    return known;
  };
  const compare: Readonly<Record<PodOrder, (a: PodTrack, b: PodTrack) => number>> = {
    name: () => 0,
    status: (a, b) => urgency[describe(a).tone] - urgency[describe(b).tone],
    restarts: (a, b) => describe(b).restarts - describe(a).restarts,
    age: (a, b) => createdAt(b) - createdAt(a),
  };
  return pods
    .filter((pod) => {
      if (pod.deletedAt !== undefined && (hidesDeleted || cleared?.has(pod.uid))) return false;
      if (namespace !== undefined && pod.namespace !== namespace) return false;
      if (words.length === 0) return true;
      const text = `${pod.namespace}/${pod.name} ${describe(pod).status}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => {
      if ((a.deletedAt === undefined) !== (b.deletedAt === undefined)) return a.deletedAt === undefined ? -1 : 1;
      if (a.deletedAt !== undefined && b.deletedAt !== undefined) return b.deletedAt - a.deletedAt;
      return compare[order](a, b) || byName(a, b);
    });
}
