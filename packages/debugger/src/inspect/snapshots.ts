/** Records the values of a frame at a stop, and compares them with the values at the next stop. */
import type { StringPlace } from '../host.ts';
import { formatValue, isExpandable, type Mask, membersOf } from './format-value.ts';
import type { FrameScope } from './frame-scopes.ts';

/** Maximum number of values per stop. */
const maxValues = 4_000;
const maxDepth = 7;
/** Maximum number of changes per comparison. */
const maxChanges = 200;

export interface Change {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** The values of a frame that have no members, as text by path. */
export class Snapshot {
  readonly stop: number;
  readonly #leaves = new Map<string, string>();
  readonly #mask: Mask;

  constructor(stop: number, scopes: Iterable<FrameScope>, mask: Mask) {
    this.stop = stop;
    this.#mask = mask;
    for (const { name, value } of scopes) this.#remember(name, value, maxDepth);
  }

  #remember(path: string, value: unknown, depth: number, place?: StringPlace): void {
    if (this.#leaves.size >= maxValues) return;
    if (depth > 0 && isExpandable(value)) {
      const within = path.slice(path.lastIndexOf('/') + 1);
      for (const { name, value: member } of membersOf(value))
        this.#remember(`${path}/${name}`, member, depth - 1, { name, holder: value, within });
    } else this.#leaves.set(path, formatValue(value, this.#mask, 200, place));
  }

  /**
   * Returns true if the snapshot's value at this path differs from `value`. A path that the snapshot lacks doesn't
   * count as changed.
   */
  differs(path: string, value: unknown, place?: StringPlace): boolean {
    if (isExpandable(value)) return false;
    const before = this.#leaves.get(path);
    return before !== undefined && before !== formatValue(value, this.#mask, 200, place);
  }

  /** Returns the differences to a later snapshot. */
  changesTo(later: Snapshot): { readonly changes: readonly Change[]; readonly truncated: boolean } {
    const changes: Change[] = [];
    const scopes = new Set([...this.#leaves.keys()].map(scopeOfPath));
    for (const [path, after] of later.#leaves) {
      const before = this.#leaves.get(path);
      // Skip a scope that only one of the snapshots has: the stops are then at different places in the flow, so this
      // isn't a change.
      if (before !== after && scopes.has(scopeOfPath(path))) changes.push({ path, before, after });
    }
    const laterScopes = new Set([...later.#leaves.keys()].map(scopeOfPath));
    for (const [path, before] of this.#leaves)
      if (!later.#leaves.has(path) && laterScopes.has(scopeOfPath(path))) changes.push({ path, before });
    return {
      changes: changes.slice(0, maxChanges),
      truncated: changes.length > maxChanges || later.#leaves.size >= maxValues,
    };
  }
}

const scopeOfPath = (path: string): string => path.split('/', 1)[0] ?? path;
