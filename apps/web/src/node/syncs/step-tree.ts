/**
 * Builds the tree of a sync's steps. It combines the levels of the flow, which also contain steps that didn't run, with
 * the spans of the log, which show the steps that did.
 */

import { type FlowNode, type FlowOptions, flowTree, gatesOfSteps, stepsBelow, stepText } from '@podscope/flow';
import type { NodeInfo } from '@podscope/protocol';
import {
  type DecisionRecord,
  type PodTrack,
  type SpanRecord,
  type SyncRecord,
  type SyncResultRecord,
  textAt,
} from '@podscope/trace';
import { predictedCalls } from './predicted-calls.ts';
import { causesOf, type SpanOf } from './sync-in-view.ts';
import { isBackOff, verdictOf } from './verdict.ts';

/**
 * `waiting`: a back-off delays the work, or the step waits for volumes or a newer status. `skipped`: the sync didn't
 * need it. `pending`: it may still run. `unreached`: the sync failed before it, or no sync runs for the pod.
 * `undecidable`: the shadow engine's step needs a call that the genuine kubelet did not make, and an input that decides
 * about this call is missing.
 */
export type StepState =
  | 'done'
  | 'failed'
  | 'waiting'
  | 'canceled'
  | 'running'
  | 'stopped'
  | 'skipped'
  | 'pending'
  | 'unreached'
  | 'undecidable';

/** One step of a sync. */
export interface StepNode {
  /**
   * The point ids from the root to the step, with a number for repeated steps. The key of a step is the same in every
   * sync and run.
   */
  readonly key: string;
  /** Id of the point. */
  readonly point: string;
  readonly kind: string;
  /** Number of the step in its level; undefined if the steps of the level aren't numbered. */
  readonly number: number | undefined;
  /** English title and description of the step, or the recorded title of an unknown one. */
  readonly title: string;
  readonly description: string;
  readonly state: StepState;
  /** The span of the step; undefined if the step didn't run. */
  readonly span: SpanRecord | undefined;
  /** The decisive decision of the step. If the step itself is a decision, that decision. */
  readonly decision: DecisionRecord | undefined;
  /** The missing input, if the step is undecidable. */
  readonly missing: string | undefined;
  /** The results that this step reported. For a step of SyncPod, also those that the steps below it reported. */
  readonly results: readonly SyncResultRecord[];
  readonly hasChildren: boolean;
  /** The steps below this step. They are computed when they are first read, because most steps stay closed. */
  readonly children: readonly StepNode[];
}

/** Kinds and points of spans that wait for a condition while they are open. */
const waits: ReadonlySet<string> = new Set([
  'kubelet.getNewerThan',
  'kubelet.syncPod.waitForVolumes',
  'kubelet.syncTerminatedPod.waitForUnmount',
]);

/** The worker's function for each type of work in v1.36. */
const functionOfWork: Readonly<Record<string, string>> = {
  sync: 'kubelet.SyncPod',
  terminating: 'kubelet.SyncTerminatingPod',
  terminated: 'kubelet.SyncTerminatedPod',
};

/** Returns true for a function of the worker. One sync calls one of them. */
const isWorkerFunction = ({ level, kind }: FlowNode): boolean =>
  level.startsWith('podWorkerCalls') && kind === 'function';

/** Returns the options that determine the flow of a node. */
export function flowOptionsOf(node: Pick<NodeInfo, 'profile' | 'runtime' | 'steps'>): FlowOptions {
  const runtimes = { docker: 'docker', sim: 'simulated', cri: 'remote' } as const;
  return {
    release: node.profile === 'v1.20' ? 'v1.20' : 'v1.36',
    runtime: runtimes[node.runtime.kind],
    gates: gatesOfSteps(new Set(node.steps.map(({ id }) => id))),
  };
}

const knownSteps = new WeakMap<FlowOptions, Map<string, readonly FlowNode[]>>();

/** Returns the steps below a point. They are computed once per flow. */
function stepsIn(flow: FlowOptions, id: string): readonly FlowNode[] {
  let known = knownSteps.get(flow);
  if (!known) knownSteps.set(flow, (known = new Map()));
  let steps = known.get(id);
  if (!steps) known.set(id, (steps = stepsBelow(id, flow)));
  return steps;
}

interface Undecided {
  readonly spans: ReadonlySet<number>;
  readonly missing: string;
}

/**
 * Returns what can't be decided in a genuine kubelet's sync: the shadow engine's calls that the kubelet did not make,
 * with the steps around them. Returns undefined if the sync's verdict is not `unknown`.
 */
function undecidedIn(root: SpanRecord, spanOf: SpanOf): Undecided | undefined {
  const { endAttributes } = root;
  if (textAt(endAttributes, 'verdict') !== 'unknown') return undefined;
  const spans = new Set<number>();
  const visit = (span: SpanRecord): boolean => {
    const { point, outcome, attributes } = span;
    const isCall = point.startsWith('shadow.') && outcome === 'error' && attributes['followedBy'] === undefined;
    const inside = span.children.filter((id) => {
      const child = spanOf(id);
      return child !== undefined && visit(child);
    });
    if (!isCall && inside.length === 0) return false;
    spans.add(span.id);
    return true;
  };
  visit(root);
  return spans.size === 0
    ? undefined
    : { spans, missing: textAt(endAttributes, 'detail') ?? textAt(endAttributes, 'missing') ?? '' };
}

/** The facts that the states of a sync's steps depend on. */
interface SyncFacts {
  readonly flow: FlowOptions;
  readonly spanOf: SpanOf;
  readonly stoppedSpan: number | undefined;
  /** The spans of undecidable steps, and the missing input; undefined if the sync is decided. */
  readonly undecided: Undecided | undefined;
  /** Results by span. The results of a span include those that the spans inside it reported. */
  readonly results: ReadonlyMap<number, readonly SyncResultRecord[]>;
}

function resultsBySpan({ span: root, results }: SyncRecord, spanOf: SpanOf): Map<number, SyncResultRecord[]> {
  const found = new Map<number, SyncResultRecord[]>();
  for (const result of results)
    for (let span = spanOf(result.span ?? root); span; span = spanOf(span.parent)) {
      const list = found.get(span.id) ?? [];
      list.push(result);
      found.set(span.id, list);
    }
  return found;
}

function stateOf(span: SpanRecord, { stoppedSpan, results, undecided }: SyncFacts): StepState {
  if (span.end === undefined) {
    if (span.id === stoppedSpan) return 'stopped';
    return waits.has(span.point) ? 'waiting' : 'running';
  }
  if (span.outcome === 'canceled') return 'canceled';
  const verdict = verdictOf(results.get(span.id) ?? []);
  const isFailed = verdict === 'failed' || (verdict === 'done' && span.outcome === 'error');
  if (isFailed && undecided?.spans.has(span.id)) return 'undecidable';
  if (span.outcome !== 'error' || verdict !== 'done') return verdict;
  return isBackOff(span.error?.reason) ? 'waiting' : 'failed';
}

/** Returns the results to show at a span: those of a whole step of SyncPod, or those that the span itself reported. */
function resultsAt({ id, kind }: SpanRecord, { results }: SyncFacts): readonly SyncResultRecord[] {
  const within = results.get(id) ?? [];
  return kind === 'syncStep' ? within : within.filter(({ span }) => span === id);
}

/** Returns the node. Its children are computed when they are first read. */
function lazily(node: Omit<StepNode, 'children'>, compute: () => readonly StepNode[]): StepNode {
  let children: readonly StepNode[] | undefined;
  return {
    ...node,
    get children() {
      children ??= compute();
      return children;
    },
  };
}

const textOf = (id: string, recorded?: string): { readonly title: string; readonly description: string } =>
  stepText(id, 'en') ?? { title: recorded ?? id, description: '' };

/** Returns a step that didn't run, with the steps below it. */
function notRun(step: FlowNode, key: string, state: StepState): StepNode {
  const below = (child: FlowNode): StepState =>
    state === 'pending' && isWorkerFunction(child) && child.id !== functionOfWork['sync'] ? 'skipped' : state;
  return lazily(
    {
      key,
      point: step.id,
      kind: step.kind,
      number: step.number,
      ...textOf(step.id),
      state,
      span: undefined,
      decision: undefined,
      missing: undefined,
      results: [],
      hasChildren: step.children.length > 0,
    },
    () => step.children.map((child) => notRun(child, `${key}/${child.id}`, below(child))),
  );
}

/** A step that ran. It has a span or, if the step is a decision, a decision record. */
interface Ran {
  readonly seq: number;
  readonly point: string;
  readonly span: SpanRecord | undefined;
  readonly decision: DecisionRecord | undefined;
}

/** Returns the observed call that matches a predicted call, or else the span itself. */
function calledAt(span: SpanRecord, spanOf: SpanOf): SpanRecord {
  const { followedBy } = span.attributes;
  return (typeof followedBy === 'number' ? spanOf(followedBy) : undefined) ?? span;
}

/** Returns true for a call that the tree shows in the place of its prediction, and for a hook that made such a call. */
const isElsewhere = (span: SpanRecord, predicted: ReadonlySet<number>): boolean =>
  predicted.has(span.id) || (span.kind === 'hook' && span.children.some((id) => predicted.has(id)));

function whatRan(span: SpanRecord, steps: readonly FlowNode[], spanOf: SpanOf): readonly Ran[] {
  const predicted = predictedCalls(span);
  const reads = readsInPlace(span, spanOf);
  const spans = span.children.flatMap((id): Ran[] => {
    const child = spanOf(id);
    if (!child || isElsewhere(child, predicted) || reads.has(id)) return [];
    const shown = calledAt(child, spanOf);
    return [{ seq: child.startSeq, point: shown.point, span: shown, decision: undefined }];
  });
  const decisions = steps.flatMap(({ id, kind }): Ran[] => {
    const decision = kind === 'decision' ? span.decisions.findLast(({ rule }) => rule === id) : undefined;
    return decision ? [{ seq: decision.seq, point: id, span: undefined, decision }] : [];
  });
  return decisions.length === 0 ? spans : [...spans, ...decisions].toSorted((a, b) => a.seq - b.seq);
}

/**
 * Returns the reads in a genuine kubelet's sync that the shadow engine made, too. The tree shows the kubelet's reads in
 * the place of the shadow engine's reads.
 */
function readsInPlace(root: SpanRecord, spanOf: SpanOf): ReadonlySet<number> {
  const found = new Set<number>();
  if (root.kind !== 'worker' || root.source === undefined) return found;
  const visit = (id: number): void => {
    const span = spanOf(id);
    if (span?.source !== 'shadow') return;
    const { followedBy } = span.attributes;
    if (typeof followedBy === 'number') found.add(followedBy);
    for (const child of span.children) visit(child);
  };
  for (const child of root.children) visit(child);
  return found;
}

/** Returns true for a step of a genuine kubelet that makes no CRI call. The observation doesn't show whether it ran. */
const isUnseen = (span: SpanRecord, { kind }: FlowNode): boolean =>
  span.source !== undefined && (kind === 'kubeletStep' || kind === 'loop');

/** Returns the point of the pod worker's function that a sync calls; undefined if it isn't known. */
function functionOf({ attributes }: SpanRecord): string | undefined {
  const work = attributes['workType'];
  return typeof work === 'string' ? functionOfWork[work] : functionOfWork['sync'];
}

/**
 * Returns the steps below a span. Steps that ran are in the order of the log; the other steps are at their place in the
 * level.
 */
function stepsOf(span: SpanRecord, key: string, facts: SyncFacts): readonly StepNode[] {
  const steps = stepsIn(facts.flow, span.point);
  const ran = whatRan(span, steps, facts.spanOf);
  const places = new Map(steps.map(({ id }, index) => [id, index]));
  const placeOf = ({ point }: Ran): number => places.get(point) ?? -1;
  const hasRun = new Set(ran.map(({ point }) => point));
  const hasFunction = steps.some((step) => isWorkerFunction(step) && hasRun.has(step.id));
  const stateOfMissing = (step: FlowNode, isPassed: boolean): StepState => {
    if (isPassed || (isWorkerFunction(step) && (hasFunction || step.id !== functionOf(span)))) return 'skipped';
    if (span.end === undefined) return 'pending';
    return span.outcome === 'ok' ? 'skipped' : 'unreached';
  };
  const nodes: StepNode[] = [];
  const counts = new Map<string, number>();
  let place = 0;
  const addMissing = (until: number, isPassed: boolean): void => {
    for (; place < until; place++) {
      const step = steps[place];
      if (step && !hasRun.has(step.id) && !isUnseen(span, step))
        nodes.push(notRun(step, `${key}/${step.id}`, stateOfMissing(step, isPassed)));
    }
  };
  for (const each of ran) {
    addMissing(placeOf(each), true);
    const count = counts.get(each.point) ?? 0;
    counts.set(each.point, count + 1);
    const own = `${key}/${each.point}${count === 0 ? '' : `#${count}`}`;
    const step = steps[placeOf(each)];
    if (each.span) nodes.push(spanNode(each.span, own, step?.number, facts));
    else if (step) nodes.push({ ...notRun(step, own, 'done'), decision: each.decision });
  }
  addMissing(steps.length, false);
  return nodes;
}

function spanNode(span: SpanRecord, key: string, number: number | undefined, facts: SyncFacts): StepNode {
  const state = stateOf(span, facts);
  return lazily(
    {
      key,
      point: span.point,
      kind: span.kind,
      number,
      ...textOf(span.point, span.title),
      state,
      span,
      decision: span.decisions.findLast(({ decisive }) => decisive),
      missing: state === 'undecidable' ? facts.undecided?.missing : undefined,
      results: resultsAt(span, facts),
      hasChildren: span.children.length > 0 || stepsIn(facts.flow, span.point).length > 0,
    },
    () => stepsOf(span, key, facts),
  );
}

/**
 * Key of the row of the sync. The key is the same in every release, although the name of the function and the causes
 * above it differ.
 */
const syncKey = 'sync';

const causeKey = (point: string): string => `cause/${point}`;

/** Returns the node of a cause whose only child is `inner`: the next cause, or the sync itself. */
const around = (cause: StepNode, inner: StepNode): StepNode => ({ ...cause, hasChildren: true, children: [inner] });

/** Returns the tree of a sync: what caused it, the span of the pod worker, and all steps inside. */
export function stepTree(flow: FlowOptions, sync: SyncRecord, spanOf: SpanOf, pod: PodTrack): readonly StepNode[] {
  const root = spanOf(sync.span);
  if (!root) return [];
  const facts = {
    flow,
    spanOf,
    stoppedSpan: pod.stoppedAt?.span,
    undecided: undecidedIn(root, spanOf),
    results: resultsBySpan(sync, spanOf),
  };
  const syncRow = spanNode(root, syncKey, undefined, facts);
  return [
    causesOf(root, spanOf).reduceRight<StepNode>(
      (inner, cause) => around(spanNode(cause, causeKey(cause.point), undefined, facts), inner),
      syncRow,
    ),
  ];
}

/** Returns the row of the sync itself, without the causes above it. */
export function syncRowOf(roots: readonly StepNode[]): readonly StepNode[] {
  const [root] = roots;
  return root === undefined || root.key === syncKey ? roots : syncRowOf(root.children);
}

/**
 * Returns the tree of a pod without syncs.
 * @param state `pending` before the first sync, `unreached` if no sync will run
 */
export function treeWithoutSync(flow: FlowOptions, state: 'pending' | 'unreached'): readonly StepNode[] {
  const roots = flowTree(flow);
  const worker = roots.find(({ kind }) => kind === 'worker');
  const loop = roots.find(({ id }) => id === 'kubelet.syncLoopIteration');
  if (!worker || !loop) return [];
  const causes: FlowNode[] = [loop];
  let next = loop.children.find(({ id }) => id === 'kubelet.HandlePodAdditions');
  for (; next; next = next.children[0]) causes.push(next);
  return [
    causes.reduceRight<StepNode>(
      (inner, cause) => around(notRun(cause, causeKey(cause.id), state), inner),
      notRun(worker, syncKey, state),
    ),
  ];
}
