/**
 * Stores CRI's labels and annotations in Docker's labels, next to dockershim's own labels. Upstream: makeLabels,
 * extractLabels (dockershim helpers.go, v1.20).
 */
import { sandboxContainerName } from './names.ts';

/** The CRI object that a Docker container represents. */
export type ObjectKind = 'podsandbox' | 'container';

/** The keys of dockershim's own labels. */
export const labelKeys = {
  type: 'io.kubernetes.docker.type',
  containerName: 'io.kubernetes.container.name',
  logPath: 'io.kubernetes.container.logpath',
  sandboxId: 'io.kubernetes.sandbox.id',
  /** The instance that owns a container. Containers of another instance are neither changed nor listed. */
  instance: 'io.podscope.instance',
  /** Marks a temporary container that probes the engine. */
  probe: 'io.podscope.probe',
  /** The requested mode of the PID namespace, which Docker doesn't report. */
  pidMode: 'io.podscope.sandbox.pid-mode',
  /** The requested runtime handler. Docker replaces an empty one with its default. */
  runtimeHandler: 'io.podscope.sandbox.runtime-handler',
  /** The metadata as JSON, if the Docker name doesn't determine it. */
  metadata: 'io.podscope.metadata',
  /** The recursively read-only mounts as JSON. Docker doesn't report them. */
  recursiveReadOnly: 'io.podscope.container.recursive-read-only',
  /** The cgroup settings that are written when the container starts, as JSON. */
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
 * Converts labels and annotations to Docker labels. Labels in `own` take precedence. Upstream: makeLabels (dockershim
 * helpers.go, v1.20).
 */
export function makeLabels(labels: Texts = {}, annotations: Texts = {}, own: Texts = {}): Record<string, string> {
  const prefixed = Object.entries(annotations).map(([key, value]) => [annotationPrefix + key, value]);
  return { ...labels, ...(Object.fromEntries(prefixed) as Texts), ...own };
}

/**
 * Returns CRI's labels and annotations, which the Docker labels contain. Upstream: extractLabels (dockershim
 * helpers.go, v1.20).
 */
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

/** Formats labels as filters of the form `key=value`. */
export const labelFilters = (labels: Texts): string[] =>
  Object.entries(labels).map(([key, value]) => `${key}=${value}`);
