/** Keeps the answers of the kubelet's `GET /pods`: which pods existed, with which spec and status, and when. */
import type { Pod, PodStatus } from '@podscope/k8s';
import type { PodsSnapshot } from '../inputs.ts';

interface Version {
  /** Time of the first answer with this version. */
  readonly from: number;
  readonly pod: Pod;
  /** Text that is equal for equal versions: the spec, and the metadata that a sync depends on. */
  readonly key: string;
}

interface PodTimeline {
  readonly versions: Version[];
  /** The statuses, each with the time of the first answer that has it. */
  readonly statuses: { readonly from: number; readonly status: PodStatus | undefined }[];
  /** Time of the newest answer that has the pod. */
  last: number;
  /** Time of the first answer without the pod after `last`. */
  gone: number | undefined;
}

const keyOf = ({ metadata, spec }: Pod): string =>
  JSON.stringify([metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds, metadata.annotations, spec]);

/** The number of versions and of statuses that are kept for each pod. A sync needs only one of the last few. */
const kept = 400;

/** Keeps the newest items of a list. */
function trim(list: unknown[]): void {
  if (list.length > kept) list.splice(0, kept / 2);
}

/** The change of a pod from one answer to the next. */
export interface PodChange {
  readonly operation: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly pod: Pod;
  /** True if the status differs from the status in the previous answer. */
  readonly statusChanged: boolean;
}

export class PodsSource {
  readonly #pods = new Map<string, PodTimeline>();
  readonly #answers: number[] = [];
  readonly #statuses = new Map<string, string>();

  /** True once the kubelet has answered `GET /pods`. */
  get available(): boolean {
    return this.#answers.length > 0;
  }

  /** Returns true if an answer arrived after `time`. */
  answeredAfter(time: number): boolean {
    return (this.#answers.at(-1) ?? 0) > time;
  }

  /** Restores the pods of an earlier observation, without counting them as an answer of the kubelet. */
  restore(at: number, pods: readonly Pod[]): void {
    for (const pod of pods) {
      const { uid } = pod.metadata;
      const statuses = [{ from: at, status: pod.status }];
      this.#pods.set(uid, { versions: [{ from: at, pod, key: keyOf(pod) }], statuses, last: at, gone: undefined });
      this.#statuses.set(uid, JSON.stringify(pod.status ?? {}));
    }
  }

  /** Applies an answer and returns the changes of pods since the previous answer. */
  apply({ t, pods }: PodsSnapshot): readonly PodChange[] {
    this.#answers.push(t);
    if (this.#answers.length > 10_000) this.#answers.splice(0, 5_000);
    const changes: PodChange[] = [];
    const present = new Set<string>();
    for (const pod of pods) {
      const { uid } = pod.metadata;
      present.add(uid);
      const known = this.#pods.get(uid);
      const key = keyOf(pod);
      const status = JSON.stringify(pod.status ?? {});
      const statusChanged = this.#statuses.get(uid) !== status;
      this.#statuses.set(uid, status);
      if (!known || known.gone !== undefined) {
        this.#pods.set(uid, {
          versions: [...(known?.versions ?? []), { from: t, pod, key }],
          statuses: [{ from: t, status: pod.status }],
          last: t,
          gone: undefined,
        });
        changes.push({ operation: 'ADDED', pod, statusChanged });
        continue;
      }
      known.last = t;
      if (statusChanged) known.statuses.push({ from: t, status: pod.status });
      const current = known.versions.at(-1);
      if (current?.key !== key) {
        known.versions.push({ from: t, pod, key });
        changes.push({ operation: 'MODIFIED', pod, statusChanged });
      } else {
        known.versions[known.versions.length - 1] = { ...current, pod };
        if (statusChanged) changes.push({ operation: 'MODIFIED', pod, statusChanged });
      }
    }
    for (const [uid, timeline] of this.#pods) {
      trim(timeline.versions);
      trim(timeline.statuses);
      if (present.has(uid) || timeline.gone !== undefined) continue;
      timeline.gone = t;
      const pod = timeline.versions.at(-1)?.pod;
      if (pod) changes.push({ operation: 'DELETED', pod, statusChanged: false });
    }
    return changes;
  }

  /**
   * Returns the specs that a sync at `time` may have had, the most likely first. Several are possible because `/pods`
   * is only polled: a version may be older than the first answer that has it.
   */
  candidates(uid: string, time: number): readonly Pod[] {
    const versions = this.#pods.get(uid)?.versions ?? [];
    const index = versions.findLastIndex(({ from }) => from <= time);
    const current = versions[index];
    const next = versions[index + 1];
    const lastAnswer = this.#answers.findLast((at) => at <= time) ?? 0;
    const nextAnswer = this.#answers.find((at) => at > time);
    // A sync may already have had the next version if the first answer after the sync shows that version. If that
    // answer still shows the current version, the next version was created later.
    const mayBeNext = next && (nextAnswer === undefined || next.from <= nextAnswer || !current);
    // If an answer has only just shown a version, the pod worker may still have the previous version.
    const previous =
      current && current.from >= lastAnswer && time - current.from < 1_000 ? versions[index - 1] : undefined;
    return [current, mayBeNext ? next : undefined, previous].filter((each) => each !== undefined).map(({ pod }) => pod);
  }

  /**
   * Returns the time of the first answer after `time` that lacks the pod or shows its deletion; undefined if no answer
   * does.
   */
  terminationAfter(uid: string, time: number): number | undefined {
    const timeline = this.#pods.get(uid);
    if (!timeline) return undefined;
    const deleted = timeline.versions.find(({ pod }) => pod.metadata.deletionTimestamp !== undefined)?.from;
    const ends = [timeline.gone, deleted].filter((at) => at !== undefined);
    const end = Math.min(...ends);
    if (!Number.isFinite(end)) return undefined;
    // The termination may have happened right after the previous request, whose answer didn't show it yet. That request
    // was sent after the answer before it.
    const answers = this.#answers.filter((at) => at < end);
    const before = answers.at(-2) ?? answers[0] ?? end;
    return time >= before ? end : undefined;
  }

  /** Returns the status in the last answer before `time`. */
  statusAt(uid: string, time: number): PodStatus | undefined {
    return this.#pods.get(uid)?.statuses.findLast(({ from }) => from <= time)?.status;
  }

  /** Returns the statuses in the answers between two times. */
  statusesBetween(uid: string, from: number, to: number): readonly PodStatus[] {
    const within = this.#pods.get(uid)?.statuses.filter((each) => each.from > from && each.from <= to) ?? [];
    return within.flatMap(({ status }) => (status ? [status] : []));
  }

  /** The UIDs of the pods that are remembered. */
  get uids(): Iterable<string> {
    return this.#pods.keys();
  }

  /**
   * Returns the time of the first answer without a pod that an earlier answer had. Infinite for a pod that exists;
   * undefined for one that no answer had.
   */
  goneAt(uid: string): number | undefined {
    const timeline = this.#pods.get(uid);
    return timeline && (timeline.gone ?? Number.POSITIVE_INFINITY);
  }

  /** Forgets a pod. */
  forget(uid: string): void {
    this.#pods.delete(uid);
    this.#statuses.delete(uid);
  }

  /** Returns the newest object of a pod. */
  newest(uid: string): Pod | undefined {
    return this.#pods.get(uid)?.versions.at(-1)?.pod;
  }

  /** Returns the newest object of each pod that exists. */
  current(): readonly Pod[] {
    return [...this.#pods.values()].flatMap(({ versions, gone }) => {
      const pod = versions.at(-1)?.pod;
      return pod && gone === undefined ? [pod] : [];
    });
  }
}
