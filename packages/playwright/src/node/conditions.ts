/** Defines the conditions on which `runUntil` ends, with the messages of those that are not reached. */
import { describePod, seen } from '../report/describe-pod.ts';
import { PodHandle, type PodState } from './pod.ts';

/** A condition of one pod. All fields that are set must match. */
export interface PodCondition {
  /** `web`, `shop/web`, or what `node.pod` returns. */
  readonly pod: string | PodHandle;
  /** The pod has or had this `status.phase`. */
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  /** The status that kubectl shows: `CrashLoopBackOff`, `Init:0/1`, `Completed`. */
  readonly status?: string | RegExp;
  /** All containers are ready; with `false`, at least one isn't. */
  readonly ready?: boolean;
  /** The containers have restarted at least this often in total. */
  readonly restarts?: number;
  /** There is an event about the pod with this reason. */
  readonly event?: string;
  /** The debugger has stopped the pod's worker at this point: `cri.StartContainer`. */
  readonly stoppedAt?: string;
  /** The pod has been deleted. */
  readonly gone?: boolean;
}

/** The state of the node that a predicate evaluates. */
export interface NodeState {
  /** All pods that the node has had, oldest first. */
  readonly pods: readonly PodState[];
  /** Returns the newest pod with this name. @param name `web`, or `shop/web` */
  pod(name: string): PodState | undefined;
}

/** A condition for `runUntil`: about one pod, or a function that gets the state of all pods. */
export type NodeCondition = PodCondition | ((node: NodeState) => boolean);

/** One requirement of a condition: its text, whether it holds, and what was observed. */
interface Requirement {
  readonly what: string;
  readonly holds: (state: PodState) => boolean;
  readonly sees: (state: PodState) => string;
}

const isText = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text === wanted : text.search(wanted) >= 0;

/** Returns a list with one requirement, or an empty list if the field isn't set. */
const wanted = <T>(field: T | undefined, make: (value: T) => Requirement): readonly Requirement[] =>
  field === undefined ? [] : [make(field)];

const requirementsOf = ({
  phase,
  status,
  ready,
  restarts,
  event,
  stoppedAt,
  gone,
}: PodCondition): readonly Requirement[] => [
  ...wanted(phase, (value) => ({
    what: `reach phase ${value}`,
    holds: ({ phases }) => phases.some((each) => each.phase === value),
    sees: seen.phases,
  })),
  ...wanted(status, (value) => ({
    what: `show ${String(value)}`,
    holds: (state) => isText(state.status, value),
    sees: seen.status,
  })),
  ...wanted(ready, (value) => ({
    what: value ? 'be ready' : 'not be ready',
    holds: (state) => (!state.isGone && state.total > 0 && state.ready === state.total) === value,
    sees: seen.readiness,
  })),
  ...wanted(restarts, (value) => ({
    what: `have restarted ${value} times`,
    holds: (state) => state.restarts >= value,
    sees: seen.restarts,
  })),
  ...wanted(event, (value) => ({
    what: `have an event ${value}`,
    holds: ({ events }) => events.some(({ reason }) => reason === value),
    sees: (state) => seen.events(state, value),
  })),
  ...wanted(stoppedAt, (value) => ({
    what: `be stopped at ${value}`,
    holds: (state) => state.stoppedAt?.point === value,
    sees: seen.stop,
  })),
  ...wanted(gone, (value) => ({
    what: value ? 'be gone' : 'be there',
    holds: ({ isGone }) => isGone === value,
    sees: seen.presence,
  })),
];

/** A condition that can be evaluated. */
export interface Wish {
  readonly holds: (node: NodeState) => boolean;
  /** Returns what was expected and what was observed, for an error message. */
  readonly explain: (node: NodeState, within: string) => string;
}

/** Returns the state that predicates evaluate. */
export const nodeState = (pods: readonly PodState[]): NodeState => ({
  pods,
  pod(name) {
    const { namespace, name: own } = PodHandle.parse(name);
    return pods.findLast((pod) => pod.namespace === namespace && pod.name === own);
  },
});

const names = (pods: readonly PodState[]): string =>
  pods.length === 0
    ? 'the node has no pods'
    : `the node has ${[...new Set(pods.map(({ namespace, name }) => `${namespace}/${name}`))].join(', ')}`;

/** The number of pods whose state a message contains. */
const mostPods = 3;

/** Returns the condition in a form that can be evaluated. @throws TypeError for a condition without any requirement */
export function wishOf(condition: NodeCondition): Wish {
  if (typeof condition === 'function')
    return {
      holds: condition,
      explain: ({ pods }, within) =>
        [
          `the predicate of runUntil did not hold within ${within}; ${names(pods)}:`,
          ...pods.slice(-mostPods).map((pod) => `${pod.namespace}/${pod.name}: ${describePod(pod)}`),
        ].join('\n'),
    };
  const { namespace, name } = typeof condition.pod === 'string' ? PodHandle.parse(condition.pod) : condition.pod;
  const id = `${namespace}/${name}`;
  const requirements = requirementsOf(condition);
  if (requirements.length === 0)
    throw new TypeError(
      `runUntil needs to know what pod ${id} must reach: phase, status, ready, restarts, event, stoppedAt or gone`,
    );
  return {
    holds: (node) => {
      const state = node.pod(id);
      return state !== undefined && requirements.every(({ holds }) => holds(state));
    },
    explain: (node, within) => {
      const state = node.pod(id);
      const expected = `expected pod ${id} to ${requirements.map(({ what }) => what).join(' and ')} within ${within}`;
      if (!state) return `${expected}, but there is no such pod; ${names(node.pods)}`;
      const missing = requirements.filter(({ holds }) => !holds(state)).map(({ sees }) => sees(state));
      return `${expected}, but ${missing.join(' and ')}:\n${describePod(state)}`;
    },
  };
}
