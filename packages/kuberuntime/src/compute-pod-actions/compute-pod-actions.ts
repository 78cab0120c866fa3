/**
 * Computes which containers and sandboxes a sync starts, stops and changes in v1.36. Upstream: kuberuntime
 * computePodActions (v1.36).
 */
import type { Container, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { resourceNumbers, sameNumbers } from '../resize/container-resources.ts';
import { findContainerStatusByName, type PodStatus, type Status } from '../runtime.ts';
import { podSandboxChanged } from '../sandbox/pod-sandbox-changed.ts';
import type { ComputeEnvironment } from './environment.ts';
import { computeInitContainerActions } from './init-containers.ts';
import { addContainerToKill, newPodActions, type PodActions, type PodActionsDraft } from './pod-actions.ts';
import { containersToReset } from './reset-containers.ts';
import { computePodResizeAction } from './resize.ts';
import { containerSucceededV136, shouldContainerBeRestarted, shouldRestartOnFailure } from './restart-predicates.ts';
import {
  addEphemeralContainers,
  containerFacts,
  evaluateNothingLeft,
  evaluateRunningContainer,
  hasRunForGood,
} from './shared.ts';

/**
 * Returns the actions for a pod. Has no side effects apart from trace events.
 * @param restartAllContainers true if the kubelet's condition AllContainersRestarting is true
 */
export function computePodActionsV136(
  ctx: Context,
  env: ComputeEnvironment,
  pod: Pod,
  podStatus: PodStatus,
  restartAllContainers: boolean,
): PodActions {
  const { changed, attempt, sandboxID } = podSandboxChanged(ctx, pod, podStatus);
  const actions = newPodActions(changed, attempt, sandboxID);
  if (restartAllContainers && env.gates.RestartAllContainersOnContainerExits)
    actions.containersToReset = containersToReset(ctx, pod, podStatus);
  else if (changed) evaluateNewSandbox(ctx, env, pod, podStatus, actions);
  else evaluateExistingSandbox(ctx, env, pod, podStatus, actions);
  return actions;
}

/**
 * Returns true for a container that succeeded and isn't restarted, according to its own restart policy or the pod's.
 */
function hasSucceededForGood(
  { gates }: ComputeEnvironment,
  pod: Pod,
  container: Container,
  status: Status | undefined,
): boolean {
  const policy =
    gates.ContainerRestartRules && container.restartPolicy !== undefined
      ? container.restartPolicy
      : pod.spec.restartPolicy;
  return policy === 'OnFailure' && containerSucceededV136(status);
}

function evaluateNewSandbox(
  ctx: Context,
  env: ComputeEnvironment,
  pod: Pod,
  podStatus: PodStatus,
  actions: PodActionsDraft,
): void {
  const { tracer } = ctx;
  if (hasRunForGood(ctx, pod, podStatus, actions.attempt)) {
    actions.createSandbox = false;
    return;
  }
  const [firstInit] = pod.spec.initContainers ?? [];
  const toStart: number[] = [];
  let anyCreated = false;
  for (const [index, container] of pod.spec.containers.entries()) {
    const status = findContainerStatusByName(podStatus, container.name);
    if (status && status.state !== 'unknown') anyCreated = true;
    const done = hasSucceededForGood(env, pod, container, status);
    const outcome = done ? 'it has succeeded for good' : firstInit ? 'it will: init containers go first' : 'start';
    tracer.decide(
      ctx,
      'computePodActions.startInNewSandbox',
      () => containerFacts(container, status),
      outcome,
      !done && !firstInit,
    );
    if (!done) toStart.push(index);
  }
  const finished = toStart.length === 0 && anyCreated;
  tracer.decide(
    ctx,
    'computePodActions.nothingToStartInNewSandbox',
    () => ({ toStart: toStart.length, anyContainerCreated: anyCreated }),
    finished ? 'no new sandbox: all work is done' : 'no',
    finished,
  );
  if (finished) {
    actions.createSandbox = false;
    return;
  }
  if (firstInit) {
    tracer.decide(
      ctx,
      'computePodActions.initContainersFirst',
      { container: firstInit.name },
      'start: a new sandbox begins with the first init container',
    );
    actions.initContainersToStart.push(0);
    return;
  }
  actions.containersToStart = toStart;
}

function evaluateExistingSandbox(
  ctx: Context,
  env: ComputeEnvironment,
  pod: Pod,
  podStatus: PodStatus,
  actions: PodActionsDraft,
): void {
  const { gates, actuated } = env;
  addEphemeralContainers(ctx, pod, podStatus, actions);
  if (gates.InPlacePodVerticalScaling) actions.containersToUpdate = { cpu: [], memory: [] };
  if (!computeInitContainerActions(ctx, env, pod, podStatus, actions) || actions.killPod) return;
  let keepCount = 0;
  let index = -1;
  for (const container of pod.spec.containers) {
    index += 1;
    const status = findContainerStatusByName(podStatus, container.name);
    if (status?.state !== 'running')
      evaluateStoppedContainer(ctx, env, pod, podStatus, container, index, status, actions);
    else if (evaluateRunning(ctx, env, pod, container, index, status, actions)) keepCount += 1;
  }
  if (evaluateNothingLeft(ctx, keepCount, actions)) {
    actions.killPod = true;
    // When all containers have finished, sidecars are not started again, because they would keep the pod running.
    actions.initContainersToStart = [];
  }
  if (gates.InPlacePodLevelResourcesVerticalScaling) {
    const desired = resourceNumbers(pod.spec.resources);
    const current = resourceNumbers(actuated.pod(pod.metadata.uid));
    actions.updatePodLevelResources = !sameNumbers(desired, current);
    const outcome = actions.updatePodLevelResources
      ? "the pod's own resources must be applied"
      : "the pod's own resources are as last applied";
    ctx.tracer.decide(
      ctx,
      'computePodActions.podLevelResources',
      () => ({ desired, current }),
      outcome,
      actions.updatePodLevelResources,
    );
  }
}

function evaluateStoppedContainer(
  ctx: Context,
  env: ComputeEnvironment,
  pod: Pod,
  podStatus: PodStatus,
  container: Container,
  index: number,
  status: Status | undefined,
  actions: PodActionsDraft,
): void {
  const restarts = shouldContainerBeRestarted(container, pod, podStatus, env.gates);
  const facts = (): Record<string, unknown> => ({
    ...containerFacts(container, status),
    restartPolicy: container.restartPolicy ?? pod.spec.restartPolicy,
    ...(container.restartPolicyRules ? { restartPolicyRules: container.restartPolicyRules } : {}),
    ...(pod.metadata.deletionTimestamp === undefined ? {} : { deleted: true }),
  });
  ctx.tracer.decide(
    ctx,
    'computePodActions.shouldContainerBeRestarted',
    facts,
    restarts ? 'start' : 'leave it stopped',
  );
  if (!restarts) return;
  actions.containersToStart.push(index);
  if (status?.state === 'unknown') {
    addContainerToKill(
      actions,
      status,
      container,
      `Container is in "${status.state}" state, try killing it before restart`,
      'Unknown',
    );
  }
}

/** Returns true if the container keeps running. */
function evaluateRunning(
  ctx: Context,
  env: ComputeEnvironment,
  pod: Pod,
  container: Container,
  index: number,
  status: Status,
  actions: PodActionsDraft,
): boolean {
  const verdict = evaluateRunningContainer(ctx, env, container, status);
  if (!verdict) return computePodResizeAction(ctx, env, pod, container, index, false, status, actions);
  const ownPolicy = env.gates.ContainerRestartRules ? container.restartPolicy : undefined;
  const mayRestart = ownPolicy === undefined ? shouldRestartOnFailure(pod) : ownPolicy !== 'Never';
  const restarts = verdict.restartsAlways || mayRestart;
  if (restarts) actions.containersToStart.push(index);
  addContainerToKill(
    actions,
    status,
    container,
    restarts ? `${verdict.message}, will be restarted` : verdict.message,
    verdict.reason,
  );
  return false;
}
