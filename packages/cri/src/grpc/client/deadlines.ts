/**
 * Returns the time limit of each CRI call, as in the kubelet's client. Upstream: remote_runtime.go, remote_image.go
 * (cri-client, v1.36).
 */
import type { CheckpointContainerRequest, ExecSyncRequest, StopContainerRequest } from '../../messages.ts';
import type { CriMethod } from '../../services.ts';

/** The kubelet's `runtimeRequestTimeout`, in milliseconds. */
export const defaultRequestTimeout = 120_000;

/** Returns a time limit in ms; undefined for no limit. */
type Rule = (request: object, requestTimeout: number) => number | undefined;

const unlimited: Rule = () => undefined;
const plain: Rule = (_, requestTimeout) => requestTimeout;

const exceptions: Readonly<Partial<Record<CriMethod, Rule>>> = {
  // The limit is doubled, because the call may pull an image and call network plugins.
  RunPodSandbox: (_, requestTimeout) => 2 * requestTimeout,
  // The limit is added to the grace period of the container.
  StopContainer: (request, requestTimeout) => requestTimeout + (request as StopContainerRequest).timeout * 1000,
  ExecSync: (request, requestTimeout) => {
    const { timeout } = request as ExecSyncRequest;
    return timeout > 0 ? requestTimeout + timeout * 1000 : undefined;
  },
  CheckpointContainer: (request, requestTimeout) => {
    const { timeout } = request as CheckpointContainerRequest;
    return timeout < 0 ? undefined : timeout === 0 ? requestTimeout : Math.max(timeout * 1000, requestTimeout);
  },
  PullImage: unlimited,
  // As in the kubelet, the call has no limit, because it reads all containers.
  ListContainerStats: unlimited,
  GetContainerEvents: unlimited,
  ListMetricDescriptors: unlimited,
  ListPodSandboxMetrics: unlimited,
};

/** Returns the time limit of a call in ms; undefined for no limit. */
export const callTimeout = (method: CriMethod, request: object, requestTimeout: number): number | undefined =>
  (exceptions[method] ?? plain)(request, requestTimeout);
