/** Flattens the tree of a sync into its visible rows. */
import type { Preferences } from '../../base/preferences/preferences.ts';
import type { StepNode } from './step-tree.ts';

/** Levels of the tree, from the outermost to the innermost. Rows down to the chosen level are initially visible. */
export const stepDepths = ['kubelet', 'kuberuntime', 'functions', 'cri', 'all'] as const satisfies readonly StepDepth[];
export type StepDepth = Preferences['stepDepth'];

/** One row of the tree. */
export interface StepRow {
  readonly node: StepNode;
  /** The depth in the tree, as in `aria-level`: 1 for a root. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Index of the parent's row; −1 for a root. */
  readonly parent: number;
  /** Undefined for a row without children. */
  readonly isOpen: boolean | undefined;
}

export interface RowOptions {
  readonly depth: StepDepth;
  /** Hides steps that weren't needed or weren't reached. */
  readonly hideNotRun: boolean;
  /** Keys that the user opened (true) or closed (false). */
  readonly toggled: ReadonlyMap<string, boolean>;
}

/** The level from which steps of a kind are visible. */
const depthOfKind: Readonly<Record<string, StepDepth>> = {
  loop: 'kubelet',
  worker: 'kubelet',
  kubeletStep: 'kubelet',
  sync: 'kuberuntime',
  syncStep: 'kuberuntime',
  function: 'functions',
  hook: 'functions',
  decision: 'functions',
  cri: 'cri',
  criStep: 'all',
  docker: 'all',
  cni: 'all',
};

const depthOf = ({ kind, point }: StepNode): number =>
  // Distinguish the pod worker's functions from the runtime manager's functions, which have the same kind.
  stepDepths.indexOf(kind === 'function' && point.startsWith('kubelet.') ? 'kubelet' : (depthOfKind[kind] ?? 'all'));

const isUnneeded = ({ state }: StepNode): boolean => state === 'skipped' || state === 'unreached';

/** Returns true if the step is initially open. Steps that weren't needed are initially closed. */
function opensByItself(node: StepNode, depth: StepDepth, isOnPath: boolean): boolean {
  if (isOnPath) return true;
  if (isUnneeded(node)) return false;
  const deepest = stepDepths.indexOf(depth);
  return node.children.some((child) => depthOf(child) <= deepest);
}

/**
 * Returns the visible rows of a tree, in order.
 * @param path spans that are open at any level: the ancestors of the stop and of the selection
 */
export function stepRows(roots: readonly StepNode[], path: ReadonlySet<number>, options: RowOptions): StepRow[] {
  const rows: StepRow[] = [];
  const add = (nodes: readonly StepNode[], level: number, parent: number): void => {
    const shown = options.hideNotRun ? nodes.filter((node) => !isUnneeded(node)) : nodes;
    for (const [index, node] of shown.entries()) {
      const hasChildren = options.hideNotRun ? !node.children.every(isUnneeded) : node.hasChildren;
      const isOnPath = node.span !== undefined && path.has(node.span.id);
      const isOpen = hasChildren && (options.toggled.get(node.key) ?? opensByItself(node, options.depth, isOnPath));
      const at = rows.length;
      rows.push({
        node,
        level,
        position: index + 1,
        siblings: shown.length,
        parent,
        isOpen: hasChildren ? isOpen : undefined,
      });
      if (isOpen) add(node.children, level + 1, at);
    }
  };
  add(roots, 1, -1);
  return rows;
}
