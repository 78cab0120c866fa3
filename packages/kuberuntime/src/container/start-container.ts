/**
 * Starts one container: pulls its image, creates and starts it, and runs its postStart hook. Upstream:
 * kuberuntime_container.go startContainer (v1.36 and v1.20).
 */
import { asError, errorMessage, errorText } from '@podscope/base';
import type { ContainerConfig, PodSandboxConfig } from '@podscope/cri';
import { kuberuntimePoints } from '@podscope/flow';
import type { Container, EphemeralContainer, Pod, Secret } from '@podscope/k8s';
import type { Context, SpanContext } from '@podscope/trace';
import type { ImageVolumes } from '../helper/mounts.ts';
import { killContainer } from '../kill/kill-container.ts';
import { HookError, runHook } from '../lifecycle/hooks.ts';
import { buildContainerLogsPath, buildPodLogsDirectory, legacyLogSymlink } from '../log-paths.ts';
import { actuatedAtStart } from '../resize/actuated-resources.ts';
import { type ContainerID, findContainerStatusByName, type PodStatus } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { ActionError } from '../sync/action-error.ts';
import { SyncError } from '../sync/sync-result.ts';
import { type GeneratedContainerConfig, generateContainerConfig } from './container-config.ts';
import { containerEvent } from './container-event.ts';

export interface StartRequest {
  readonly sandboxID: string;
  readonly sandboxConfig: PodSandboxConfig;
  readonly pod: Pod;
  readonly container: Container | EphemeralContainer;
  readonly podStatus: PodStatus;
  readonly pullSecrets: readonly Secret[];
  readonly podIPs: readonly string[];
  readonly imageVolumes: ImageVolumes;
}

const failure = (name: string, message: string, cause: unknown): ActionError =>
  new ActionError(new SyncError(name, { cause }), message);

/**
 * Starts a container. Resolves when its postStart hook has finished.
 * @throws ActionError; its name is the container's waiting reason
 */
export function startContainer(ctx: Context, dependencies: RuntimeDependencies, request: StartRequest): Promise<void> {
  const { container } = request;
  const attributes = { container: container.name, image: container.image };
  let config: ContainerConfig | undefined;
  let attempt = countFromStatus(request) ?? 0;
  const exposures = { containerSpec: () => container, containerConfig: () => config, attempt: () => attempt };
  const body = async (inner: SpanContext): Promise<void> => {
    const imageRef = await ensureImage(inner, dependencies, request);
    const restartCount = await restartCountOf(dependencies, request);
    attempt = restartCount;
    const generated = await configure(inner, dependencies, request, imageRef, restartCount);
    config = generated.config;
    try {
      recordActuated(dependencies, request);
      config = await preCreate(inner, dependencies, request, config);
      const id = await create(inner, dependencies, request, config);
      inner.span.set({ containerID: id, imageRef, restartCount });
      await start(inner, dependencies, request, id);
      await linkLog(inner, dependencies, request, id, restartCount);
      await postStart(inner, dependencies, request, id);
    } finally {
      await generated.cleanup?.();
    }
  };
  return ctx.tracer.span(ctx, kuberuntimePoints.startContainer, attributes, body, exposures);
}

/** Records the resources with which the container was started. Later resizes are compared with them. */
function recordActuated({ actuated, gates }: RuntimeDependencies, { pod, container }: StartRequest): void {
  const resources = actuatedAtStart(pod, container, gates.InPlacePodLevelResourcesVerticalScaling);
  actuated.setContainer(pod.metadata.uid, container.name, resources);
}

type EmitEvent = (type: 'Normal' | 'Warning', reason: string, message: string, containerID?: string) => void;

const eventEmitterFor =
  (ctx: Context, dependencies: RuntimeDependencies, { pod, container }: StartRequest): EmitEvent =>
  (type, reason, message, containerID = '') =>
    containerEvent(ctx, dependencies, pod, container, containerID, type, reason, message);

async function ensureImage(ctx: Context, dependencies: RuntimeDependencies, request: StartRequest): Promise<string> {
  const { pod, container, pullSecrets, sandboxConfig } = request;
  const { name, image = '', imagePullPolicy: pullPolicy } = container;
  try {
    return await ctx.tracer.span(
      ctx,
      kuberuntimePoints.ensureImageExists,
      { container: name, image, pullPolicy },
      (inner) =>
        dependencies.profile.ensureImage(inner, dependencies.imageManager, {
          pod,
          container,
          image,
          pullPolicy,
          pullSecrets,
          sandboxConfig,
        }),
    );
  } catch (error) {
    const known = error instanceof ActionError ? error : new ActionError(asError(error), errorText(error));
    eventEmitterFor(ctx, dependencies, request)('Warning', 'Failed', `Error: ${known.reason}`);
    throw known;
  }
}

const rotatedLog = /^(\d+)\.log(?:\..*)?$/;

/**
 * Returns the restart count of the new instance, which is one more than that of the last status; undefined without a
 * status.
 */
function countFromStatus({ container, podStatus }: StartRequest): number | undefined {
  const status = findContainerStatusByName(podStatus, container.name);
  return status && status.restartCount + 1;
}

/**
 * Returns the restart count for the new instance: one more than the count in the last status or, if the container has
 * no status, in the name of the last log file.
 */
async function restartCountOf(
  { profile, os, podLogsDir }: RuntimeDependencies,
  request: StartRequest,
): Promise<number> {
  const { pod, container } = request;
  const known = countFromStatus(request);
  if (known !== undefined) return known;
  if (!profile.restartCountFromLogs) return 0;
  try {
    const names = await os.readDir(`${buildPodLogsDirectory(podLogsDir, pod)}/${container.name}`);
    return 1 + Math.max(-1, ...names.map((name) => Number(rotatedLog.exec(name)?.[1] ?? -1)));
  } catch {
    return 0;
  }
}

/**
 * Returns the target of an ephemeral container; undefined for other containers.
 * @throws Error when the target has no status
 */
function targetOf(container: Container | EphemeralContainer, podStatus: PodStatus): ContainerID | undefined {
  const name = 'targetContainerName' in container ? container.targetContainerName : undefined;
  if (!name) return undefined;
  const status = findContainerStatusByName(podStatus, name);
  if (!status) throw new Error(`unable to find target container ${name}`);
  return status.id;
}

async function configure(
  ctx: Context,
  dependencies: RuntimeDependencies,
  request: StartRequest,
  imageRef: string,
  restartCount: number,
): Promise<GeneratedContainerConfig> {
  const { pod, container, podStatus, podIPs, imageVolumes } = request;
  try {
    const target = targetOf(container, podStatus);
    return await generateContainerConfig(ctx, dependencies, {
      pod,
      container,
      restartCount,
      podIPs,
      imageRef,
      imageVolumes,
      target,
    });
  } catch (error) {
    const message = errorMessage(error);
    eventEmitterFor(ctx, dependencies, request)('Warning', 'Failed', `Error: ${message}`);
    throw failure('CreateContainerConfigError', message, error);
  }
}

/**
 * Returns the configuration with the assignments of the resource managers. Upstream:
 * internalLifecycle.PreCreateContainer (v1.36).
 */
async function preCreate(
  ctx: Context,
  dependencies: RuntimeDependencies,
  request: StartRequest,
  config: ContainerConfig,
): Promise<ContainerConfig> {
  if (!dependencies.profile.callsPreCreateContainer) return config;
  const { pod, container } = request;
  try {
    return await ctx.tracer.span(ctx, kuberuntimePoints.preCreateContainer, { container: container.name }, (inner) =>
      dependencies.internalLifecycle.preCreateContainer(inner, pod, container, config),
    );
  } catch (error) {
    const message = errorMessage(error);
    eventEmitterFor(ctx, dependencies, request)(
      'Warning',
      'Failed',
      `Internal PreCreateContainer hook failed: ${message}`,
    );
    throw failure('PreCreateHookError', message, error);
  }
}

async function create(
  ctx: Context,
  dependencies: RuntimeDependencies,
  request: StartRequest,
  config: ContainerConfig,
): Promise<string> {
  const { sandboxID, sandboxConfig, container } = request;
  const emitEvent = eventEmitterFor(ctx, dependencies, request);
  try {
    const { containerId } = await dependencies.runtime.createContainer(ctx, {
      podSandboxId: sandboxID,
      config,
      sandboxConfig,
    });
    await preStart(ctx, dependencies, request, containerId);
    emitEvent('Normal', 'Created', dependencies.profile.texts.created(container.name), containerId);
    return containerId;
  } catch (error) {
    if (error instanceof ActionError) throw error;
    const message = errorMessage(error);
    emitEvent('Warning', 'Failed', `Error: ${message}`);
    throw failure('CreateContainerError', message, error);
  }
}

/** Registers the created container with the resource managers. Upstream: internalLifecycle.PreStartContainer. */
async function preStart(
  ctx: Context,
  dependencies: RuntimeDependencies,
  request: StartRequest,
  containerID: string,
): Promise<void> {
  const { pod, container } = request;
  try {
    await ctx.tracer.span(
      ctx,
      kuberuntimePoints.preStartContainer,
      { container: container.name, containerID },
      (inner) => dependencies.internalLifecycle.preStartContainer(inner, pod, container, containerID),
    );
  } catch (error) {
    const message = errorMessage(error);
    eventEmitterFor(ctx, dependencies, request)(
      'Warning',
      'Failed',
      `Internal PreStartContainer hook failed: ${message}`,
      containerID,
    );
    throw failure('PreStartHookError', message, error);
  }
}

async function start(
  ctx: Context,
  dependencies: RuntimeDependencies,
  request: StartRequest,
  containerId: string,
): Promise<void> {
  const emitEvent = eventEmitterFor(ctx, dependencies, request);
  try {
    await dependencies.runtime.startContainer(ctx, { containerId });
  } catch (error) {
    const message = errorMessage(error);
    emitEvent('Warning', 'Failed', `Error: ${message}`, containerId);
    throw failure('RunContainerError', message, error);
  }
  emitEvent('Normal', 'Started', dependencies.profile.texts.started(request.container.name), containerId);
}

/**
 * Creates a link to the container's log, for log collectors that watch a single directory. If that fails, the container
 * is still started.
 */
async function linkLog(
  ctx: Context,
  dependencies: RuntimeDependencies,
  { pod, container }: StartRequest,
  id: string,
  restartCount: number,
): Promise<void> {
  const { os, legacyLogDir, podLogsDir } = dependencies;
  if (legacyLogDir === undefined) return;
  const log = `${buildPodLogsDirectory(podLogsDir, pod)}/${buildContainerLogsPath(container.name, restartCount)}`;
  const link = legacyLogSymlink(legacyLogDir, pod.metadata.name, pod.metadata.namespace ?? '', container.name, id);
  try {
    if (!(await os.exists(log))) return;
    await os.symlink(log, link);
    ctx.tracer.decide(ctx, 'startContainer.logLink', { log }, link, false);
  } catch (error) {
    ctx.tracer.emit(ctx, {
      type: 'output',
      level: 'warning',
      message: `log link ${link} of container ${container.name}: ${errorText(error)}`,
    });
  }
}

async function postStart(
  ctx: Context,
  dependencies: RuntimeDependencies,
  request: StartRequest,
  id: string,
): Promise<void> {
  const { pod, container } = request;
  const handler = container.lifecycle?.postStart;
  if (!handler) return;
  const containerID: ContainerID = { type: dependencies.runtimeName, id };
  const { texts } = dependencies.profile;
  try {
    await ctx.tracer.span(
      ctx,
      kuberuntimePoints.postStart,
      { container: container.name, containerID: id, handler },
      (inner) => runHook(inner, dependencies, containerID, pod, container, handler),
    );
  } catch (error) {
    const message = errorMessage(error);
    eventEmitterFor(ctx, dependencies, request)('Warning', 'FailedPostStartHook', texts.postStartFailed(message), id);
    try {
      await killContainer(ctx, dependencies, {
        pod,
        id: containerID,
        name: container.name,
        message: 'FailedPostStartHook',
        reason: 'FailedPostStartHook',
      });
    } catch (killError) {
      ctx.tracer.emit(ctx, {
        type: 'output',
        level: 'error',
        message: `container ${container.name} can't be killed after its postStart hook failed: ${errorText(killError)}`,
      });
    }
    throw failure(texts.postStartError(errorText(error instanceof HookError ? error.cause : error)), message, error);
  }
}
