/**
 * Computes which containers and sandboxes a sync starts and stops in v1.20. Upstream: kuberuntime computePodActions
 * (v1.20).
 */
import type { Container, Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { findContainerStatusByName, type PodStatus, type Status } from '../../runtime.ts';
import { podSandboxChanged } from '../../sandbox/pod-sandbox-changed.ts';
import type { ComputeEnvironment } from '../environment.ts';
import { addContainerToKill, newPodActions, type PodActions, type PodActionsDraft } from '../pod-actions.ts';
import { shouldContainerBeRestarted, shouldRestartOnFailure } from '../restart-predicates.ts';
import {
  addEphemeralContainers,
  containerFacts,
  evaluateNothingLeft,
  evaluateRunningContainer,
  hasRunForGood,
} from '../shared.ts';
import { findNextInitContainerToRun } from './init-containers.ts';
import { containerSucceededV120, isInitContainerFailedV120 } from './predicates.ts';

/** Returns the actions for a pod. Has no side effects apart from trace events. */
export function computePodActionsV120(
  ctx: Context,
  env: ComputeEnvironment,
  pod: Pod,
  podStatus: PodStatus,
): PodActions {
  const { changed, attempt, sandboxID } = podSandboxChanged(ctx, pod, podStatus);
  const actions = newPodActions(changed, attempt, sandboxID);
  if (changed) evaluateNewSandbox(ctx, pod, podStatus, actions);
  else evaluateExistingSandbox(ctx, env, pod, podStatus, actions);
  return actions;
}

function evaluateNewSandbox(ctx: Context, pod: Pod, podStatus: PodStatus, actions: PodActionsDraft): void {
  const { tracer } = ctx;
  if (hasRunForGood(ctx, pod, podStatus, actions.attempt)) {
    actions.createSandbox = false;
    return;
  }
  const [firstInit] = pod.spec.initContainers ?? [];
  const toStart: number[] = [];
  for (const [index, container] of pod.spec.containers.entries()) {
    const status = findContainerStatusByName(podStatus, container.name);
    const done = pod.spec.restartPolicy === 'OnFailure' && containerSucceededV120(status);
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
  if (toStart.length === 0) {
    const { done } = findNextInitContainerToRun(ctx, pod, podStatus);
    const facts = { toStart: 0, initContainersDone: done };
    tracer.decide(
      ctx,
      'computePodActions.nothingToStartInNewSandbox',
      facts,
      done ? 'no new sandbox: all work is done' : 'no',
      done,
    );
    if (done) {
      actions.createSandbox = false;
      return;
    }
  }
  if (firstInit) {
    tracer.decide(
      ctx,
      'computePodActions.initContainersFirst',
      { container: firstInit.name },
      'start: a new sandbox begins with the first init container',
    );
    actions.nextInitContainerToStart = firstInit;
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
  if (env.gates.EphemeralContainers) addEphemeralContainers(ctx, pod, podStatus, actions);
  if (!evaluateInitContainers(ctx, pod, podStatus, actions)) return;
  let keepCount = 0;
  for (const [index, container] of pod.spec.containers.entries()) {
    const status = findContainerStatusByName(podStatus, container.name);
    if (status?.state !== 'running')
      evaluateStoppedContainer(ctx, env, pod, podStatus, container, index, status, actions);
    else if (!killIfWrong(ctx, env, pod, container, index, status, actions)) keepCount += 1;
  }
  if (evaluateNothingLeft(ctx, keepCount, actions)) actions.killPod = true;
}

/** Adds the actions for init containers. Returns true if initialization is complete. */
function evaluateInitContainers(ctx: Context, pod: Pod, podStatus: PodStatus, actions: PodActionsDraft): boolean {
  const { status, next, done } = findNextInitContainerToRun(ctx, pod, podStatus);
  if (done || !next) return done;
  if (status && isInitContainerFailedV120(status) && pod.spec.restartPolicy === 'Never') {
    ctx.tracer.decide(
      ctx,
      'computePodActions.initContainerFailedForGood',
      containerFacts(next, status),
      'kill the pod: it failed and may not restart',
    );
    actions.killPod = true;
    return false;
  }
  if (status?.state === 'unknown') {
    addContainerToKill(
      actions,
      status,
      next,
      `Init container is in "${status.state}" state, try killing it before restart`,
      'Unknown',
    );
  }
  actions.nextInitContainerToStart = next;
  return false;
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
    restartPolicy: pod.spec.restartPolicy,
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

/**
 * Adds a running container that must stop to the containers to kill, and to those to start if it restarts. Returns true
 * if it is killed.
 */
function killIfWrong(
  ctx: Context,
  env: ComputeEnvironment,
  pod: Pod,
  container: Container,
  index: number,
  status: Status,
  actions: PodActionsDraft,
): boolean {
  const verdict = evaluateRunningContainer(ctx, env, container, status);
  if (!verdict) return false;
  const restarts = verdict.restartsAlways || shouldRestartOnFailure(pod);
  if (restarts) actions.containersToStart.push(index);
  addContainerToKill(
    actions,
    status,
    container,
    restarts ? `${verdict.message}, will be restarted` : verdict.message,
    verdict.reason,
  );
  return true;
}
