/**
 * Builds the CRI configuration of a container. Upstream: kuberuntime_container.go generateContainerConfig (v1.36 and
 * v1.20).
 */
import { errorText } from '@podscope/base';
import type { ContainerConfig, Mount, NamespaceOption, Signal } from '@podscope/cri';
import { type Container, expand, mappingOf, type Pod } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { ImageVolumes } from '../helper/mounts.ts';
import { newContainerAnnotations, newContainerLabels } from '../labels.ts';
import { buildContainerLogsPath, buildPodLogsDirectory } from '../log-paths.ts';
import type { ContainerID, RunContainerOptions } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { randomHex } from '../util/random-hex.ts';
import { type ImageUser, verifyRunAsNonRoot } from './security-context.ts';

const logDirectoryMode = 0o755;
const terminationLogMode = 0o666;

export interface ContainerConfigRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly restartCount: number;
  readonly podIPs: readonly string[];
  readonly imageRef: string;
  readonly imageVolumes: ImageVolumes;
  /** The container whose processes an ephemeral container sees; undefined without a target. */
  readonly target: ContainerID | undefined;
}

export interface GeneratedContainerConfig {
  readonly config: ContainerConfig;
  /** Undoes the preparations for the start. It has to be called when the start has finished. */
  readonly cleanup: (() => Promise<void>) | undefined;
}

/**
 * Returns the configuration of a container and a cleanup. If an error occurs after the preparations, this function runs
 * the cleanup itself.
 * @throws Error when the container can't be configured
 */
export async function generateContainerConfig(
  ctx: Context,
  dependencies: RuntimeDependencies,
  request: ContainerConfigRequest,
): Promise<GeneratedContainerConfig> {
  const { pod, container, podIPs, imageVolumes } = request;
  const { options, cleanup } = await dependencies.helper.generateRunContainerOptions(
    ctx,
    pod,
    container,
    podIPs[0] ?? '',
    podIPs,
    imageVolumes,
  );
  try {
    return { config: await containerConfig(ctx, dependencies, request, options), cleanup };
  } catch (error) {
    await cleanup?.();
    throw error;
  }
}

async function containerConfig(
  ctx: Context,
  dependencies: RuntimeDependencies,
  request: ContainerConfigRequest,
  options: RunContainerOptions,
): Promise<ContainerConfig> {
  const { pod, container, restartCount, imageRef } = request;
  const { profile, gates } = dependencies;
  const user = await getImageUser(ctx, dependencies, container.image ?? '');
  verifyRunAsNonRoot(pod, container, user, profile.name);
  const values = mappingOf(new Map(options.envs.map(({ name, value }) => [name, value])));
  const logPath = buildContainerLogsPath(container.name, restartCount);
  await makeLogDirectory(dependencies, pod, container.name);
  const stopSignal = gates.ContainerStopSignals ? container.lifecycle?.stopSignal : undefined;
  const own = Object.fromEntries(options.annotations.map(({ name, value }) => [name, value]));
  const config: ContainerConfig = {
    metadata: { name: container.name, attempt: restartCount },
    image: { image: imageRef, ...(profile.userSpecifiedImage ? { userSpecifiedImage: container.image ?? '' } : {}) },
    command: container.command?.map((part) => expand(part, values)) ?? [],
    args: container.args?.map((part) => expand(part, values)) ?? [],
    workingDir: container.workingDir ?? '',
    envs: options.envs.map(({ name, value }) => ({ key: name, value })),
    mounts: await makeMounts(ctx, dependencies, container, options),
    devices: options.devices.map(({ pathOnHost, pathInContainer, permissions }) => ({
      hostPath: pathOnHost,
      containerPath: pathInContainer,
      permissions,
    })),
    ...(options.cdiDevices.length > 0 ? { CDIDevices: options.cdiDevices.map((name) => ({ name })) } : {}),
    labels: newContainerLabels(container, pod),
    annotations: newContainerAnnotations(container, pod, restartCount, profile.hashContainer(container), own),
    logPath,
    stdin: container.stdin ?? false,
    stdinOnce: container.stdinOnce ?? false,
    tty: container.tty ?? false,
    linux: {
      resources: profile.linuxResources(dependencies, pod, container),
      securityContext: profile.securityContext({
        pod,
        container,
        user,
        namespaces: withTarget(profile.namespaces(pod), request.target),
        extraGroups: dependencies.helper.getExtraSupplementalGroupsForPod(pod),
        node: dependencies.node,
      }),
    },
    ...(stopSignal ? { stopSignal: stopSignal as Signal } : {}),
  };
  const { envs = [], mounts = [] } = config;
  ctx.tracer.decide(
    ctx,
    'generateContainerConfig',
    () => ({ container: container.name, user, logPath, resources: config.linux?.resources }),
    `attempt ${restartCount} with ${envs.length} environment variables and ${mounts.length} mounts`,
    false,
  );
  return config;
}

/** Returns the user that the image runs as, or root if the image specifies none. Upstream: getImageUser. */
async function getImageUser(ctx: Context, dependencies: RuntimeDependencies, image: string): Promise<ImageUser> {
  const { image: found } = await dependencies.images.imageStatus(ctx, { image: { image } });
  if (found?.uid) return { uid: found.uid.value };
  return found?.username ? { username: found.username } : { uid: 0 };
}

async function makeLogDirectory({ os, podLogsDir }: RuntimeDependencies, pod: Pod, container: string): Promise<void> {
  try {
    await os.mkdirAll(`${buildPodLogsDirectory(podLogsDir, pod)}/${container}`, logDirectoryMode);
  } catch (cause) {
    throw new Error(`create container log directory for container ${container} failed: ${errorText(cause)}`, { cause });
  }
}

/**
 * Adds the target to the namespaces. An ephemeral container joins the process namespace of its target, unless all
 * containers of the pod share one.
 */
const withTarget = (namespaces: NamespaceOption, target: ContainerID | undefined): NamespaceOption =>
  target && namespaces.pid === 'CONTAINER' ? { ...namespaces, pid: 'TARGET', targetId: target.id } : namespaces;

/** Returns the mounts: those from the kubelet, then the termination message file. Upstream: makeMounts. */
async function makeMounts(
  ctx: Context,
  dependencies: RuntimeDependencies,
  container: Container,
  options: RunContainerOptions,
): Promise<readonly Mount[]> {
  const mounts: Mount[] = options.mounts.map((mount) => ({
    containerPath: mount.containerPath,
    hostPath: mount.hostPath,
    readonly: mount.readOnly,
    selinuxRelabel: mount.selinuxRelabel ?? false,
    propagation: mount.propagation,
    recursiveReadOnly: mount.recursiveReadOnly ?? false,
    ...(mount.image ? { image: mount.image, imageSubPath: mount.imageSubPath ?? '' } : {}),
  }));
  if (options.podContainerDir === '' || !container.terminationMessagePath) return mounts;
  const hostPath = `${options.podContainerDir}/${randomHex(dependencies.random, 8)}`;
  try {
    await dependencies.os.writeFile(hostPath, '', terminationLogMode);
    mounts.push({
      containerPath: container.terminationMessagePath,
      hostPath,
      readonly: false,
      selinuxRelabel: false,
      propagation: 'PROPAGATION_PRIVATE',
    });
  } catch (error) {
    // The container runs without this file; only its termination message is lost.
    ctx.tracer.emit(ctx, {
      type: 'output',
      level: 'warning',
      message: `termination log of container ${container.name}: ${errorText(error)}`,
    });
  }
  return mounts;
}
