/** Computes the paths of container logs. Upstream: kuberuntime/helpers.go, legacy.go (v1.36). */
import type { Pod } from '@podscope/k8s';

const maxFileNameLength = 255;

/** Returns `/var/log/pods/<namespace>_<name>_<uid>`. Upstream: BuildPodLogsDirectory. */
export const buildPodLogsDirectory = (podLogsDir: string, { metadata }: Pick<Pod, 'metadata'>): string =>
  `${podLogsDir}/${metadata.namespace ?? ''}_${metadata.name}_${metadata.uid}`;

/** Returns the path of a container's log, relative to the sandbox's log directory. Upstream: buildContainerLogsPath. */
export const buildContainerLogsPath = (container: string, restartCount: number): string =>
  `${container}/${restartCount}.log`;

/** Returns the pod UID in the name of a log directory. Upstream: parsePodUIDFromLogsDirectory. */
export const podUIDFromLogsDirectory = (name: string): string => name.slice(name.lastIndexOf('_') + 1);

/**
 * Returns the path of a link to a container's log, for log collectors that watch one directory. The name of the link is
 * truncated to the maximum length of a file name. Upstream: logSymlink, legacyLogSymlink.
 */
export function legacyLogSymlink(
  directory: string,
  podName: string,
  namespace: string,
  container: string,
  containerID: string,
): string {
  const suffix = '.log';
  const name = `${podName}_${namespace}_${container}-${containerID}`.slice(0, maxFileNameLength - suffix.length);
  return `${directory}/${name}${suffix}`;
}

/**
 * Returns the container id in the name of a link to a container's log; undefined if the name contains none. Upstream:
 * getContainerIDFromLegacyLogSymlink.
 */
export function containerIDFromLegacyLogSymlink(name: string): string | undefined {
  const id = name.slice(name.lastIndexOf('-') + 1, name.endsWith('.log') ? -'.log'.length : undefined);
  return name.includes('-') && name.endsWith('.log') && id.length >= 6 ? id : undefined;
}
