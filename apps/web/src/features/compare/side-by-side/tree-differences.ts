/** Finds the steps in which the trees of two syncs differ. */
import type { StepNode } from '../../../node/syncs/step-tree.ts';

/** How a step of one tree differs from the same step of the other. */
export type TreeDifference =
  /** Only this tree has the step, because the other release or runtime doesn't have it. */
  | { readonly kind: 'only' }
  /** The step has the state `other` in the other tree. */
  | { readonly kind: 'state'; readonly other: StepNode['state'] }
  | { readonly kind: 'slower' };

/**
 * A step counts as slower if it takes at least this many times as long, and at least {@link leastMilliseconds} longer.
 */
const factor = 1.5;
/** Minimum difference in milliseconds for a step that counts as slower. */
const leastMilliseconds = 100;

const durationOf = ({ span }: StepNode): number | undefined =>
  span?.end === undefined ? undefined : span.end - span.start;

function isSlower(node: StepNode, other: StepNode): boolean {
  const [mine, theirs] = [durationOf(node), durationOf(other)];
  return mine !== undefined && theirs !== undefined && mine - theirs >= leastMilliseconds && mine >= theirs * factor;
}

/** Returns the steps of a tree by key. Steps below a step that didn't run are omitted, because they aren't compared. */
function stepsByKey(roots: readonly StepNode[]): ReadonlyMap<string, StepNode> {
  const found = new Map<string, StepNode>();
  const visit = (nodes: readonly StepNode[]): void => {
    for (const node of nodes) {
      found.set(node.key, node);
      if (node.span) visit(node.children);
    }
  };
  visit(roots);
  return found;
}

/** Returns how the steps of `roots` differ from those of `others`, by key. Steps are matched by key, not by time. */
export function treeDifferences(
  roots: readonly StepNode[],
  others: readonly StepNode[],
): ReadonlyMap<string, TreeDifference> {
  const theirs = stepsByKey(others);
  const differences = new Map<string, TreeDifference>();
  const differ = (node: StepNode, isParentOnly: boolean): void => {
    const other = theirs.get(node.key);
    // If only one tree has a step, only the step itself is marked, because everything below it also exists in one tree
    // only.
    if (!other && !isParentOnly) differences.set(node.key, { kind: 'only' });
    else if (other && other.state !== node.state) differences.set(node.key, { kind: 'state', other: other.state });
    else if (other && isSlower(node, other)) differences.set(node.key, { kind: 'slower' });
    const isOwn = !other || (node.span !== undefined && !other.span);
    if (node.span) for (const child of node.children) differ(child, isOwn);
  };
  for (const node of roots) differ(node, false);
  return differences;
}
