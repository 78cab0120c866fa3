/** Builds the lane of a container's probes: a row per type, a mark per attempt. Reads finished attempts only once. */

import { type PodTrack, type ProbeRecord, sourceOf } from '@podscope/trace';
import { itemId } from '../items/item-id.ts';
import type { Item, Lane, Marker } from '../model.ts';
import type { TimelineWords } from '../words/words.ts';

const order: readonly ProbeRecord['type'][] = ['startup', 'readiness', 'liveness'];

const kinds: Readonly<Record<NonNullable<ProbeRecord['result']>, Marker['kind']>> = {
  success: 'probeSuccess',
  warning: 'probeWarning',
  failure: 'probeFailure',
  error: 'probeError',
  missed: 'probeMissed',
  canceled: 'probeMissed',
};

/** Maximum length of a probe's output, which can be any text. */
const mostOutput = 400;

const specFields: readonly (readonly [ProbeRecord['type'], string])[] = [
  ['startup', 'startupProbe'],
  ['readiness', 'readinessProbe'],
  ['liveness', 'livenessProbe'],
];

/** Returns the probe types that the pod's spec declares, by container. */
function specified(pod: PodTrack): ReadonlyMap<string, ReadonlySet<ProbeRecord['type']>> {
  const spec = pod.object?.['spec'] as Readonly<Record<string, unknown>> | undefined;
  const found = new Map<string, ReadonlySet<ProbeRecord['type']>>();
  for (const field of ['initContainers', 'containers']) {
    const containers = spec?.[field];
    if (!Array.isArray(containers)) continue;
    for (const container of containers as readonly Readonly<Record<string, unknown>>[]) {
      const types = specFields.flatMap(([type, name]) => (container[name] ? [type] : []));
      if (types.length > 0) found.set(String(container['name']), new Set(types));
    }
  }
  return found;
}

/** The lane of one container. */
class ProbesLane {
  readonly #words: TimelineWords;
  readonly #container: string;
  readonly #rows: readonly ProbeRecord['type'][];
  readonly #markers: Marker[] = [];
  #failed = 0;

  constructor(container: string, types: ReadonlySet<ProbeRecord['type']>, words: TimelineWords) {
    this.#container = container;
    this.#rows = order.filter((type) => types.has(type));
    this.#words = words;
  }

  add(probe: ProbeRecord): void {
    const { result = 'canceled', span, start, end = start, type, output, injected } = probe;
    const { types, results } = this.#words.probes;
    const said = output.slice(0, mostOutput).trim();
    if (result !== 'success') this.#failed++;
    this.#markers.push({
      id: itemId({ kind: 'span', span }),
      time: end,
      from: start,
      row: Math.max(0, this.#rows.indexOf(type)),
      kind: kinds[result],
      label: `${types[type]}: ${results[result]}`,
      detail: [said, injected && `(${this.#words.injected})`].filter(Boolean).join(' ') || undefined,
      span,
      ...sourceOf(probe),
    });
  }

  lane(pod: PodTrack, open: readonly ProbeRecord[], group: string | undefined): Lane {
    const { lanes, probes } = this.#words;
    const items = open.map(
      ({ span, start, type, ...probe }): Item => ({
        ...sourceOf(probe),
        id: itemId({ kind: 'span', span }),
        start,
        end: undefined,
        row: Math.max(0, this.#rows.indexOf(type)),
        state: 'probe',
        label: probes.types[type],
        span,
      }),
    );
    return {
      id: `${pod.uid}/${this.#container}/probes`,
      kind: 'probes',
      label: lanes.probes(this.#container),
      note: this.#failed > 0 ? lanes.failedOf(this.#failed, this.#markers.length) : undefined,
      group,
      rows: this.#rows.length,
      rowLabels: this.#rows.map((type) => probes.types[type]),
      items,
      markers: this.#markers,
      settled: 0,
    };
  }
}

/** Builds the probe lanes of all containers of a pod. */
export class ProbeLanes {
  readonly #words: TimelineWords;
  #lanes = new Map<string, ProbesLane>();
  #types = '';
  #read = 0;
  /** Indexes of the attempts that were running at the last update. */
  #open: number[] = [];

  constructor(words: TimelineWords) {
    this.#words = words;
  }

  lanes(pod: PodTrack, group: string | undefined): ReadonlyMap<string, Lane> {
    this.#prepare(pod);
    const pending = [...this.#open];
    for (; this.#read < pod.probes.length; this.#read++) pending.push(this.#read);
    this.#open = [];
    for (const at of pending) {
      const probe = pod.probes[at];
      if (probe?.end === undefined) this.#open.push(at);
      else this.#lanes.get(probe.container)?.add(probe);
    }
    const open = this.#open.flatMap((at) => pod.probes[at] ?? []);
    return new Map(
      [...this.#lanes].map(([container, lane]) => [
        container,
        lane.lane(
          pod,
          open.filter((probe) => probe.container === container),
          group,
        ),
      ]),
    );
  }

  /**
   * Creates the lanes of the probes in the spec. If the log begins without the spec, creates the lanes of the probes
   * that have attempts.
   */
  #prepare(pod: PodTrack): void {
    const types = new Map([...specified(pod)].map(([name, found]) => [name, new Set(found)]));
    for (let at = this.#read; at < pod.probes.length; at++) {
      const { container, type } = pod.probes[at] as ProbeRecord;
      const known = types.get(container) ?? new Set();
      types.set(container, known.add(type));
    }
    const key = JSON.stringify([...types].map(([name, found]) => [name, ...found]));
    if (key === this.#types || (types.size === 0 && this.#lanes.size > 0)) return;
    this.#types = key;
    this.#lanes = new Map([...types].map(([name, found]) => [name, new ProbesLane(name, found, this.#words)]));
    this.#read = 0;
    this.#open = [];
  }
}
