/** Stops one container. Upstream: kuberuntime_container.go killContainer (v1.36 and v1.20). */
import { isCriError } from '@podscope/cri';
import { type Container, findContainer, goQuote, type Pod } from '@podscope/k8s';
import { type Context, sleep } from '@podscope/trace';
import type { KillReason } from '../compute-pod-actions/pod-actions.ts';
import { containerEvent } from '../container/container-event.ts';
import { containerInfoFromAnnotations, containerInfoFromLabels } from '../labels.ts';
import { runHook } from '../lifecycle/hooks.ts';
import { kuberuntimePoints } from '../points.ts';
import { type ContainerID, formatContainerID, formatPod } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import { errorMessage } from '../util/errors.ts';
import type { TerminationOrder } from './termination-order.ts';

export interface KillRequest {
  /** Undefined: the pod is gone from the API. */
  readonly pod: Pod | undefined;
  readonly id: ContainerID;
  readonly name: string;
  /** What the event says; empty for the usual words. */
  readonly message: string;
  readonly reason: KillReason;
  readonly gracePeriodOverride?: number;
  readonly order?: TerminationOrder;
}

/** @throws Error when the container is not of the pod, or the runtime can't stop it */
export function killContainer(ctx: Context, parts: RuntimeParts, request: KillRequest): Promise<void> {
  const { id, name, message, reason, gracePeriodOverride } = request;
  const attributes = { container: name, containerID: id.id, message, reason, gracePeriodOverride };
  return ctx.tracer.span(ctx, kuberuntimePoints.killContainer, attributes, (inner) => kill(inner, parts, request));
}

async function kill(ctx: Context, parts: RuntimeParts, request: KillRequest): Promise<void> {
  const { id, name, reason, gracePeriodOverride, order } = request;
  const { profile, runtime } = parts;
  const { pod, container } = request.pod ? known(parts, request.pod, request) : await restoreSpecs(ctx, parts, id);
  const grace = profile.gracePeriod(pod, container, reason);
  containerEvent(ctx, parts, pod, container, id.id, 'Normal', 'Killing', request.message || `Stopping container ${container.name}`);
  const timeout = await profile.timeToStop(grace, gracePeriodOverride, {
    preStop: (seconds) => executePreStopHook(ctx, parts, id, pod, container, seconds),
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

function known({ profile }: RuntimeParts, pod: Pod, { id, name, message }: KillRequest): Specs {
  const container = findContainer(pod, name)?.container;
  if (container) return { pod, container };
  throw new Error(profile.texts.unknownContainerToKill(goQuote(name), goQuote(formatContainerID(id)), goQuote(formatPod(pod)), goQuote(message)));
}

/** As much of pod and container as the labels and annotations tell. Upstream: restoreSpecsFromContainerLabels. */
async function restoreSpecs(ctx: Context, { runtime }: RuntimeParts, id: ContainerID): Promise<Specs> {
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
      ...(annotated.podDeletionGracePeriod === undefined ? {} : { deletionGracePeriodSeconds: annotated.podDeletionGracePeriod }),
    },
    spec: {
      containers: [container],
      ...(annotated.podTerminationGracePeriod === undefined ? {} : { terminationGracePeriodSeconds: annotated.podTerminationGracePeriod }),
    },
  };
  return { pod, container };
}

/**
 * Runs the hook, waiting no longer than the grace period; gives the whole seconds it took. A hook that takes longer goes on by itself.
 * Upstream: executePreStopHook.
 */
async function executePreStopHook(ctx: Context, parts: RuntimeParts, id: ContainerID, pod: Pod, container: Container, grace: number): Promise<number> {
  const handler = container.lifecycle?.preStop;
  if (!handler) return 0;
  const start = ctx.clock.now();
  const hook = ctx.tracer
    .span(ctx, kuberuntimePoints.preStop, { container: container.name, containerID: id.id, handler, graceSeconds: grace }, (inner) =>
      runHook(inner, parts, id, pod, container, handler),
    )
    .catch((error: unknown) => {
      containerEvent(ctx, parts, pod, container, id.id, 'Warning', 'FailedPreStopHook', parts.profile.texts.preStopFailed(errorMessage(error)));
    });
  const limit = new AbortController();
  try {
    await Promise.race([hook, sleep(ctx.clock, grace * 1000, limit.signal).catch(() => undefined)]);
  } finally {
    limit.abort();
  }
  return Math.trunc((ctx.clock.now() - start) / 1000);
}
