/** Implements the rules of computePodActions that both releases share. */
import type { Container, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { findContainerStatusByName, type PodStatus, type Status } from '../runtime.ts';
import { type ComputeEnvironment, containerChanged } from './environment.ts';
import type { KillReason, PodActionsDraft } from './pod-actions.ts';
import { shouldRestartOnFailure } from './restart-predicates.ts';

/** Returns the facts that every decision about this container contains. */
export const containerFacts = (container: Container, status: Status | undefined): Record<string, unknown> => ({
  container: container.name,
  state: status?.state ?? 'none',
  ...(status ? { containerID: status.id.id, restartCount: status.restartCount } : {}),
  ...(status?.state === 'exited'
    ? { exitCode: status.exitCode, ...(status.reason ? { reason: status.reason } : {}) }
    : {}),
});

/**
 * Returns true for a pod that has run and whose containers are never restarted: a new sandbox would only be stopped
 * again.
 */
export function hasRunForGood(ctx: Context, pod: Pod, podStatus: PodStatus, attempt: number): boolean {
  const over = !shouldRestartOnFailure(pod) && attempt !== 0 && podStatus.containerStatuses.length > 0;
  const facts = (): Record<string, unknown> => ({
    restartPolicy: pod.spec.restartPolicy,
    attempt,
    containers: podStatus.containerStatuses.length,
  });
  ctx.tracer.decide(
    ctx,
    'computePodActions.neverRestartedPodHasRun',
    facts,
    over ? 'no new sandbox: the pod has run and never restarts' : 'no',
    over,
  );
  return over;
}

/** Adds the ephemeral containers that have no status yet. An ephemeral container starts only once. */
export function addEphemeralContainers(ctx: Context, pod: Pod, podStatus: PodStatus, actions: PodActionsDraft): void {
  const { ephemeralContainers } = pod.spec;
  if (!ephemeralContainers) return;
  for (const [index, container] of ephemeralContainers.entries()) {
    const status = findContainerStatusByName(podStatus, container.name);
    const facts = (): Record<string, unknown> => containerFacts(container, status);
    ctx.tracer.decide(
      ctx,
      'computePodActions.ephemeralContainer',
      facts,
      status ? 'was started before, never restarts' : 'start',
      !status,
    );
    if (!status) actions.ephemeralContainersToStart.push(index);
  }
}

/** The reason why a running container must be killed. */
export interface KillVerdict {
  readonly message: string;
  readonly reason: KillReason;
  /** True if the container is started again, whatever its restart policy is. */
  readonly restartsAlways: boolean;
}

interface RunningRule {
  readonly name: string;
  readonly matches: (env: ComputeEnvironment, container: Container, status: Status) => boolean;
  readonly facts: (env: ComputeEnvironment, container: Container, status: Status) => Record<string, unknown>;
  readonly verdict: (name: string) => KillVerdict;
}

/** The rules in the order of their precedence. The first rule that matches decides. */
const runningRules: readonly RunningRule[] = [
  {
    name: 'computePodActions.containerChanged',
    matches: containerChanged,
    facts: ({ hashContainer }, container, status) => ({
      hash: status.hash.toString(16),
      hashOfSpec: hashContainer(container).toString(16),
    }),
    verdict: (name) => ({ message: `Container ${name} definition changed`, reason: '', restartsAlways: true }),
  },
  {
    name: 'computePodActions.livenessProbeFailed',
    matches: ({ liveness }, _container, { id }) => liveness.get(id) === 'failure',
    facts: ({ liveness }, _container, { id }) => ({ liveness: liveness.get(id) ?? 'not known' }),
    verdict: (name) => ({
      message: `Container ${name} failed liveness probe`,
      reason: 'LivenessProbe',
      restartsAlways: false,
    }),
  },
  {
    name: 'computePodActions.startupProbeFailed',
    matches: ({ startup }, _container, { id }) => startup.get(id) === 'failure',
    facts: ({ startup }, _container, { id }) => ({ startup: startup.get(id) ?? 'not known' }),
    verdict: (name) => ({
      message: `Container ${name} failed startup probe`,
      reason: 'StartupProbe',
      restartsAlways: false,
    }),
  },
];

/** Returns the reason to kill a running container, or undefined if it can keep running. */
export function evaluateRunningContainer(
  ctx: Context,
  env: ComputeEnvironment,
  container: Container,
  status: Status,
): KillVerdict | undefined {
  for (const { name, matches, facts, verdict } of runningRules) {
    const matched = matches(env, container, status);
    if (ctx.tracer.enabled) {
      const seen = { ...containerFacts(container, status), ...facts(env, container, status) };
      ctx.tracer.decide(ctx, name, seen, matched ? `kill it: ${verdict(container.name).message}` : 'no', matched);
    }
    if (matched) return verdict(container.name);
  }
  return undefined;
}

/** Returns true if no container is kept and no container is to be started, so that the pod can be killed. */
export function evaluateNothingLeft(ctx: Context, keepCount: number, actions: PodActionsDraft): boolean {
  const nothing = keepCount === 0 && actions.containersToStart.length === 0;
  const facts = (): Record<string, unknown> => ({ kept: keepCount, toStart: actions.containersToStart.length });
  ctx.tracer.decide(
    ctx,
    'computePodActions.nothingLeftToRun',
    facts,
    nothing ? 'kill the pod: nothing is kept and nothing starts' : 'no',
    nothing,
  );
  return nothing;
}
