/**
 * Implements Version, Status, UpdateRuntimeConfig and RuntimeConfig. Upstream: dockershim docker_service.go (v1.20).
 */
import { errorMessage } from '@podscope/base';
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
import { canMountRecursively } from '../container/create/recursive-readonly.ts';
import type { DockershimDependencies } from '../dependencies.ts';
import { wrapError } from '../docker/error.ts';

/** The constant `kubeAPIVersion` of dockershim. Every runtime returns this version. */
const kubeApiVersion = '0.1.0';

/**
 * Returns the engine's version and API version. Upstream: Version (dockershim docker_service.go, v1.20).
 * @throws CriError Unavailable if the engine doesn't answer
 */
export async function version(ctx: Context, dependencies: DockershimDependencies): Promise<VersionResponse> {
  const { Version, ApiVersion } = await dependencies.docker.version(ctx, {}).catch((error: unknown) => {
    throw wrapError('failed to get docker version', error);
  });
  // Kubelets before 1.24 parse this value as the version of the Docker API, which must be a semantic version.
  const runtimeApiVersion = `${ApiVersion}.0`;
  return { version: kubeApiVersion, runtimeName: 'docker', runtimeVersion: Version, runtimeApiVersion };
}

/**
 * Returns the conditions of the runtime and the network. If the engine doesn't answer, the condition reports it; the
 * call doesn't fail. Upstream: Status (dockershim docker_service.go, v1.20).
 */
export async function status(
  ctx: Context,
  dependencies: DockershimDependencies,
  { verbose }: StatusRequest,
): Promise<StatusResponse> {
  const [engineFailure, networkFailure] = await Promise.all([
    dependencies.docker.version(ctx, {}).then(() => undefined, errorMessage),
    dependencies.network.status(ctx).then(() => undefined, errorMessage),
  ]);
  const conditions = [
    condition(
      'RuntimeReady',
      'DockerDaemonNotReady',
      engineFailure && `docker: failed to get docker version: ${engineFailure}`,
    ),
    condition(
      'NetworkReady',
      'NetworkPluginNotReady',
      networkFailure && `docker: network plugin is not ready: ${networkFailure}`,
    ),
  ];
  const info = verbose ? { info: { config: JSON.stringify({ sandboxImage: dependencies.options.sandboxImage }) } } : {};
  const runtimeHandlers = engineFailure ? [] : await handlers(ctx, dependencies);
  return {
    status: { conditions },
    runtimeHandlers,
    features: { supplementalGroupsPolicy: true, userNamespacesHostNetwork: false },
    ...info,
  };
}

const condition = (type: string, reason: string, message: string | undefined): RuntimeCondition =>
  message ? { type, status: false, reason, message } : { type, status: true, reason: '', message: '' };

async function handlers(ctx: Context, dependencies: DockershimDependencies): Promise<RuntimeHandler[]> {
  const { Runtimes } = await dependencies.docker.info(ctx, {}).catch(() => ({ Runtimes: {} }));
  const features = { recursiveReadOnlyMounts: canMountRecursively(dependencies), userNamespaces: false };
  return ['', ...Object.keys(Runtimes).toSorted()].map((name) => ({ name, features }));
}

/**
 * Informs the network plugin of the node's pod CIDR. Upstream: UpdateRuntimeConfig (dockershim docker_service.go,
 * v1.20).
 */
export async function updateRuntimeConfig(
  ctx: Context,
  dependencies: DockershimDependencies,
  { runtimeConfig }: UpdateRuntimeConfigRequest,
): Promise<UpdateRuntimeConfigResponse> {
  const podCidr = runtimeConfig?.networkConfig?.podCidr;
  if (podCidr) await dependencies.network.podCidrChanged(ctx, podCidr);
  return {};
}

/** Returns the cgroup driver. It determines the form in which the kubelet writes cgroup parents. */
export const runtimeConfig = (dependencies: DockershimDependencies): RuntimeConfigResponse => ({
  linux: { cgroupDriver: dependencies.engine.cgroupDriver },
});
