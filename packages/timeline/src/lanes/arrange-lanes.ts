/** Determines the order of a pod's lanes, hides some of them, and draws healthy containers as one lane. */
import { type Item, isTrouble, type Lane, type LaneKind } from '../model.ts';
import type { TimelineWords } from '../words/words.ts';

export const laneOrders = ['spec', 'trouble', 'name', 'manual'] as const;
export type LaneOrder = (typeof laneOrders)[number];

export interface LaneArrangement {
  /** Whether the healthy containers are drawn as one lane. */
  readonly collapses: boolean;
  /**
   * `spec`: as the pod lists them. `trouble`: unhealthy containers first. `manual`: all lanes as in
   * {@link LaneArrangement.sequence}.
   */
  readonly order: LaneOrder;
  /** Ids of lanes in the order that the user chose. Lanes that aren't listed keep their place. */
  readonly sequence?: readonly string[];
  /** Ids of lanes at the top. */
  readonly pinned: ReadonlySet<string>;
  /** Ids of lanes that aren't drawn. */
  readonly hidden: ReadonlySet<string>;
  /** The lane that the page points at. It is never collapsed or hidden. */
  readonly shown?: string | undefined;
}

/** A lane with the lanes that belong to it, such as the probes of a container. */
interface Block {
  readonly lanes: readonly Lane[];
  readonly lane: Lane;
}

const containerKinds: ReadonlySet<LaneKind> = new Set(['init', 'sidecar', 'container', 'ephemeral']);

/** Returns true for lanes of containers. */
export const isContainerLane = ({ kind }: Pick<Lane, 'kind'>): boolean => containerKinds.has(kind);

/** How many of the newest probes decide whether a container is healthy. */
const newestProbes = 8;

const health = new WeakMap<Lane, boolean>();

/**
 * Returns true for the lane of a container that is running or has completed, without failures. The result is cached per
 * lane object.
 */
function isHealthyLane(lane: Lane): boolean {
  const known = health.get(lane);
  if (known !== undefined) return known;
  const last = lane.items.findLast(({ row }) => row === 0);
  const isHealthy =
    lane.kind === 'probes'
      ? !lane.markers.slice(-newestProbes).some(isTrouble)
      : (last?.state === 'running' || last?.state === 'succeeded') &&
        !lane.items.some(({ failed, state }) => failed || state === 'error');
  health.set(lane, isHealthy);
  return isHealthy;
}

const isHealthy = ({ lane, lanes }: Block): boolean => isContainerLane(lane) && lanes.every(isHealthyLane);

function blocksOf(lanes: readonly Lane[]): readonly Block[] {
  const blocks: { readonly lane: Lane; readonly lanes: Lane[] }[] = [];
  for (const lane of lanes) {
    if (lane.kind === 'probes') blocks.at(-1)?.lanes.push(lane);
    else blocks.push({ lane, lanes: [lane] });
  }
  return blocks;
}

/**
 * Returns the items in the first row of each lane. Each lane gets a thin row, and its name is the label of its items.
 */
export function thinRows(lanes: readonly Lane[], firstRow: number): readonly Item[] {
  return lanes.flatMap((lane, at) =>
    lane.items.flatMap((item) =>
      item.row === 0 ? { ...item, row: firstRow + at, label: `${lane.label}: ${item.label}`, curve: undefined } : [],
    ),
  );
}

export const inOrder = (items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => a.start - b.start || a.row - b.row);

/**
 * Returns whether the healthy containers of a pod are drawn as one lane by default. They aren't if the pod has only a
 * few lanes.
 */
export const collapsesByDefault = (lanes: readonly Lane[]): boolean => lanes.filter(isContainerLane).length > 6;

/** Sorts the listed lanes among their own places. All others keep their place. */
function inSequence(blocks: readonly Block[], sequence: readonly string[]): readonly Block[] {
  const placeOf = ({ lane }: Block): number => sequence.indexOf(lane.id);
  const listed = blocks.filter((block) => placeOf(block) >= 0).toSorted((a, b) => placeOf(a) - placeOf(b));
  let next = 0;
  return blocks.map((block) => (placeOf(block) < 0 ? block : (listed[next++] ?? block)));
}

/** Arranges the lanes of one pod. The collapsed lane stays the same object until one of its lanes changes. */
export class LaneArranger {
  readonly #words: TimelineWords;
  #collapsed: { readonly of: readonly Lane[]; readonly lane: Lane } | undefined;

  constructor(words: TimelineWords) {
    this.#words = words;
  }

  /** Returns the lanes to draw. */
  arrange(lanes: readonly Lane[], arrangement: LaneArrangement): readonly Lane[] {
    const { collapses, order, sequence = [], pinned, hidden, shown } = arrangement;
    const blocks = blocksOf(lanes).filter(({ lane }) => !hidden.has(lane.id) || lane.id === shown);
    const containers = blocks.filter(({ lane }) => isContainerLane(lane) && !pinned.has(lane.id));
    const isCollapsible = (block: Block): boolean => block.lane.id !== shown && isHealthy(block);
    const healthy = collapses ? containers.filter(isCollapsible) : [];
    // A single collapsed lane needs as much room as an expanded one, so lanes are collapsed only if there are several.
    const together = healthy.length > 1 ? new Set(healthy) : new Set<Block>();
    const apart = containers.filter((block) => !together.has(block));
    const ordered =
      order === 'name'
        ? apart.toSorted((a, b) => a.lane.label.localeCompare(b.lane.label, 'en', { numeric: true }))
        : order === 'trouble'
          ? apart.toSorted((a, b) => Number(isHealthy(a)) - Number(isHealthy(b)))
          : apart;
    const above = blocks.filter(({ lane }) => pinned.has(lane.id));
    const rest = blocks.filter(({ lane }) => !pinned.has(lane.id) && !isContainerLane(lane));
    const at = rest.findIndex(({ lane }) => lane.kind === 'sandbox') + 1;
    const collapsed = together.size > 0 ? [this.#collapse([...together].map(({ lane }) => lane))] : [];
    const below = [
      ...rest.slice(0, at),
      ...ordered,
      ...collapsed.map((lane): Block => ({ lane, lanes: [lane] })),
      ...rest.slice(at),
    ];
    return [...above, ...(order === 'manual' ? inSequence(below, sequence) : below)].flatMap((block) => block.lanes);
  }

  #collapse(lanes: readonly Lane[]): Lane {
    const known = this.#collapsed;
    if (known && known.of.length === lanes.length && known.of.every((lane, at) => lane === lanes[at]))
      return known.lane;
    const { lanes: texts } = this.#words;
    const lane: Lane = {
      id: `${lanes[0]?.id}/collapsed`,
      kind: 'collapsed',
      label: texts.healthy(lanes.length),
      note: texts.expand,
      group: lanes[0]?.group,
      rows: lanes.length,
      items: inOrder(thinRows(lanes, 0)),
      markers: [],
      settled: 0,
    };
    this.#collapsed = { of: lanes, lane };
    return lane;
  }
}
