/** Removes the logs of a container. Upstream: kuberuntime_container.go removeContainerLog (v1.20). */
import { type RemoveContainerLog } from '../../runtime-dependencies.ts';
import { removeLegacyLink, removeLogFiles, statusOf } from '../remove-container.ts';

/**
 * Asks for the status twice, because log manager and runtime manager each do so. Upstream: removeContainerLog (v1.20).
 */
export const removeContainerLogV120: RemoveContainerLog = async (ctx, dependencies, containerId) => {
  await removeLogFiles(dependencies, await statusOf(ctx, dependencies, containerId));
  await removeLegacyLink(dependencies, await statusOf(ctx, dependencies, containerId));
};
