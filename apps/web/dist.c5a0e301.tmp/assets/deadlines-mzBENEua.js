var e=`/**
 * How long each call may take, as the kubelet's remote client has it. Upstream: remoteRuntimeService, remoteImageService (cri-client
 * remote_runtime.go, remote_image.go, v1.36).
 */
import type { CheckpointContainerRequest, ExecSyncRequest, StopContainerRequest } from '../messages.ts';
import type { CriMethod } from '../services.ts';

/** The kubelet's \`runtimeRequestTimeout\`, in milliseconds. */
export const defaultRequestTimeout = 120_000;

/** Milliseconds; undefined: as long as it takes. */
type Rule = (request: object, requestTimeout: number) => number | undefined;

const unlimited: Rule = () => undefined;
const plain: Rule = (_, requestTimeout) => requestTimeout;

const exceptions: Readonly<Partial<Record<CriMethod, Rule>>> = {
  // Twice: a sandbox pulls an image and calls network plugins.
  RunPodSandbox: (_, requestTimeout) => 2 * requestTimeout,
  StopPodSandbox: (_, requestTimeout) => 2 * requestTimeout,
  // Beside the grace that the container is given.
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
  // Walks over every container; the kubelet lets it.
  ListContainerStats: unlimited,
  GetContainerEvents: unlimited,
  ListMetricDescriptors: unlimited,
  ListPodSandboxMetrics: unlimited,
};

/** The time limit of one call in milliseconds; undefined for none. */
export const callTimeout = (method: CriMethod, request: object, requestTimeout: number): number | undefined =>
  (exceptions[method] ?? plain)(request, requestTimeout);
`;export{e as default};
//# sourceMappingURL=deadlines-mzBENEua.js.map