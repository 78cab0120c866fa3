/**
 * Rotates the logs of running containers that have become large. Upstream: containerLogManager
 * (pkg/kubelet/logs/container_log_manager.go, v1.36).
 */
import { errorText } from '@podscope/base';
import { instrumentRuntimeService, type RuntimeService } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { OSInterface } from '@podscope/kuberuntime';
import { type Context, type Instant, instant, type Milliseconds } from '@podscope/trace';
import { pause, waitUntil } from '../util/wait.ts';
import { withoutTracing } from '../util/without-tracing.ts';

/** The settings of log rotation. Upstream: LogRotatePolicy. */
export interface LogRotatePolicy {
  /** A log of at least this size in bytes is rotated. */
  readonly maxBytes: number;
  /** The largest number of files of a log. At least 2. */
  readonly maxFiles: number;
}

/** The kubelet's defaults: containerLogMaxSize 10Mi, containerLogMaxFiles 5. */
export const defaultLogRotatePolicy: LogRotatePolicy = { maxBytes: 10 * 1024 ** 2, maxFiles: 5 };

/** Default of containerLogMonitorInterval. */
const monitoringPeriod: Milliseconds = 10_000;
const compressSuffix = '.gz';
const tmpSuffix = '.tmp';

/** The parts of the kubelet that log rotation needs. */
interface LogRotationDependencies {
  readonly logRotation?: LogRotatePolicy;
  readonly os: OSInterface;
  readonly containerRuntime: { readonly runtime: RuntimeService };
  readonly profile?: 'v1.36' | 'v1.20';
}

interface ContainerLogManagerDependencies {
  readonly policy: LogRotatePolicy;
  readonly runtime: Pick<RuntimeService, 'listContainers' | 'containerStatus' | 'reopenContainerLog'>;
  readonly os: Pick<OSInterface, 'fileSize' | 'compress' | 'readDir' | 'rename' | 'remove'>;
}

/**
 * Rotates logs according to the kubelet's policy until the context is aborted. With dockershim, v1.20 leaves that to
 * the engine.
 */
export async function rotateContainerLogs(
  ctx: Context,
  { logRotation: policy, os, containerRuntime, profile }: LogRotationDependencies,
): Promise<void> {
  if (!policy || !os.fileSize || profile === 'v1.20') return;
  const runtime = instrumentRuntimeService(containerRuntime.runtime, profile);
  await containerLogLoop(ctx, { policy, os, runtime });
}

/**
 * Checks the logs at the start and then every ten seconds until the context is aborted. The period doesn't wait for
 * rotations: one worker (upstream's default of containerLogMaxWorkers) makes them, and a container that already waits
 * for it isn't queued again. Only a rotation is traced. A failure is logged, and the next check tries again.
 */
export async function containerLogLoop(ctx: Context, dependencies: ContainerLogManagerDependencies): Promise<void> {
  const waiting = new Set<string>();
  let wake: (() => void) | undefined;
  const queueContainers = async (): Promise<void> => {
    do {
      try {
        const { containers } = await dependencies.runtime.listContainers(withoutTracing(ctx), { filter: {} });
        for (const { id, state } of containers) if (state === 'CONTAINER_RUNNING') waiting.add(id);
        wake?.();
      } catch (error) {
        warn(ctx, `Failed to rotate container logs: failed to list containers: ${errorText(error)}`);
      }
    } while (await pause(ctx, monitoringPeriod));
  };
  const checkContainers = async (): Promise<void> => {
    while (!ctx.signal.aborted) {
      for (const id of waiting) {
        if (ctx.signal.aborted) return;
        waiting.delete(id);
        await checkContainer(ctx, dependencies, id);
      }
      await waitUntil(ctx, instant(Infinity), (resume) => (wake = resume));
    }
  };
  await Promise.all([queueContainers(), checkContainers()]);
}

function warn(ctx: Context, message: string): void {
  if (!ctx.signal.aborted) ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
}

/** Rotates the log of a container if it is too large. Upstream: processContainer. */
async function checkContainer(
  ctx: Context,
  dependencies: ContainerLogManagerDependencies,
  containerId: string,
): Promise<void> {
  const { runtime, os, policy } = dependencies;
  let failure = 'Failed to get container status';
  try {
    const { status } = await runtime.containerStatus(withoutTracing(ctx), { containerId });
    failure = 'Container status is nil';
    const { logPath } = status;
    failure = 'Failed to stat container log';
    let size = await os.fileSize?.(logPath);
    if (size === undefined) {
      failure = "Container log doesn't exist, reopen container log failed";
      await runtime.reopenContainerLog(ctx, { containerId });
      failure = 'Failed to stat container log after reopen';
      size = await os.fileSize?.(logPath);
      if (size === undefined) throw new Error(`stat ${logPath}: no such file or directory`);
    }
    if (size < policy.maxBytes) return;
    failure = 'Failed to rotate log for container';
    await rotateLog(ctx, dependencies, containerId, logPath);
  } catch (error) {
    warn(ctx, `${failure} (${containerId}): ${errorText(error)}`);
  }
}

/** Removes and compresses old files, and then rotates the newest one. Upstream: rotateLog. */
async function rotateLog(
  ctx: Context,
  { runtime, os, policy }: ContainerLogManagerDependencies,
  containerId: string,
  log: string,
): Promise<void> {
  const directory = log.slice(0, log.lastIndexOf('/'));
  const names = await os.readDir(directory);
  const rotated = names.map((name) => `${directory}/${name}`).filter((path) => path.startsWith(`${log}.`));
  const inUse = rotated.filter((path) => isInUse(path, rotated));
  for (const path of rotated)
    if (!inUse.includes(path))
      await orFail(`failed to cleanup logs: failed to remove unused log ${goQuote(path)}`, os.remove(path));
  // Besides the rotated files, the log has the file that is rotated now and the new one.
  const kept = inUse.toSorted().slice(Math.max(0, inUse.length - (policy.maxFiles - 2)));
  for (const path of inUse)
    if (!kept.includes(path))
      await orFail(`failed to remove excess logs: failed to remove old log ${goQuote(path)}`, os.remove(path));
  for (const path of kept)
    if (!path.endsWith(compressSuffix)) await orFail(`failed to compress log ${goQuote(path)}`, os.compress?.(path));
  const newest = `${log}.${timestamp(ctx.clock.now())}`;
  const failure = `failed to rotate log ${goQuote(log)}: failed to`;
  await orFail(`${failure} rotate log ${goQuote(log)} to ${goQuote(newest)}`, os.rename(log, newest));
  try {
    const reopened = runtime.reopenContainerLog(ctx, { containerId });
    await orFail(`${failure} reopen container log ${goQuote(containerId)}`, reopened);
  } catch (error) {
    // The writer still uses the old file. The error of the reopening is the one that counts.
    await os
      .rename(newest, log)
      .catch((also: unknown) => warn(ctx, `Failed to rename rotated log: ${errorText(also)}`));
    throw error;
  }
}

/** Waits for a step. @throws Error with the text of the step before the cause */
async function orFail(step: string, done: Promise<unknown> | undefined): Promise<void> {
  try {
    await done;
  } catch (error) {
    throw new Error(`${step}: ${errorText(error)}`, { cause: error });
  }
}

/** Returns false for temporary files, and for files that also exist compressed. Upstream: isInUse. */
const isInUse = (path: string, all: readonly string[]): boolean =>
  !path.endsWith(tmpSuffix) && (path.endsWith(compressSuffix) || !all.includes(path + compressSuffix));

/** Returns the local time as `20261124-042100`. */
function timestamp(at: Instant): string {
  const time = new Date(at);
  const date = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()];
  const digits = (parts: readonly number[]): string => parts.map((part) => String(part).padStart(2, '0')).join('');
  return `${digits(date)}-${digits(clock)}`;
}
