/**
 * Stores the shadow engine's memory of each pod between syncs, and corrects it according to the kubelet's actual calls.
 */
import type { Container, Pod } from '@podscope/k8s';
import { kubeletProfiles } from '@podscope/kubelet';
import { Backoff, type BackoffEntry, type Status } from '@podscope/kuberuntime';
import { instant, VirtualClock } from '@podscope/trace';
import type { CallRecord } from '../inputs.ts';
import { numberAt, objectAt, textAt } from '../state/fields.ts';
import { containersOf } from '../state/probes.ts';
import type { Judged } from './judge.ts';
import type { SavedMemories } from './saved-memories.ts';
import { initialBackOff, noMemory, type ShadowInput, type ShadowMemory } from './shadow-run.ts';

export class ShadowMemories {
  readonly #pods = new Map<string, ShadowMemory>();
  /** UIDs of the pods for which the last sync found a terminal phase. The next sync terminates them. */
  readonly #terminal = new Set<string>();
  /** By pod, the newest attempt of each container at the end of the last computed sync. */
  readonly #attempts = new Map<string, ReadonlyMap<string, number>>();

  /** The UIDs of the pods that are remembered. */
  get uids(): Iterable<string> {
    return this.#pods.keys();
  }

  of(uid: string): ShadowMemory {
    return this.#pods.get(uid) ?? noMemory;
  }

  isTerminal(uid: string): boolean {
    return this.#terminal.has(uid);
  }

  /** Stores the shadow engine's memory of a pod after a sync. */
  store(input: ShadowInput, judged: Judged): void {
    const { uid } = input.pod.metadata;
    const { outcome } = judged;
    // A sync that was computed without the pod's sandboxes and containers says nothing about the kubelet's memory.
    if (judged.missing?.input === 'podStatus') return;
    if (outcome.isTerminal) this.#terminal.add(uid);
    // The shortest back-off that explains a sync is kept, because each later sync would otherwise depend on the same
    // assumption. It is never longer than the kubelet's back-off. The back-off of a pull has no such bound.
    const isAssumed = judged.missing?.input === 'stateBefore';
    const { imageBackOffs } = input.memory;
    const memory = isAssumed ? { ...outcome.memory, imageBackOffs } : outcome.memory;
    // Without a computed sync that matches the calls, the kubelet's memory can only be derived from the calls.
    const isComputed = judged.differences.length === 0;
    this.#pods.set(uid, isComputed ? memory : { ...memory, backOffs: corrected(input, judged) });
    this.#attempts.set(uid, newestAttempts(input));
  }

  /**
   * Returns the back-offs of a pod whose restarts were not all observed. Each restart doubles the back-off, and the
   * newest attempt shows the number of restarts.
   */
  backOffsAfterGap(
    pod: Pod,
    statuses: readonly Status[],
    keyOf: (pod: Pod, container: Container) => string,
    max: number,
  ): ReadonlyMap<string, BackoffEntry> {
    const { uid } = pod.metadata;
    const { backOffs } = this.of(uid);
    const known = this.#attempts.get(uid);
    if (!known) return backOffs;
    const entries = new Map(backOffs);
    for (const container of containersOf(pod)) {
      const newest = statuses.find(({ name }) => name === container.name);
      const missed = newest ? newest.restartCount - (known.get(container.name) ?? -1) : 0;
      // The first attempt of a container has no back-off.
      const restarts = known.has(container.name) ? missed : missed - 1;
      if (!newest || restarts <= 0) continue;
      const key = keyOf(pod, container);
      const backOff = new Backoff(new VirtualClock(instant(newest.createdAt)), { initial: initialBackOff, max });
      const before = entries.get(key);
      if (before) backOff.restore(key, before);
      for (let restart = 0; restart < restarts; restart++) backOff.next(key, instant(newest.createdAt));
      const entry = backOff.entries().get(key);
      if (entry) entries.set(key, entry);
    }
    return entries;
  }

  /**
   * Forgets what the kubelet had only in memory, because the kubelet restarted. The resources that the kubelet applied
   * are kept, because it stores them in a file.
   */
  kubeletRestarted(): void {
    for (const [uid, { actuated }] of this.#pods) this.#pods.set(uid, { ...noMemory, actuated });
    this.#terminal.clear();
  }

  /** Returns the memories as data, for a later process. */
  saved(): SavedMemories {
    return [...this.#pods].map(([uid, { backOffs, imageBackOffs, reasons, status, actuated }]) => ({
      uid,
      backOffs: [...backOffs],
      imageBackOffs: [...imageBackOffs],
      reasons: [...reasons],
      status: status ? { ...status } : undefined,
      attempts: [...(this.#attempts.get(uid) ?? [])],
      isTerminal: this.#terminal.has(uid),
      actuated: [...actuated],
    }));
  }

  /** Continues with the memories of an earlier process. */
  restore(saved: SavedMemories): void {
    for (const { uid, backOffs, imageBackOffs, reasons, status, attempts, isTerminal, actuated } of saved) {
      const maps = { backOffs: new Map(backOffs), imageBackOffs: new Map(imageBackOffs), reasons: new Map(reasons) };
      this.#pods.set(uid, { ...maps, status, actuated: new Map(actuated) });
      this.#attempts.set(uid, new Map(attempts));
      if (isTerminal) this.#terminal.add(uid);
    }
  }

  /** Forgets a pod. */
  forget(uid: string): void {
    this.#pods.delete(uid);
    this.#terminal.delete(uid);
    this.#attempts.delete(uid);
  }
}

/** Returns the newest attempt of each container after a sync. */
function newestAttempts({ podStatus, calls }: ShadowInput): ReadonlyMap<string, number> {
  const attempts = new Map<string, number>();
  const apply = (name: string, attempt: number): void => {
    attempts.set(name, Math.max(attempt, attempts.get(name) ?? 0));
  };
  for (const { name, restartCount } of podStatus.containerStatuses) apply(name, restartCount);
  for (const { method, request } of calls) {
    const metadata = objectAt(request, 'config', 'metadata');
    if (method === 'CreateContainer') apply(textAt(metadata, 'name'), numberAt(metadata, 'attempt'));
  }
  return attempts;
}

const creates = (calls: readonly CallRecord[], container: string): CallRecord | undefined =>
  calls.find(
    ({ method, request }) =>
      method === 'CreateContainer' && textAt(request, 'config', 'metadata', 'name') === container,
  );

/**
 * Returns the back-offs after correcting those that contradict the kubelet's calls. The kubelet sets a back-off when it
 * starts an exited container, and at no other time.
 */
function corrected(input: ShadowInput, { outcome }: Judged): ReadonlyMap<string, BackoffEntry> {
  const entries = new Map(outcome.memory.backOffs);
  const { backOffKey } = kubeletProfiles[input.profile].runtime;
  for (const container of containersOf(input.pod)) {
    const key = backOffKey(input.pod, container);
    const before = input.memory.backOffs.get(key);
    const exited = input.podStatus.containerStatuses.find(
      ({ name, state }) => name === container.name && state === 'exited',
    );
    const call = creates(input.calls, container.name);
    const armed = entries.get(key) !== before;
    if (!call && armed) {
      if (before) entries.set(key, before);
      else entries.delete(key);
    } else if (call && !armed && exited?.finishedAt !== undefined) {
      const entry = nextEntry(input, atMost(before, call.t - exited.finishedAt), key, call.t, exited.finishedAt);
      if (entry) entries.set(key, entry);
    }
  }
  return entries;
}

/**
 * Returns a back-off that the kubelet may have had although it started the container after `elapsed` milliseconds: the
 * longest one that had passed.
 */
function atMost(entry: BackoffEntry | undefined, elapsed: number): BackoffEntry | undefined {
  if (!entry || entry.backoff <= elapsed) return entry;
  let backoff = initialBackOff;
  if (backoff > elapsed) return undefined;
  while (backoff * 2 <= elapsed) backoff *= 2;
  return { ...entry, backoff };
}

function nextEntry(
  { maxRestartPeriod }: ShadowInput,
  before: BackoffEntry | undefined,
  key: string,
  at: number,
  finishedAt: number,
): BackoffEntry | undefined {
  const backOff = new Backoff(new VirtualClock(instant(at)), { initial: initialBackOff, max: maxRestartPeriod });
  if (before) backOff.restore(key, before);
  backOff.next(key, instant(finishedAt));
  return backOff.entries().get(key);
}

/** Returns the pod without its status. The kubelet's syncs don't read the status from the kubelet's own answers. */
export const withoutStatus = ({ status: _status, ...pod }: Pod): Pod => pod;
