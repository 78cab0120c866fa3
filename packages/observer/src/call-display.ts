/** Decides how a call appears in the log: on which thread, and with how much of its response. */
import type { Attributes } from '@podscope/trace';
import type { CallMessage, ObservedCall, ObservedSpan } from './inputs.ts';
import { listAt, numberAt, textAt } from './state/fields.ts';
import { isList } from './state/lists.ts';
import type { ExecPurpose } from './state/probes.ts';
import type { PodName } from './state/registry.ts';

/** The thread of each node-wide call, by method. */
const threads: Readonly<Record<string, string>> = {
  ListPodSandbox: 'pleg',
  ListContainers: 'pleg',
  StreamPodSandboxes: 'pleg',
  StreamContainers: 'pleg',
  PodSandboxStatus: 'pleg',
  ContainerStatus: 'pleg',
  GetContainerEvents: 'containerEvents',
  Version: 'runtimeCheck',
  Status: 'runtimeCheck',
  RuntimeConfig: 'runtimeCheck',
  UpdateRuntimeConfig: 'runtimeCheck',
  ListImages: 'imageGC',
  StreamImages: 'imageGC',
  RemoveImage: 'imageGC',
  ImageFsInfo: 'stats',
  ImageStatus: 'images',
  RemoveContainer: 'garbageCollection',
  RemovePodSandbox: 'garbageCollection',
  StopPodSandbox: 'garbageCollection',
};

/** Methods that only pod workers call. */
const workerMethods: ReadonlySet<string> = new Set([
  'RunPodSandbox',
  'PullImage',
  'CreateContainer',
  'StartContainer',
  'StopContainer',
  // Of a hook. The command of a probe has a thread of its own.
  'ExecSync',
]);

/**
 * Returns the thread on which a call without a known sync is shown. A call that only pod workers make is on the thread
 * of its pod's worker, so that breakpoints and faults match it as any other call of the pod. Each probe of a pod has a
 * thread, as in the kubelet: a stop there stops no other probe. If the pod's spec is unknown, the probes of a container
 * share a thread.
 */
export const threadOf = (
  { method, request }: ObservedCall,
  pod: PodName | undefined,
  purpose?: ExecPurpose,
): string => {
  if (pod && purpose?.kind === 'probe') return `probe ${pod.uid}/${purpose.container}/${purpose.probe}`;
  if (pod && method === 'ExecSync' && numberAt(request, 'timeout') > 0)
    return `probe ${pod.uid}/${textAt(request, 'containerId')}`;
  if (pod && workerMethods.has(method)) return pod.uid;
  const state = (request?.['filter'] as CallMessage | undefined)?.['state'];
  if (state !== undefined && isList(method)) return 'housekeeping';
  return threads[method] ?? (/Stats|Metric/.test(method) ? 'stats' : 'kubeletAPI');
};

/**
 * Returns the thread on which a root span of the kubelet is shown; undefined for other spans. Requests for `/pods` are
 * omitted, because Podscope makes them itself.
 */
export function nodeThreadOf({ name }: Pick<ObservedSpan, 'name'>): string | undefined {
  if (name === 'Images/GarbageCollect') return 'imageGC';
  if (name === 'Containers/GarbageCollect') return 'garbageCollection';
  return name.startsWith('/') && !/^\/pods\/?$/.test(name) ? 'kubeletAPI' : undefined;
}

/**
 * Returns the part of a response to store. Responses of node-wide calls are large and repeat every second, so only
 * their number of items is stored.
 */
export const summarized = (method: string, response: CallMessage | undefined): Attributes | undefined => {
  if (!response || !(isList(method) || method === 'ImageFsInfo')) return response;
  const lists = Object.entries(response).filter(([, value]) => Array.isArray(value));
  return Object.fromEntries(lists.map(([name]) => [name, `${listAt(response, name).length} items`]));
};
