/**
 * Matches ExecSync calls with the probes and hooks of the pod's spec, and derives probe results from their exit codes.
 * Upstream: prober worker (v1.36).
 */
import type { Container, Pod } from '@podscope/k8s';
import type { ProbeResult } from '@podscope/kuberuntime';
import type { CallMessage } from '../inputs.ts';
import type { SavedProbes } from '../shadow/saved-memories.ts';
import { numberAt, textsAt } from './fields.ts';
import { ProbeCounts } from './probe-counts.ts';

export type ProbeKind = 'startup' | 'readiness' | 'liveness';

/** The purpose of an ExecSync call: a probe or a hook. */
export type ExecPurpose =
  | { readonly kind: 'probe'; readonly probe: ProbeKind; readonly container: string }
  | { readonly kind: 'hook'; readonly hook: 'postStart' | 'preStop'; readonly container: string }
  | { readonly kind: 'other' };

const probeKinds: readonly ProbeKind[] = ['startup', 'liveness', 'readiness'];

const commandOf = (command: readonly string[] | undefined): string => (command ?? []).join('\u0000');

export const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
];

/**
 * Returns the purpose of an ExecSync in a container. An ExecSync with a timeout is a probe, because a hook has no
 * timeout.
 */
export function purposeOf(pod: Pod | undefined, container: string, request: CallMessage | undefined): ExecPurpose {
  const spec = pod && containersOf(pod).find(({ name }) => name === container);
  if (!spec) return { kind: 'other' };
  const command = commandOf(textsAt(request, 'cmd'));
  const timeout = numberAt(request, 'timeout');
  if (timeout === 0) {
    for (const hook of ['postStart', 'preStop'] as const)
      if (commandOf(spec.lifecycle?.[hook]?.exec?.command) === command) return { kind: 'hook', hook, container };
    return { kind: 'other' };
  }
  const withExec = probeKinds.filter((kind) => spec[`${kind}Probe`]?.exec);
  const same = withExec.filter((kind) => commandOf(spec[`${kind}Probe`]?.exec?.command) === command);
  const timed = same.filter((kind) => (spec[`${kind}Probe`]?.timeoutSeconds ?? 1) === timeout);
  // A command with references to variables differs from the command in the spec, because the kubelet has expanded them.
  const [probe] = timed.length > 0 ? timed : same.length > 0 ? same : withExec.length === 1 ? withExec : [];
  return probe ? { kind: 'probe', probe, container } : { kind: 'other' };
}

interface Streak {
  last: boolean;
  count: number;
}

interface Change {
  readonly at: number;
  readonly id: string;
  readonly kind: ProbeKind;
  readonly result: ProbeResult;
}

/** Derives the results of exec probes. */
export class ProbeTracker {
  /** The attempts of all probes, if the kubelet's metrics are read. */
  readonly counts = new ProbeCounts();
  readonly #streaks = new Map<string, Streak>();
  readonly #changes: Change[] = [];

  /** Applies an attempt of a probe in a container. */
  attempt(at: number, id: string, kind: ProbeKind, container: Container, success: boolean): void {
    const probe = container[`${kind}Probe`];
    const key = `${kind}/${id}`;
    const streak = this.#streaks.get(key) ?? { last: success, count: 0 };
    streak.count = streak.last === success ? streak.count + 1 : 1;
    streak.last = success;
    this.#streaks.set(key, streak);
    const needed = success ? (probe?.successThreshold ?? 1) : (probe?.failureThreshold ?? 3);
    if (streak.count >= needed) this.#changes.push({ at, id, kind, result: success ? 'success' : 'failure' });
    if (this.#changes.length > 20_000) this.#changes.splice(0, 10_000);
  }

  /** Stores a probe result that the pod's status shows. */
  shown(at: number, id: string, kind: ProbeKind, result: ProbeResult): void {
    const known = this.#changes.findLast((each) => each.id === id && each.kind === kind)?.result;
    if (known !== result) this.#changes.push({ at, id, kind, result });
  }

  /** Returns the probes of the given containers as data, for a later process. */
  saved(ids: ReadonlySet<string>): SavedProbes {
    return [...ids].flatMap((id) =>
      probeKinds.flatMap((kind) => {
        const streak = this.#streaks.get(`${kind}/${id}`);
        const result = this.#changes.findLast((each) => each.id === id && each.kind === kind)?.result;
        return streak || result ? [{ id, kind, ...(streak ? { streak: { ...streak } } : {}), result }] : [];
      }),
    );
  }

  /** Continues with the probes of an earlier process. */
  restore(at: number, saved: SavedProbes): void {
    for (const { id, kind, streak, result } of saved) {
      if (streak) this.#streaks.set(`${kind}/${id}`, { ...streak });
      if (result) this.#changes.push({ at, id, kind, result });
    }
  }

  /** Forgets the probes of the given containers. */
  forget(ids: ReadonlySet<string>): void {
    for (const id of ids) for (const kind of probeKinds) this.#streaks.delete(`${kind}/${id}`);
    const kept = this.#changes.filter(({ id }) => !ids.has(id));
    this.#changes.splice(0, this.#changes.length, ...kept);
  }

  /** Returns the results that are valid at a given time, by container id. */
  at(kind: ProbeKind, time: number): ReadonlyMap<string, ProbeResult> {
    return new Map(
      this.#changes.filter((each) => each.kind === kind && each.at <= time).map(({ id, result }) => [id, result]),
    );
  }
}
