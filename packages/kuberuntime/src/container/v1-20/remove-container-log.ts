/** Removes the logs of a container. Upstream: kuberuntime_container.go removeContainerLog (v1.20). */
import { type RemoveContainerLog } from '../../runtime-dependencies.ts';
import { removeLegacyLink, removeLogFiles, statusOf } from '../remove-container.ts';

/**
 * Removes the log files and the link of a container. Requests the status twice, because in v1.20 the log manager and
 * the runtime manager each request it. Upstream: removeContainerLog (v1.20).
 */
export const removeContainerLogV120: RemoveContainerLog = async (ctx, dependencies, containerId) => {
  await removeLogFiles(dependencies, await statusOf(ctx, dependencies, containerId));
  await removeLegacyLink(dependencies, await statusOf(ctx, dependencies, containerId));
};
