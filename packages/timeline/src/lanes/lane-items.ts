/** Collects the items of a lane that grows. An update reads and sorts only the new items and those that may change. */
import type { Item, Lane } from '../model.ts';
import { inOrder } from './arrange-lanes.ts';

const unchanged: ReadonlyMap<Item, Item> = new Map();

export class LaneItems {
  #items: Item[] = [];
  #settled = 0;

  /** The part of the lane that these items are. */
  get lane(): Pick<Lane, 'items' | 'settled'> {
    return { items: this.#items, settled: this.#settled };
  }

  /**
   * Adds items to the settled ones, and replaces the items that may still change with `open`. Items that belong before
   * known ones, and changes of settled items, create another array, at a cost proportional to the lane's length.
   * @param settled ordered by start
   * @param changed settled items that changed nevertheless, each with its successor
   */
  update(settled: readonly Item[], open: readonly Item[], changed: ReadonlyMap<Item, Item> = unchanged): void {
    this.#items.length = this.#settled;
    let isSorted = changed.size === 0;
    if (!isSorted) this.#items = this.#items.map((item) => changed.get(item) ?? item);
    let last = this.#items.at(-1)?.start ?? Number.NEGATIVE_INFINITY;
    for (const item of settled) {
      if (item.start < last) isSorted = false;
      last = item.start;
      this.#items.push(item);
    }
    if (!isSorted) this.#items = [...inOrder(this.#items)];
    this.#settled = this.#items.length;
    for (const item of inOrder(open)) this.#items.push(item);
  }
}
