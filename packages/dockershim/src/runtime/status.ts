/** Version, Status and the runtime's configuration. */
import type {
  RuntimeCondition,
  RuntimeConfigResponse,
  RuntimeHandler,
  StatusRequest,
  StatusResponse,
  UpdateRuntimeConfigRequest,
  UpdateRuntimeConfigResponse,
  VersionResponse,
} from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { canMountRecursively } from '../container/recursive-readonly.ts';
import { wrapError } from '../docker/error.ts';
import type { Shim } from '../shim.ts';

/** The kubelet's own API version of old, which every runtime repeats. */
const kubeApiVersion = '0.1.0';

/** Upstream: Version (dockershim docker_service.go, v1.20). */
export async function version(shim: Shim, ctx: Context): Promise<VersionResponse> {
  const { Version } = await shim.docker.version(ctx, {}).catch((error: unknown) => {
    throw wrapError('failed to get docker version', error);
  });
  return { version: kubeApiVersion, runtimeName: 'docker', runtimeVersion: Version, runtimeApiVersion: 'v1' };
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Never fails: an engine that does not answer is a condition. Upstream: Status (dockershim docker_service.go, v1.20). */
export async function status(shim: Shim, ctx: Context, { verbose }: StatusRequest): Promise<StatusResponse> {
  const [engineFailure, networkFailure] = await Promise.all([
    shim.docker.version(ctx, {}).then(() => undefined, errorText),
    shim.network.status(ctx).then(() => undefined, errorText),
  ]);
  const conditions = [
    condition('RuntimeReady', 'DockerDaemonNotReady', engineFailure && `docker: failed to get docker version: ${engineFailure}`),
    condition('NetworkReady', 'NetworkPluginNotReady', networkFailure && `docker: network plugin is not ready: ${networkFailure}`),
  ];
  const info = verbose ? { info: { config: JSON.stringify({ sandboxImage: shim.options.sandboxImage }) } } : {};
  const runtimeHandlers = engineFailure ? [] : await handlers(shim, ctx);
  return { status: { conditions }, runtimeHandlers, features: { supplementalGroupsPolicy: true, userNamespacesHostNetwork: false }, ...info };
}

const condition = (type: string, reason: string, message: string | undefined): RuntimeCondition =>
  message ? { type, status: false, reason, message } : { type, status: true, reason: '', message: '' };

async function handlers(shim: Shim, ctx: Context): Promise<RuntimeHandler[]> {
  const { Runtimes } = await shim.docker.info(ctx, {}).catch(() => ({ Runtimes: {} }));
  const features = { recursiveReadOnlyMounts: canMountRecursively(shim), userNamespaces: false };
  return ['', ...Object.keys(Runtimes).toSorted()].map((name) => ({ name, features }));
}

/** Upstream: UpdateRuntimeConfig (dockershim docker_service.go, v1.20). */
export async function updateRuntimeConfig(shim: Shim, ctx: Context, { runtimeConfig }: UpdateRuntimeConfigRequest): Promise<UpdateRuntimeConfigResponse> {
  const podCidr = runtimeConfig?.networkConfig?.podCidr;
  if (podCidr) await shim.network.podCidrChanged(ctx, podCidr);
  return {};
}

/** How the kubelet must spell cgroup parents. */
export const runtimeConfig = (shim: Shim): RuntimeConfigResponse => ({ linux: { cgroupDriver: shim.engine.cgroupDriver } });
