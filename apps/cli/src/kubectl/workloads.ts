/** Reads a controller from a cluster: the object, its events, the events of its ReplicaSets, and its pods. */
import { isRecord } from '@podscope/base';
import { readEvent, type SnapshotEvent, type Workload } from '@podscope/pod-snapshot';
import { type ClusterConnection, ClusterError } from '@podscope/server/cluster';
import { itemsOf, query, type ReadPods, readPods } from './gather.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Kind {
  readonly kind: string;
  readonly group: string;
  readonly resource: string;
  /** The names of the kind that kubectl accepts. */
  readonly names: readonly string[];
}

const kinds: readonly Kind[] = [
  { kind: 'Deployment', group: 'apps/v1', resource: 'deployments', names: ['deployment', 'deploy'] },
  { kind: 'ReplicaSet', group: 'apps/v1', resource: 'replicasets', names: ['replicaset', 'rs'] },
  { kind: 'StatefulSet', group: 'apps/v1', resource: 'statefulsets', names: ['statefulset', 'sts'] },
  { kind: 'DaemonSet', group: 'apps/v1', resource: 'daemonsets', names: ['daemonset', 'ds'] },
  { kind: 'Job', group: 'batch/v1', resource: 'jobs', names: ['job'] },
  { kind: 'CronJob', group: 'batch/v1', resource: 'cronjobs', names: ['cronjob', 'cj'] },
];

export interface WorkloadName {
  readonly type: Kind;
  readonly name: string;
}

/**
 * Returns the controller that the words select, in any form that kubectl accepts (`deploy/web`, `sts db`); undefined
 * for a pod.
 */
export function workloadName(words: readonly string[]): WorkloadName | undefined {
  const [first = '', second] = words.length === 1 ? (words[0] ?? '').split('/') : words;
  const word = first.toLowerCase().replace(/\.(?:apps|batch)$/, '');
  const type = kinds.find(({ names, resource }) => names.includes(word) || resource === word);
  return type && second !== undefined && second !== '' && words.length <= 2 ? { type, name: second } : undefined;
}

/** Returns the types that begin with a prefix, in the forms that kubectl uses: `deployment`, `sts`. */
export const workloadTypes = (prefix: string): readonly string[] =>
  kinds.flatMap(({ names }) =>
    names.filter((name, index) => name.startsWith(prefix) && (index === 0 || name === prefix)),
  );

/** Returns the API path that lists the controllers of a type; undefined for an unknown type. */
export function workloadsPath(namespace: string, type: string): string | undefined {
  const found = workloadName([type, 'any'])?.type;
  return found && `/apis/${found.group}/namespaces/${encodeURIComponent(namespace)}/${found.resource}`;
}

const metaOf = (object: Fields): Fields => (isRecord(object['metadata']) ? object['metadata'] : {});
const textAt = (object: Fields, field: string): string => (typeof object[field] === 'string' ? object[field] : '');

const owners = (object: Fields): readonly Fields[] => {
  const references = metaOf(object)['ownerReferences'];
  return Array.isArray(references) ? references.filter(isRecord) : [];
};

/** Returns the label selector of a controller in the syntax of the API; undefined if it has no selector. */
function selectorOf({ spec }: Fields): string | undefined {
  const selector = isRecord(spec) && isRecord(spec['selector']) ? spec['selector'] : {};
  const labels = isRecord(selector['matchLabels']) ? selector['matchLabels'] : {};
  const expressions = Array.isArray(selector['matchExpressions']) ? selector['matchExpressions'].filter(isRecord) : [];
  const parts = [
    ...Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`),
    ...expressions.map((each) => {
      const key = textAt(each, 'key');
      const values = (Array.isArray(each['values']) ? each['values'] : []).map(String).join(',');
      const operators: Readonly<Record<string, string>> = {
        In: `${key} in (${values})`,
        NotIn: `${key} notin (${values})`,
        Exists: key,
        DoesNotExist: `!${key}`,
      };
      return operators[textAt(each, 'operator')] ?? key;
    }),
  ];
  return parts.length === 0 ? undefined : parts.join(',');
}

/** Reads a list of objects. Returns an empty list if the user may not read it. */
async function list(cluster: ClusterConnection, path: string, kind: string, group: string): Promise<readonly Fields[]> {
  try {
    return itemsOf(await cluster.get(path), kind, group);
  } catch (error) {
    if (error instanceof ClusterError && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}

async function eventsOf(
  cluster: ClusterConnection,
  namespace: string,
  kind: string,
  name: string,
): Promise<readonly SnapshotEvent[]> {
  const path =
    `/api/v1/namespaces/${encodeURIComponent(namespace)}/events` +
    query({ fieldSelector: `involvedObject.kind=${kind},involvedObject.name=${name}` });
  return (await list(cluster, path, 'Event', 'v1'))
    .flatMap((item) => readEvent(item, undefined, kind) ?? [])
    .filter(({ about }) => about.name === name)
    .map(({ event }) => event);
}

/**
 * Returns a controller with its events, and the pods that it or its ReplicaSets or Jobs own.
 * @throws ClusterError if it can't be read
 */
export async function readWorkload(
  cluster: ClusterConnection,
  namespace: string,
  { type: { kind, group, resource }, name }: WorkloadName,
): Promise<ReadPods & { readonly owner: Workload }> {
  const base = (of: string): string => `/apis/${of}/namespaces/${encodeURIComponent(namespace)}`;
  const object = await cluster.get(`${base(group)}/${resource}/${encodeURIComponent(name)}`);
  const uid = textAt(metaOf(object), 'uid');
  const ownedBy = (uids: readonly string[]) => (each: Fields) =>
    owners(each).some((reference) => uids.includes(textAt(reference, 'uid')));
  const selector = selectorOf(object);
  const children =
    kind === 'Deployment'
      ? await list(
          cluster,
          `${base('apps/v1')}/replicasets${query({ labelSelector: selector })}`,
          'ReplicaSet',
          'apps/v1',
        )
      : kind === 'CronJob'
        ? await list(cluster, `${base('batch/v1')}/jobs`, 'Job', 'batch/v1')
        : [];
  const owned = children
    .filter(ownedBy([uid]))
    .toSorted((a, b) => textAt(metaOf(a), 'creationTimestamp').localeCompare(textAt(metaOf(b), 'creationTimestamp')));
  const newest = owned.at(-1);
  const events = [
    ...(await eventsOf(cluster, namespace, kind, name)),
    ...(newest ? await eventsOf(cluster, namespace, textAt(newest, 'kind'), textAt(metaOf(newest), 'name')) : []),
  ].toSorted((a, b) => a.last - b.last);
  const uids = [uid, ...owned.map((each) => textAt(metaOf(each), 'uid'))];
  const { snapshots, missing } = await readPods(cluster, { namespace, selector });
  return {
    owner: { kind, name, namespace, object, events },
    missing,
    snapshots: snapshots.filter(({ pod }) => ownedBy(uids)({ metadata: pod.metadata })),
  };
}

/** Returns one line with the replica counts of a controller. */
export function workloadHeadline({ kind, name, namespace, object }: Workload, pods: number): string {
  const status = isRecord(object['status']) ? object['status'] : {};
  const spec = isRecord(object['spec']) ? object['spec'] : {};
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
  const wanted = kind === 'DaemonSet' ? number(status['desiredNumberScheduled']) : number(spec['replicas'] ?? 1);
  const ready = kind === 'DaemonSet' ? number(status['numberReady']) : number(status['readyReplicas']);
  const counts =
    kind === 'Job'
      ? ['active', 'succeeded', 'failed'].map((each) => `${number(status[each])} ${each}`).join(', ')
      : kind === 'CronJob'
        ? `schedule ${typeof spec['schedule'] === 'string' ? spec['schedule'] : ''}`
        : `${ready} of ${wanted} ready`;
  return `${namespace}/${name} (${kind}): ${counts}, ${pods} pods`;
}
