/** Stops one container. Upstream: kuberuntime_container.go killContainer (v1.36 and v1.20). */
import { errorMessage } from '@podscope/base';
import { isCriError } from '@podscope/cri';
import { kuberuntimePoints } from '@podscope/flow';
import { type Container, findContainer, goQuote, type Pod } from '@podscope/k8s';
import { type Context, sleep } from '@podscope/trace';
import type { KillReason } from '../compute-pod-actions/pod-actions.ts';
import { containerEvent } from '../container/container-event.ts';
import { containerInfoFromAnnotations, containerInfoFromLabels } from '../labels.ts';
import { runHook } from '../lifecycle/hooks.ts';
import { type ContainerID, formatContainerID, formatPod } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import type { TerminationOrder } from './termination-order.ts';

export interface KillRequest {
  /** The pod; undefined if it no longer exists in the API. */
  readonly pod: Pod | undefined;
  readonly id: ContainerID;
  readonly name: string;
  /** The message of the Killing event; empty for the default message. */
  readonly message: string;
  readonly reason: KillReason;
  readonly gracePeriodOverride?: number;
  readonly order?: TerminationOrder;
}

/**
 * Stops a container.
 * @throws Error when the pod has no such container, or the runtime can't stop it
 */
export function killContainer(ctx: Context, dependencies: RuntimeDependencies, request: KillRequest): Promise<void> {
  const { id, name, message, reason, gracePeriodOverride } = request;
  const attributes = { container: name, containerID: id.id, message, reason, gracePeriodOverride };
  return ctx.tracer.span(ctx, kuberuntimePoints.killContainer, attributes, (inner) =>
    kill(inner, dependencies, request),
  );
}

async function kill(ctx: Context, dependencies: RuntimeDependencies, request: KillRequest): Promise<void> {
  const { id, name, reason, gracePeriodOverride, order } = request;
  const { profile, runtime } = dependencies;
  const { pod, container } = request.pod
    ? known(dependencies, request.pod, request)
    : await restoreSpecs(ctx, dependencies, id);
  const grace = profile.gracePeriod(pod, container, reason);
  containerEvent(
    ctx,
    dependencies,
    pod,
    container,
    id.id,
    'Normal',
    'Killing',
    request.message || `Stopping container ${container.name}`,
  );
  const timeout = await profile.timeToStop(grace, gracePeriodOverride, {
    preStop: (seconds) => executePreStopHook(ctx, dependencies, id, pod, container, seconds),
    waitForTurn: (seconds) => order?.waitForTurn(ctx, name, seconds) ?? Promise.resolve(0),
  });
  ctx.tracer.decide(
    ctx,
    'killContainer.gracePeriod',
    () => ({
      container: name,
      deletionGracePeriodSeconds: pod.metadata.deletionGracePeriodSeconds,
      terminationGracePeriodSeconds: pod.spec.terminationGracePeriodSeconds,
      reason,
      override: gracePeriodOverride,
    }),
    `${timeout} seconds to stop`,
  );
  try {
    await runtime.stopContainer(ctx, { containerId: id.id, timeout });
  } catch (error) {
    if (!profile.notFoundIsStopped || !isCriError(error, 'NotFound')) throw error;
  }
  order?.containerTerminated(name);
}

interface Specs {
  readonly pod: Pod;
  readonly container: Container;
}

function known({ profile }: RuntimeDependencies, pod: Pod, { id, name, message }: KillRequest): Specs {
  const container = findContainer(pod, name)?.container;
  if (container) return { pod, container };
  throw new Error(
    profile.texts.unknownContainerToKill(
      goQuote(name),
      goQuote(formatContainerID(id)),
      goQuote(formatPod(pod)),
      goQuote(message),
    ),
  );
}

/**
 * Rebuilds the fields of pod and container that are stored in labels and annotations. Upstream:
 * restoreSpecsFromContainerLabels.
 */
async function restoreSpecs(ctx: Context, { runtime }: RuntimeDependencies, id: ContainerID): Promise<Specs> {
  const { status } = await runtime.containerStatus(ctx, { containerId: id.id });
  const { podName, podNamespace, podUID, containerName } = containerInfoFromLabels(status.labels);
  const annotated = containerInfoFromAnnotations(status.annotations);
  const { preStopHandler } = annotated;
  const container: Container = {
    name: containerName,
    ports: annotated.ports,
    terminationMessagePath: annotated.terminationMessagePath,
    ...(preStopHandler ? { lifecycle: { preStop: preStopHandler } } : {}),
  };
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      uid: podUID,
      name: podName,
      namespace: podNamespace,
      ...(annotated.podDeletionGracePeriod === undefined
        ? {}
        : { deletionGracePeriodSeconds: annotated.podDeletionGracePeriod }),
    },
    spec: {
      containers: [container],
      ...(annotated.podTerminationGracePeriod === undefined
        ? {}
        : { terminationGracePeriodSeconds: annotated.podTerminationGracePeriod }),
    },
  };
  return { pod, container };
}

/**
 * Runs the preStop hook. Waits at most for the grace period; a longer hook continues in the background. Upstream:
 * executePreStopHook.
 * @returns the duration in whole seconds
 */
async function executePreStopHook(
  ctx: Context,
  dependencies: RuntimeDependencies,
  id: ContainerID,
  pod: Pod,
  container: Container,
  grace: number,
): Promise<number> {
  const handler = container.lifecycle?.preStop;
  if (!handler) return 0;
  const start = ctx.clock.now();
  const hook = ctx.tracer
    .span(
      ctx,
      kuberuntimePoints.preStop,
      { container: container.name, containerID: id.id, handler, graceSeconds: grace },
      (inner) => runHook(inner, dependencies, id, pod, container, handler),
    )
    .catch((error: unknown) => {
      containerEvent(
        ctx,
        dependencies,
        pod,
        container,
        id.id,
        'Warning',
        'FailedPreStopHook',
        dependencies.profile.texts.preStopFailed(errorMessage(error)),
      );
    });
  const limit = new AbortController();
  try {
    await Promise.race([hook, sleep(ctx.clock, grace * 1000, limit.signal).catch(() => undefined)]);
  } finally {
    limit.abort();
  }
  return Math.trunc((ctx.clock.now() - start) / 1000);
}
