/**
 * Computes which init containers to start, kill or restart. Upstream: kuberuntime computeInitContainerActions (v1.36).
 */
import { type Container, isRestartableInitContainer, type Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { findContainerStatusByName, type PodStatus, type Status } from '../runtime.ts';
import { type ComputeEnvironment, containerChanged } from './environment.ts';
import { addContainerToKill, type PodActionsDraft } from './pod-actions.ts';
import { computePodResizeAction } from './resize.ts';
import { isInitContainerFailedV136, shouldContainerBeRestarted, shouldRestartOnFailure } from './restart-predicates.ts';
import { containerFacts } from './shared.ts';

/** The state while the init containers are evaluated, from the last one to the first. */
interface Walk {
  readonly ctx: Context;
  readonly env: ComputeEnvironment;
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  readonly containers: readonly Container[];
  readonly actions: PodActionsDraft;
  podHasInitialized: boolean;
  /** True if an init container that comes later in the spec was started before. */
  laterStarted: boolean;
}

const startsLater = ({ actions }: Walk, index: number): void => void actions.initContainersToStart.push(index);

function recordDecision(
  { ctx }: Walk,
  rule: string,
  container: Container,
  status: Status | undefined,
  outcome: string,
  decisive = true,
  more?: Record<string, unknown>,
): void {
  if (ctx.tracer.enabled)
    ctx.tracer.decide(
      ctx,
      `computePodActions.${rule}`,
      { ...containerFacts(container, status), ...more },
      outcome,
      decisive,
    );
}

/**
 * Adds the actions for init containers to `actions`: which ones to start, which ones to kill, or whether to kill the
 * pod.
 * @returns true if initialization is complete and regular containers may start
 */
export function computeInitContainerActions(
  ctx: Context,
  env: ComputeEnvironment,
  pod: Pod,
  podStatus: PodStatus,
  actions: PodActionsDraft,
): boolean {
  const containers = pod.spec.initContainers ?? [];
  if (containers.length === 0) return true;
  // Exited containers don't count. After a reboot, every container has exited and the new sandbox isn't initialized.
  const started = pod.spec.containers.some(({ name }) => {
    const state = findContainerStatusByName(podStatus, name)?.state;
    return state === 'created' || state === 'running';
  });
  ctx.tracer.decide(
    ctx,
    'computePodActions.podHasInitialized',
    { regularContainerStarted: started },
    started ? 'regular containers have started' : 'no',
    false,
  );
  const walk: Walk = {
    ctx,
    env,
    pod,
    podStatus,
    containers,
    actions,
    podHasInitialized: started,
    laterStarted: started,
  };
  for (let index = containers.length - 1; index >= 0; index--) {
    const container = containers[index];
    if (!container) continue;
    const status = findContainerStatusByName(podStatus, container.name);
    const isSidecar = isRestartableInitContainer(container);
    if (!status) {
      if (walk.laterStarted && isSidecar) {
        recordDecision(
          walk,
          'initContainer.sidecarMissing',
          container,
          status,
          'start: a sidecar must run beside what comes after it',
        );
        startsLater(walk, index);
      }
      continue;
    }
    if (walk.laterStarted && !isSidecar) {
      recordDecision(
        walk,
        'initContainer.passed',
        container,
        status,
        'its work is done: a later container has started',
        false,
      );
      continue;
    }
    if (!evaluateInitContainer(walk, index, container, isSidecar, status)) {
      actions.killPod = true;
      actions.initContainersToStart = [];
      return false;
    }
    walk.laterStarted = true;
  }
  if (!walk.laterStarted) {
    const [first] = containers;
    if (first) recordDecision(walk, 'initContainer.first', first, undefined, 'start: no init container has run yet');
    startsLater(walk, 0);
  }
  actions.initContainersToStart.reverse();
  return walk.podHasInitialized;
}

/** Adds the actions for one init container. Returns false if initialization has failed permanently. */
function evaluateInitContainer(
  walk: Walk,
  index: number,
  container: Container,
  isSidecar: boolean,
  status: Status,
): boolean {
  if (status.state === 'exited' && !isSidecar) return evaluateExitedInitContainer(walk, index, container, status);
  if (status.state === 'unknown') return evaluateUnknownInitContainer(walk, index, container, isSidecar, status);
  if (status.state === 'running') {
    if (isSidecar) evaluateRunningSidecar(walk, index, container, status);
    else evaluateRunningInitContainer(walk, index, container, status);
    return true;
  }
  const rule = status.state === 'created' ? 'initContainer.created' : 'initContainer.sidecarExited';
  recordDecision(
    walk,
    rule,
    container,
    status,
    status.state === 'created'
      ? 'start again: it was created and never started'
      : 'start again: sidecars always restart',
  );
  startsLater(walk, index);
  return true;
}

function evaluateRunningInitContainer(walk: Walk, index: number, container: Container, status: Status): void {
  const { ctx, env, pod, actions } = walk;
  recordDecision(walk, 'initContainer.running', container, status, 'wait for it');
  if (env.gates.InPlacePodVerticalScalingInitContainers)
    computePodResizeAction(ctx, env, pod, container, index, true, status, actions);
}

function evaluateUnknownInitContainer(
  walk: Walk,
  index: number,
  container: Container,
  isSidecar: boolean,
  status: Status,
): boolean {
  const restarts = isSidecar || mayRestartFromUnknown(walk, container);
  recordDecision(
    walk,
    'initContainer.unknown',
    container,
    status,
    restarts ? 'kill it and start again' : 'kill the pod: it may not restart',
    true,
    {
      restartPolicy: container.restartPolicy ?? walk.pod.spec.restartPolicy,
    },
  );
  if (!restarts) return false;
  addContainerToKill(
    walk.actions,
    status,
    container,
    `Init container is in "${status.state}" state, try killing it before restart`,
    'Unknown',
  );
  startsLater(walk, index);
  return true;
}

function mayRestartFromUnknown({ env, pod }: Walk, { restartPolicy }: Container): boolean {
  if (env.gates.ContainerRestartRules && restartPolicy !== undefined) return restartPolicy !== 'Never';
  return shouldRestartOnFailure(pod);
}

function evaluateExitedInitContainer(walk: Walk, index: number, container: Container, status: Status): boolean {
  const { env, pod, podStatus, containers } = walk;
  if (isInitContainerFailedV136(status)) {
    // shouldContainerBeRestarted returns false for a terminating pod. shouldRestartOnFailure doesn't check whether the
    // pod is terminating.
    const restarts = env.gates.ContainerRestartRules
      ? shouldContainerBeRestarted(container, pod, podStatus, env.gates)
      : shouldRestartOnFailure(pod);
    recordDecision(
      walk,
      'initContainer.failed',
      container,
      status,
      restarts ? 'start again' : 'kill the pod: it failed and may not restart',
      true,
      {
        restartPolicy: container.restartPolicy ?? pod.spec.restartPolicy,
      },
    );
    if (restarts) startsLater(walk, index);
    return restarts;
  }
  const isLast = index === containers.length - 1;
  if (isLast) walk.podHasInitialized = true;
  else startsLater(walk, index + 1);
  recordDecision(
    walk,
    'initContainer.succeeded',
    container,
    status,
    isLast ? 'initialization is over' : `start the next: ${containers[index + 1]?.name ?? ''}`,
  );
  return true;
}

/** Adds the actions for a running sidecar. A sidecar counts as started once its startup probe has succeeded. */
function evaluateRunningSidecar(walk: Walk, index: number, container: Container, status: Status): void {
  const { ctx, env, pod, containers, actions } = walk;
  const restart = (message: string, reason: 'StartupProbe' | 'LivenessProbe' | ''): void => {
    addContainerToKill(actions, status, container, `Init container ${container.name} ${message}`, reason);
    startsLater(walk, index);
  };
  if (container.startupProbe) {
    const result = env.startup.get(status.id);
    const outcome =
      result === 'success'
        ? 'it has started'
        : result === 'failure'
          ? 'kill it and start again'
          : 'wait for its startup probe';
    recordDecision(walk, 'initContainer.sidecarStartupProbe', container, status, outcome, result !== 'success', {
      startup: result ?? 'not known',
    });
    if (result === 'failure') restart('failed startup probe', 'StartupProbe');
    if (result !== 'success') return;
  }
  if (index === containers.length - 1) {
    recordDecision(walk, 'initContainer.sidecarStarted', container, status, 'initialization is over');
    walk.podHasInitialized = true;
  } else if (!walk.laterStarted) {
    recordDecision(
      walk,
      'initContainer.sidecarStarted',
      container,
      status,
      `start the next: ${containers[index + 1]?.name ?? ''}`,
    );
    startsLater(walk, index + 1);
  }
  const changed = containerChanged(env, container, status);
  recordDecision(
    walk,
    'initContainer.sidecarChanged',
    container,
    status,
    changed ? 'kill it and start again' : 'no',
    changed,
  );
  if (changed) {
    restart('definition changed', '');
    return;
  }
  if (container.livenessProbe) {
    const result = env.liveness.get(status.id);
    recordDecision(
      walk,
      'initContainer.sidecarLivenessProbe',
      container,
      status,
      result === 'failure' ? 'kill it and start again' : 'no',
      result === 'failure',
      {
        liveness: result ?? 'not known',
      },
    );
    if (result === 'failure') restart('failed liveness probe', 'LivenessProbe');
    if (result === undefined || result === 'failure') return;
  }
  computePodResizeAction(ctx, env, pod, container, index, true, status, actions);
}
