/**
 * Reads the objects that a diagnosis needs from a cluster: pods, events, the outermost owner, the node, unbound claims,
 * and the last log lines of containers that ended or aren't ready. Objects that the user may not read are omitted, and
 * the result names them.
 */
import { isRecord } from '@podscope/base';
import { maskText } from '@podscope/node/secrets';
import {
  type ClaimFacts,
  type ClusterFacts,
  type NodeFacts,
  type PodSnapshot,
  readSnapshots,
} from '@podscope/pod-snapshot';
import { type ClusterConnection, ClusterError } from '@podscope/server/cluster';

type Fields = Readonly<Record<string, unknown>>;

export interface GatheredPod {
  readonly snapshot: PodSnapshot;
  readonly facts: ClusterFacts;
  /** The objects that could not be read, each with the error. */
  readonly missing: readonly string[];
}

export const query = (entries: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

export const itemsOf = (list: Fields, kind: string, apiVersion: string): readonly Fields[] =>
  Array.isArray(list['items']) ? list['items'].filter(isRecord).map((item) => ({ apiVersion, kind, ...item })) : [];

export interface PodQuery {
  /** Namespace of the pods; undefined for all namespaces. */
  readonly namespace: string | undefined;
  /** Name of the pod; undefined for all pods of the namespace. */
  readonly name?: string | undefined;
  readonly selector?: string | undefined;
}

/** Returns the path of a namespaced resource. */
const pathOf = (namespace: string | undefined, resource: string): string =>
  namespace === undefined ? `/api/v1/${resource}` : `/api/v1/namespaces/${encodeURIComponent(namespace)}/${resource}`;

export interface ReadPods {
  readonly snapshots: readonly PodSnapshot[];
  /** The error if the events could not be read, after `events: `; otherwise empty. */
  readonly missing: readonly string[];
}

/**
 * Returns pods with their events. Secrets in them are masked.
 * @throws ClusterError if the pods can't be read
 */
export async function readPods(cluster: ClusterConnection, { namespace, name, selector }: PodQuery): Promise<ReadPods> {
  const pods =
    name === undefined
      ? itemsOf(await cluster.get(pathOf(namespace, 'pods') + query({ labelSelector: selector })), 'Pod', 'v1')
      : [
          {
            apiVersion: 'v1',
            kind: 'Pod',
            ...(await cluster.get(`${pathOf(namespace, 'pods')}/${encodeURIComponent(name)}`)),
          },
        ];
  const missing: string[] = [];
  const events = await cluster
    .get(
      pathOf(namespace, 'events') +
        query({
          fieldSelector:
            name === undefined ? 'involvedObject.kind=Pod' : `involvedObject.kind=Pod,involvedObject.name=${name}`,
        }),
    )
    .then((list) => itemsOf(list, 'Event', 'v1'))
    .catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      missing.push(`events: ${error.message}`);
      return [];
    });
  const { snapshots } = readSnapshots(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...pods, ...events] }));
  return { snapshots, missing };
}

const isRefusal = (error: unknown): error is ClusterError =>
  error instanceof ClusterError && (error.status === 403 || error.status === 404);

interface Reference {
  readonly kind: string;
  readonly name: string;
  readonly apiVersion: string;
}

function controllerOf(object: Fields): Reference | undefined {
  const { metadata } = object;
  const references =
    isRecord(metadata) && Array.isArray(metadata['ownerReferences'])
      ? metadata['ownerReferences'].filter(isRecord)
      : [];
  const reference = references.find(({ controller }) => controller === true) ?? references[0];
  if (!reference) return undefined;
  const { kind, name, apiVersion } = reference;
  return typeof kind === 'string' && typeof name === 'string' && typeof apiVersion === 'string'
    ? { kind, name, apiVersion }
    : undefined;
}

/** API paths of the built-in controllers that other controllers may own. */
const owned: Readonly<Record<string, string>> = {
  ReplicaSet: 'apis/apps/v1',
  Job: 'apis/batch/v1',
  StatefulSet: 'apis/apps/v1',
  Deployment: 'apis/apps/v1',
  DaemonSet: 'apis/apps/v1',
};

const numberOf = (fields: unknown, field: string, usual: number): number =>
  isRecord(fields) && typeof fields[field] === 'number' ? fields[field] : usual;

/** Returns how many pods of a Job have failed, and how many may. */
function triesOf(name: string, { spec, status }: Fields): ClusterFacts['job'] {
  const conditions =
    isRecord(status) && Array.isArray(status['conditions']) ? status['conditions'].filter(isRecord) : [];
  return {
    name,
    backoffLimit: numberOf(spec, 'backoffLimit', 6),
    failed: numberOf(status, 'failed', 0),
    isOver: conditions.some(({ type, status: is }) => type === 'Failed' && is === 'True'),
  };
}

/** Returns how many pods a controller wants, and how many are available; undefined for a Job. */
const replicasOf = ({ spec, status }: Fields, kind: string): ClusterFacts['replicas'] =>
  kind === 'DaemonSet'
    ? { wanted: numberOf(status, 'desiredNumberScheduled', 0), available: numberOf(status, 'numberAvailable', 0) }
    : kind === 'Job'
      ? undefined
      : { wanted: numberOf(spec, 'replicas', 1), available: numberOf(status, 'availableReplicas', 0) };

/** Returns the node that the pod template of a controller names. */
function templateNodeOf({ spec }: Fields): string | undefined {
  const template = isRecord(spec) ? spec['template'] : undefined;
  const inner = isRecord(template) ? template['spec'] : undefined;
  const node = isRecord(inner) ? inner['nodeName'] : undefined;
  return typeof node === 'string' ? node : undefined;
}

class Gatherer {
  readonly #cluster: ClusterConnection;
  readonly missing: string[] = [];
  /** The tries of the Job that made the pod. */
  job: ClusterFacts['job'];
  /** The replicas of the topmost owner. */
  replicas: ClusterFacts['replicas'];
  /** The node that the owner's template names. */
  templateNode: string | undefined;

  constructor(cluster: ClusterConnection) {
    this.#cluster = cluster;
  }

  /** Reads an object. Returns undefined if it doesn't exist or the user may not read it. */
  async #read(path: string, what: string): Promise<{ readonly object?: Fields; readonly isGone: boolean }> {
    try {
      return { object: await this.#cluster.get(path), isGone: false };
    } catch (error) {
      if (error instanceof ClusterError && error.status === 404) return { isGone: true };
      this.missing.push(`${what}: ${(error as Error).message}`);
      return { isGone: false };
    }
  }

  /** Follows owner references to the controller that has no owner. */
  async owner(pod: Fields, namespace: string): Promise<Reference | undefined> {
    let at = controllerOf(pod);
    for (let depth = 0; at && depth < 4; depth++) {
      const group = owned[at.kind];
      if (group === undefined || !/^(?:apps|batch)\//.test(at.apiVersion)) return at;
      const { object } = await this.#read(
        `/${group}/namespaces/${namespace}/${at.kind.toLowerCase()}s/${at.name}`,
        `${at.kind} ${at.name}`,
      );
      if (object) this.templateNode = templateNodeOf(object) ?? this.templateNode;
      this.replicas = object && replicasOf(object, at.kind);
      if (object && at.kind === 'Job') this.job = triesOf(at.name, object);
      const above = object && controllerOf(object);
      if (!above) return object ? at : undefined;
      at = above;
    }
    return at;
  }

  async node(name: string): Promise<NodeFacts | undefined> {
    const { object, isGone } = await this.#read(`/api/v1/nodes/${name}`, `node ${name}`);
    if (isGone) return { name, exists: false, unschedulable: false, conditions: [] };
    if (!object) return undefined;
    const { status, spec } = object;
    const conditions =
      isRecord(status) && Array.isArray(status['conditions']) ? status['conditions'].filter(isRecord) : [];
    const words = (value: unknown): string => (typeof value === 'string' ? value : '');
    return {
      name,
      exists: true,
      unschedulable: isRecord(spec) && spec['unschedulable'] === true,
      providerId: isRecord(spec) ? words(spec['providerID']) : undefined,
      osImage: isRecord(status) && isRecord(status['nodeInfo']) ? words(status['nodeInfo']['osImage']) : undefined,
      kubeletVersion:
        isRecord(status) && isRecord(status['nodeInfo']) ? words(status['nodeInfo']['kubeletVersion']) : undefined,
      conditions: conditions.map(({ type, status: state, reason, message }) => ({
        type: words(type),
        status: words(state),
        reason: words(reason),
        message: words(message),
      })),
    };
  }

  async claim(name: string, namespace: string): Promise<ClaimFacts | undefined> {
    const { object, isGone } = await this.#read(
      `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`,
      `claim ${name}`,
    );
    if (isGone) return { name, exists: false };
    if (!object) return undefined;
    const { status, spec } = object;
    const phase = isRecord(status) && typeof status['phase'] === 'string' ? status['phase'] : undefined;
    const storageClass =
      isRecord(spec) && typeof spec['storageClassName'] === 'string' ? spec['storageClassName'] : undefined;
    if (phase === 'Bound') return { name, exists: true, phase, storageClass };
    const { object: list } = await this.#read(
      `/api/v1/namespaces/${namespace}/events` +
        query({ fieldSelector: `involvedObject.kind=PersistentVolumeClaim,involvedObject.name=${name}` }),
      `events of claim ${name}`,
    );
    const warning = list ? itemsOf(list, 'Event', 'v1').findLast(({ type }) => type === 'Warning') : undefined;
    return {
      name,
      exists: true,
      phase,
      storageClass,
      warning: typeof warning?.['message'] === 'string' ? warning['message'] : undefined,
    };
  }

  /**
   * Returns the last log lines of an instance. Secrets in them are masked. The log of a running instance is read
   * further back, because its failures may be hours apart.
   */
  async log(
    pod: string,
    namespace: string,
    container: string,
    { isPrevious, isRunning, isWell }: Readonly<Record<'isPrevious' | 'isRunning' | 'isWell', boolean>>,
  ): Promise<string | undefined> {
    // The limit counts from the first of these lines, so it must not cut off the last ones.
    const [tailLines, limitBytes] = isRunning ? ['200', '262144'] : ['40', '131072'];
    try {
      const lines = await this.#cluster.text(
        `/api/v1/namespaces/${namespace}/pods/${pod}/log` +
          query({ container, tailLines, limitBytes, previous: isPrevious ? 'true' : undefined }),
      );
      return maskText(lines);
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      // The log of a container that works only completes the picture.
      if (!isWell) this.missing.push(`log of ${container}: ${error.message}`);
      return undefined;
    }
  }
}

/** Returns a pod with all related objects and events that the user may read. */
export async function gather(cluster: ClusterConnection, snapshot: PodSnapshot): Promise<GatheredPod> {
  const { pod } = snapshot;
  const { name, namespace = 'default' } = pod.metadata;
  const gatherer = new Gatherer(cluster);
  const claims = (pod.spec.volumes ?? []).flatMap(
    ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
  );
  const isPlaced = pod.spec.nodeName !== undefined;
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const logs: Record<string, string> = {};
  const [owner, node, found] = await Promise.all([
    gatherer.owner({ metadata: pod.metadata }, namespace),
    isPlaced ? gatherer.node(pod.spec.nodeName ?? '') : undefined,
    isPlaced ? [] : Promise.all(claims.map((claim) => gatherer.claim(claim, namespace))),
    ...statuses.map(async ({ name: container, state, lastState, ready, restartCount }) => {
      const ended = state?.terminated ?? lastState?.terminated;
      if (state?.terminated?.exitCode === 0 || (!ended && !state?.running)) return;
      // A container that is ready again after a restart may have been killed because of its probe.
      const isWell = ready && (!lastState?.terminated || lastState.terminated.exitCode === 0);
      const isPrevious = !isWell && state?.terminated === undefined && restartCount > 0 && ended !== undefined;
      const isRunning = state?.running !== undefined && !isPrevious;
      const log = await gatherer.log(name, namespace, container, { isPrevious, isRunning, isWell });
      if (log) logs[container] = log;
    }),
  ]);
  return {
    snapshot,
    facts: {
      owner,
      node,
      job: gatherer.job,
      replicas: gatherer.replicas,
      templateNode: gatherer.templateNode,
      claims: found.flatMap((claim) => claim ?? []),
      logs,
    },
    missing: gatherer.missing,
  };
}
