/**
 * Stores CRI's labels and annotations in Docker's labels, together with dockershim's own. Upstream: makeLabels,
 * extractLabels (dockershim helpers.go, v1.20).
 */
import { sandboxContainerName } from './names.ts';

/** The CRI object that a Docker container represents. */
export type ObjectKind = 'podsandbox' | 'container';

/** Keys of dockershim's own labels. */
export const labelKeys = {
  type: 'io.kubernetes.docker.type',
  containerName: 'io.kubernetes.container.name',
  logPath: 'io.kubernetes.container.logpath',
  sandboxId: 'io.kubernetes.sandbox.id',
  /** The owner. Containers with another value are never touched or shown. */
  instance: 'io.podscope.instance',
  /** Marks temporary containers that probe the engine. */
  probe: 'io.podscope.probe',
  /** The requested PID namespace mode, which Docker's fields don't show. */
  pidMode: 'io.podscope.sandbox.pid-mode',
  /** The requested runtime handler; Docker replaces an empty one with its default. */
  runtimeHandler: 'io.podscope.sandbox.runtime-handler',
  /** The metadata as JSON, if it can't be parsed from the Docker name. */
  metadata: 'io.podscope.metadata',
  /** The recursively read-only mounts as JSON, which Docker's fields don't show. */
  recursiveReadOnly: 'io.podscope.container.recursive-read-only',
  /** The cgroup settings that are written at the start, as JSON. */
  cgroupSettings: 'io.podscope.container.cgroup-settings',
} as const;

const annotationPrefix = 'annotation.';
const internalKeys: ReadonlySet<string> = new Set([
  labelKeys.type,
  labelKeys.logPath,
  labelKeys.sandboxId,
  labelKeys.instance,
  labelKeys.pidMode,
  labelKeys.runtimeHandler,
  labelKeys.metadata,
  labelKeys.recursiveReadOnly,
  labelKeys.cgroupSettings,
]);

type Texts = Readonly<Record<string, string>>;

/**
 * Returns labels and annotations as Docker labels; `own` takes precedence. Upstream: makeLabels (dockershim helpers.go,
 * v1.20).
 */
export function makeLabels(labels: Texts = {}, annotations: Texts = {}, own: Texts = {}): Record<string, string> {
  const prefixed = Object.entries(annotations).map(([key, value]) => [annotationPrefix + key, value]);
  return { ...labels, ...(Object.fromEntries(prefixed) as Texts), ...own };
}

/** Returns CRI's labels and annotations from Docker labels. Upstream: extractLabels (dockershim helpers.go, v1.20). */
export function extractLabels(dockerLabels: Texts): {
  labels: Record<string, string>;
  annotations: Record<string, string>;
} {
  const labels: Record<string, string> = {};
  const annotations: Record<string, string> = {};
  const isSandbox = dockerLabels[labelKeys.type] === ('podsandbox' satisfies ObjectKind);
  for (const [key, value] of Object.entries(dockerLabels)) {
    if (internalKeys.has(key)) continue;
    if (isSandbox && key === labelKeys.containerName && value === sandboxContainerName) continue;
    if (key.startsWith(annotationPrefix)) annotations[key.slice(annotationPrefix.length)] = value;
    else labels[key] = value;
  }
  return { labels, annotations };
}

/** Returns label filters of the form `key=value`. */
export const labelFilters = (labels: Texts): string[] =>
  Object.entries(labels).map(([key, value]) => `${key}=${value}`);
