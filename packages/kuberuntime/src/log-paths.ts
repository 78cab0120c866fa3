/** Where container logs lie. Upstream: kuberuntime/helpers.go, legacy.go (v1.36). */
import type { Pod } from '@podscope/k8s';

const maxFileNameLength = 255;

/** `/var/log/pods/<namespace>_<name>_<uid>`. Upstream: BuildPodLogsDirectory. */
export const buildPodLogsDirectory = (podLogsDir: string, { metadata }: Pick<Pod, 'metadata'>): string =>
  `${podLogsDir}/${metadata.namespace ?? ''}_${metadata.name}_${metadata.uid}`;

/** Relative to the sandbox's log directory. Upstream: buildContainerLogsPath. */
export const buildContainerLogsPath = (container: string, restartCount: number): string => `${container}/${restartCount}.log`;

/** The UID in the name of a pod's log directory. Upstream: parsePodUIDFromLogsDirectory. */
export const podUIDFromLogsDirectory = (name: string): string => name.slice(name.lastIndexOf('_') + 1);

/** A link for older log collectors; its name is cut to what a file name may be. Upstream: logSymlink, legacyLogSymlink. */
export function legacyLogSymlink(directory: string, podName: string, namespace: string, container: string, containerID: string): string {
  const suffix = '.log';
  const name = `${podName}_${namespace}_${container}-${containerID}`.slice(0, maxFileNameLength - suffix.length);
  return `${directory}/${name}${suffix}`;
}

/** The container id in such a link's name; undefined when it holds none. Upstream: getContainerIDFromLegacyLogSymlink. */
export function containerIDFromLegacyLogSymlink(name: string): string | undefined {
  const id = name.slice(name.lastIndexOf('-') + 1, name.endsWith('.log') ? -'.log'.length : undefined);
  return name.includes('-') && name.endsWith('.log') && id.length >= 6 ? id : undefined;
}
