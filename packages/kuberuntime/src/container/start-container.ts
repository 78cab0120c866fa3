/** Starts one container: image, configuration, creation, start, hook. Upstream: kuberuntime_container.go startContainer (v1.36 and v1.20). */
import type { PodSandboxConfig } from '@podscope/cri';
import type { Container, EphemeralContainer, Pod, Secret } from '@podscope/k8s';
import type { Context, SpanContext } from '@podscope/trace';
import { ActionError } from '../action-error.ts';
import type { ImageVolumes } from '../helper/mounts.ts';
import { killContainer } from '../kill/kill-container.ts';
import { HookError, runHook } from '../lifecycle/hooks.ts';
import { buildContainerLogsPath, buildPodLogsDirectory, legacyLogSymlink } from '../log-paths.ts';
import { kuberuntimePoints } from '../points.ts';
import { actuatedAtStart } from '../resize/actuated-resources.ts';
import { type ContainerID, findContainerStatusByName, type PodStatus } from '../runtime.ts';
import type { RuntimeParts } from '../runtime-parts.ts';
import { SyncError } from '../sync-result.ts';
import { errorMessage, errorText } from '../util/errors.ts';
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

const failure = (name: string, message: string, cause: unknown): ActionError => new ActionError(new SyncError(name, { cause }), message);

/** @throws ActionError named as the container's waiting reason will be */
export function startContainer(ctx: Context, parts: RuntimeParts, request: StartRequest): Promise<void> {
  const { container } = request;
  const attributes = { container: container.name, image: container.image };
  let config: GeneratedContainerConfig['config'] | undefined;
  const exposures = { containerSpec: () => container, containerConfig: () => config };
  const body = async (inner: SpanContext): Promise<void> => {
    const imageRef = await ensureImage(inner, parts, request);
    const restartCount = await restartCountOf(parts, request);
    const generated = await configure(inner, parts, request, imageRef, restartCount);
    config = generated.config;
    try {
      recordActuated(parts, request);
      const id = await create(inner, parts, request, generated);
      inner.span.set({ containerID: id, imageRef, restartCount });
      await start(inner, parts, request, id);
      await linkLog(inner, parts, request, id, restartCount);
      await postStart(inner, parts, request, id);
    } finally {
      await generated.cleanup?.();
    }
  };
  return ctx.tracer.span(ctx, kuberuntimePoints.startContainer, attributes, body, exposures);
}

/** A later resize is measured against this. */
function recordActuated({ actuated, gates }: RuntimeParts, { pod, container }: StartRequest): void {
  const resources = actuatedAtStart(pod, container, gates.InPlacePodLevelResourcesVerticalScaling);
  actuated.setContainer(pod.metadata.uid, container.name, resources);
}

type Say = (type: 'Normal' | 'Warning', reason: string, message: string, containerID?: string) => void;

const sayFor =
  (ctx: Context, parts: RuntimeParts, { pod, container }: StartRequest): Say =>
  (type, reason, message, containerID = '') =>
    containerEvent(ctx, parts, pod, container, containerID, type, reason, message);

async function ensureImage(ctx: Context, parts: RuntimeParts, request: StartRequest): Promise<string> {
  const { pod, container, pullSecrets, sandboxConfig } = request;
  const { name, image = '', imagePullPolicy: pullPolicy } = container;
  try {
    return await ctx.tracer.span(ctx, kuberuntimePoints.ensureImageExists, { container: name, image, pullPolicy }, (inner) =>
      parts.profile.ensureImage(inner, parts.imageManager, { pod, container, image, pullPolicy, pullSecrets, sandboxConfig }),
    );
  } catch (error) {
    const known = error instanceof ActionError ? error : new ActionError(error instanceof Error ? error : new Error(String(error)), errorText(error));
    sayFor(ctx, parts, request)('Warning', 'Failed', `Error: ${known.reason}`);
    throw known;
  }
}

const rotatedLog = /^(\d+)\.log(?:\..*)?$/;

/** One more than the last instance; when nothing is known of one, one more than the last that left a log. */
async function restartCountOf({ profile, os, podLogsDir }: RuntimeParts, { pod, container, podStatus }: StartRequest): Promise<number> {
  const status = findContainerStatusByName(podStatus, container.name);
  if (status) return status.restartCount + 1;
  if (!profile.restartCountFromLogs) return 0;
  try {
    const names = await os.readDir(`${buildPodLogsDirectory(podLogsDir, pod)}/${container.name}`);
    return 1 + Math.max(-1, ...names.map((name) => Number(rotatedLog.exec(name)?.[1] ?? -1)));
  } catch {
    return 0;
  }
}

/** For an ephemeral container: whose processes it sees. @throws Error when that one is not known */
function targetOf(container: Container | EphemeralContainer, podStatus: PodStatus): ContainerID | undefined {
  const name = 'targetContainerName' in container ? container.targetContainerName : undefined;
  if (!name) return undefined;
  const status = findContainerStatusByName(podStatus, name);
  if (!status) throw new Error(`unable to find target container ${name}`);
  return status.id;
}

async function configure(ctx: Context, parts: RuntimeParts, request: StartRequest, imageRef: string, restartCount: number): Promise<GeneratedContainerConfig> {
  const { pod, container, podStatus, podIPs, imageVolumes } = request;
  try {
    const target = targetOf(container, podStatus);
    return await generateContainerConfig(ctx, parts, { pod, container, restartCount, podIPs, imageRef, imageVolumes, target });
  } catch (error) {
    const message = errorMessage(error);
    sayFor(ctx, parts, request)('Warning', 'Failed', `Error: ${message}`);
    throw failure('CreateContainerConfigError', message, error);
  }
}

async function create(ctx: Context, parts: RuntimeParts, request: StartRequest, { config }: GeneratedContainerConfig): Promise<string> {
  const { sandboxID, sandboxConfig, container } = request;
  const say = sayFor(ctx, parts, request);
  try {
    const { containerId } = await parts.runtime.createContainer(ctx, { podSandboxId: sandboxID, config, sandboxConfig });
    say('Normal', 'Created', parts.profile.texts.created(container.name), containerId);
    return containerId;
  } catch (error) {
    const message = errorMessage(error);
    say('Warning', 'Failed', `Error: ${message}`);
    throw failure('CreateContainerError', message, error);
  }
}

async function start(ctx: Context, parts: RuntimeParts, request: StartRequest, containerId: string): Promise<void> {
  const say = sayFor(ctx, parts, request);
  try {
    await parts.runtime.startContainer(ctx, { containerId });
  } catch (error) {
    const message = errorMessage(error);
    say('Warning', 'Failed', `Error: ${message}`, containerId);
    throw failure('RunContainerError', message, error);
  }
  say('Normal', 'Started', parts.profile.texts.started(request.container.name), containerId);
}

/** For log collectors that look in one directory; a container runs without it. */
async function linkLog(ctx: Context, parts: RuntimeParts, { pod, container }: StartRequest, id: string, restartCount: number): Promise<void> {
  const { os, legacyLogDir, podLogsDir } = parts;
  if (legacyLogDir === undefined) return;
  const log = `${buildPodLogsDirectory(podLogsDir, pod)}/${buildContainerLogsPath(container.name, restartCount)}`;
  const link = legacyLogSymlink(legacyLogDir, pod.metadata.name, pod.metadata.namespace ?? '', container.name, id);
  try {
    if (await os.exists(log)) await os.symlink(log, link);
  } catch (error) {
    ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `log link ${link} of container ${container.name}: ${errorText(error)}` });
  }
}

async function postStart(ctx: Context, parts: RuntimeParts, request: StartRequest, id: string): Promise<void> {
  const { pod, container } = request;
  const handler = container.lifecycle?.postStart;
  if (!handler) return;
  const containerID: ContainerID = { type: parts.runtimeName, id };
  const { texts } = parts.profile;
  try {
    await ctx.tracer.span(ctx, kuberuntimePoints.postStart, { container: container.name, containerID: id, handler }, (inner) =>
      runHook(inner, parts, containerID, pod, container, handler),
    );
  } catch (error) {
    const message = errorMessage(error);
    sayFor(ctx, parts, request)('Warning', 'FailedPostStartHook', texts.postStartFailed(message), id);
    try {
      await killContainer(ctx, parts, { pod, id: containerID, name: container.name, message: 'FailedPostStartHook', reason: 'FailedPostStartHook' });
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
