/**
 * Stores what the shadow engine remembers of each pod between syncs, and corrects it according to the kubelet's actual
 * calls.
 */
import type { Pod } from '@podscope/k8s';
import { kubeletProfiles } from '@podscope/kubelet';
import { Backoff, type BackoffEntry } from '@podscope/kuberuntime';
import { instant, VirtualClock } from '@podscope/trace';
import type { CallRecord } from '../inputs.ts';
import { textAt } from '../state/fields.ts';
import { containersOf } from '../state/probes.ts';
import type { Judged } from './judge.ts';
import { noMemory, type ShadowInput, type ShadowMemory } from './shadow-run.ts';

export class ShadowMemories {
  readonly #pods = new Map<string, ShadowMemory>();
  /** UIDs of the pods for which the last sync found a terminal phase. The next sync terminates them. */
  readonly #terminal = new Set<string>();

  of(uid: string): ShadowMemory {
    return this.#pods.get(uid) ?? noMemory;
  }

  isTerminal(uid: string): boolean {
    return this.#terminal.has(uid);
  }

  /** Stores the memory after a sync. */
  store(input: ShadowInput, judged: Judged): void {
    const { uid } = input.pod.metadata;
    const { outcome, verdict } = judged;
    if (outcome.isTerminal) this.#terminal.add(uid);
    // Don't store a back-off that was only assumed to explain this sync, so that later syncs don't depend on the
    // assumption.
    const isAssumed = judged.missing?.input === 'stateBefore';
    const { backOffs, imageBackOffs } = input.memory;
    const memory = isAssumed ? { ...outcome.memory, backOffs, imageBackOffs } : outcome.memory;
    this.#pods.set(uid, verdict === 'differs' ? { ...memory, backOffs: corrected(input, judged) } : memory);
  }

  forget(uid: string): void {
    this.#pods.delete(uid);
    this.#terminal.delete(uid);
  }
}

const creates = (calls: readonly CallRecord[], container: string): CallRecord | undefined =>
  calls.find(
    ({ method, request }) =>
      method === 'CreateContainer' && textAt(request, 'config', 'metadata', 'name') === container,
  );

/**
 * Returns the back-offs unchanged if they match the kubelet's calls: it sets a back-off with each start of an exited
 * container, and no other.
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
      const entry = nextEntry(input, before, key, call.t, exited.finishedAt);
      if (entry) entries.set(key, entry);
    }
  }
  return entries;
}

function nextEntry(
  { maxRestartPeriod }: ShadowInput,
  before: BackoffEntry | undefined,
  key: string,
  at: number,
  finishedAt: number,
): BackoffEntry | undefined {
  const backOff = new Backoff(new VirtualClock(instant(at)), { initial: 10_000, max: maxRestartPeriod });
  if (before) backOff.restore(key, before);
  backOff.next(key, instant(finishedAt));
  return backOff.entries().get(key);
}

/** Returns the pod without its status. The kubelet's syncs don't read the status from the kubelet's own answers. */
export const withoutStatus = ({ status: _status, ...pod }: Pod): Pod => pod;
