/**
 * Removes a dead container and its logs. Upstream: kuberuntime_container.go removeContainer, removeContainerLog (v1.36
 * and v1.20).
 */
import type { ContainerStatus } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { containerInfoFromLabels } from '../labels.ts';
import { legacyLogSymlink } from '../log-paths.ts';
import type { RemoveContainerLog, RuntimeDependencies } from '../runtime-dependencies.ts';

/**
 * Removes a dead container.
 * @param keepLogs true to keep the log files
 * @throws Error when the container or its logs can't be removed
 */
export async function removeContainer(
  ctx: Context,
  dependencies: RuntimeDependencies,
  containerId: string,
  keepLogs = false,
): Promise<void> {
  if (!keepLogs) await dependencies.profile.removeContainerLog(ctx, dependencies, containerId);
  await dependencies.runtime.removeContainer(ctx, { containerId });
}

/** Removes the log files and the link of a container. Upstream: removeContainerLog (v1.36). */
export const removeContainerLogV136: RemoveContainerLog = async (ctx, dependencies, containerId) => {
  const status = await statusOf(ctx, dependencies, containerId);
  await removeLogFiles(dependencies, status);
  await removeLegacyLink(dependencies, status);
};

export async function statusOf(
  ctx: Context,
  { runtime }: RuntimeDependencies,
  containerId: string,
): Promise<ContainerStatus> {
  const { status } = await runtime.containerStatus(ctx, { containerId });
  if (!status) throw new Error('container status is nil');
  return status;
}

/** Removes all files whose path starts with the log path, including rotated ones. */
export async function removeLogFiles({ os }: RuntimeDependencies, { logPath }: ContainerStatus): Promise<void> {
  if (logPath === '') return;
  const slash = logPath.lastIndexOf('/');
  const [directory, name] = [logPath.slice(0, slash), logPath.slice(slash + 1)];
  for (const file of await os.readDir(directory)) if (file.startsWith(name)) await os.remove(`${directory}/${file}`);
}

export async function removeLegacyLink(
  { os, legacyLogDir }: RuntimeDependencies,
  { id, labels }: ContainerStatus,
): Promise<void> {
  if (legacyLogDir === undefined) return;
  const { podName, podNamespace, containerName } = containerInfoFromLabels(labels);
  await os.remove(legacyLogSymlink(legacyLogDir, podName, podNamespace, containerName, id));
}
