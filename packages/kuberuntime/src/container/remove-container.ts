/** Removes a dead container with its logs. Upstream: kuberuntime_container.go removeContainer, removeContainerLog (v1.36 and v1.20). */
import type { ContainerStatus } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import { containerInfoFromLabels } from '../labels.ts';
import { legacyLogSymlink } from '../log-paths.ts';
import type { RuntimeParts } from '../runtime-parts.ts';

/** @param keepLogs the container's log files stay @throws Error when its logs or itself can't be removed */
export async function removeContainer(ctx: Context, parts: RuntimeParts, containerId: string, keepLogs = false): Promise<void> {
  if (!keepLogs) await parts.profile.removeContainerLog(ctx, parts, containerId);
  await parts.runtime.removeContainer(ctx, { containerId });
}

/** Removes what a container wrote. */
export type RemoveContainerLog = (ctx: Context, parts: RuntimeParts, containerId: string) => Promise<void>;

/** Upstream: removeContainerLog (v1.36). */
export const removeContainerLogV136: RemoveContainerLog = async (ctx, parts, containerId) => {
  const status = await statusOf(ctx, parts, containerId);
  await removeLogFiles(parts, status);
  await removeLegacyLink(parts, status);
};

/** The log manager and the runtime manager each ask for the status. Upstream: removeContainerLog (v1.20). */
export const removeContainerLogV120: RemoveContainerLog = async (ctx, parts, containerId) => {
  await removeLogFiles(parts, await statusOf(ctx, parts, containerId));
  await removeLegacyLink(parts, await statusOf(ctx, parts, containerId));
};

async function statusOf(ctx: Context, { runtime }: RuntimeParts, containerId: string): Promise<ContainerStatus> {
  const { status } = await runtime.containerStatus(ctx, { containerId });
  if (!status) throw new Error('container status is nil');
  return status;
}

/** All files whose path begins with the log's: rotated ones too. */
async function removeLogFiles({ os }: RuntimeParts, { logPath }: ContainerStatus): Promise<void> {
  if (logPath === '') return;
  const slash = logPath.lastIndexOf('/');
  const [directory, name] = [logPath.slice(0, slash), logPath.slice(slash + 1)];
  for (const file of await os.readDir(directory)) if (file.startsWith(name)) await os.remove(`${directory}/${file}`);
}

async function removeLegacyLink({ os, legacyLogDir }: RuntimeParts, { id, labels }: ContainerStatus): Promise<void> {
  if (legacyLogDir === undefined) return;
  const { podName, podNamespace, containerName } = containerInfoFromLabels(labels);
  await os.remove(legacyLogSymlink(legacyLogDir, podName, podNamespace, containerName, id));
}
