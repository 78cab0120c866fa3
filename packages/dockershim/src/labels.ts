/** Docker has only labels: CRI's annotations become labels with a prefix, and dockershim keeps notes of its own among them. */
import { sandboxContainerName } from './names.ts';

/** What a Docker container is to CRI. */
export type ObjectKind = 'podsandbox' | 'container';

/** Keys of the labels that dockershim sets itself. */
export const labelKeys = {
  type: 'io.kubernetes.docker.type',
  containerName: 'io.kubernetes.container.name',
  logPath: 'io.kubernetes.container.logpath',
  sandboxId: 'io.kubernetes.sandbox.id',
  /** Whose it is: no container without our own value is ever touched or shown. */
  instance: 'io.podscope.instance',
  /** On throw-away containers that find out what the engine can do. */
  probe: 'io.podscope.probe',
  /** The requested PID namespace mode, where Docker's own fields cannot tell it. */
  pidMode: 'io.podscope.sandbox.pid-mode',
  /** The requested runtime handler; Docker fills in its default where none was asked for. */
  runtimeHandler: 'io.podscope.sandbox.runtime-handler',
  /** What a Docker name was made of, as JSON, where that cannot be read back from it. */
  metadata: 'io.podscope.metadata',
  /** Which mounts are recursively read-only, as JSON: Docker's own fields cannot tell it. */
  recursiveReadOnly: 'io.podscope.container.recursive-read-only',
  /** What is written into the container's control group when it runs, as JSON: Docker has no words for it. */
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

/** Labels and annotations as Docker labels; `own` overwrites. Upstream: makeLabels (dockershim helpers.go, v1.20). */
export function makeLabels(labels: Texts = {}, annotations: Texts = {}, own: Texts = {}): Record<string, string> {
  const prefixed = Object.entries(annotations).map(([key, value]) => [annotationPrefix + key, value]);
  return { ...labels, ...(Object.fromEntries(prefixed) as Texts), ...own };
}

/** The way back. Upstream: extractLabels (dockershim helpers.go, v1.20). */
export function extractLabels(dockerLabels: Texts): { labels: Record<string, string>; annotations: Record<string, string> } {
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

/** Label filters for a list: `key=value` each. */
export const labelFilters = (labels: Texts): string[] => Object.entries(labels).map(([key, value]) => `${key}=${value}`);
