/** Builds the tables that kubectl prints. Upstream: metav1.Table; columns of pkg/printers/internalversion (v1.36). */
import type { StoredKind, StoredKinds, StoredObject } from '@podscope/apiserver';
import type { Event, Node, Service } from '@podscope/k8s';
import type { Instant } from '@podscope/trace';
import { translateTimestampSince } from './duration.ts';
import { podCells } from './pod-row.ts';

interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer';
  readonly format: '' | 'name';
  readonly description: string;
  /** 0 for a column that is always shown, 1 for a column that only `-o wide` shows. */
  readonly priority: 0 | 1;
}

const column = (name: string, priority: 0 | 1 = 0, type: Column['type'] = 'string'): Column => ({
  name,
  type,
  format: name === 'Name' ? 'name' : '',
  description: `${name} of the object.`,
  priority,
});

interface Layout<K extends StoredKind> {
  readonly columns: readonly Column[];
  readonly cells: (object: StoredKinds[K], now: Instant) => readonly unknown[];
}

const age = (object: StoredObject, now: Instant): string =>
  translateTimestampSince(object.metadata.creationTimestamp, now);

const size = (...maps: readonly (object | undefined)[]): number =>
  maps.reduce((sum, map) => sum + Object.keys(map ?? {}).length, 0);

/** Returns the cells of an event. Upstream: printEvent. */
function eventCells(event: Event, now: Instant): readonly unknown[] {
  const { involvedObject, source, firstTimestamp, lastTimestamp, eventTime } = event;
  const first = translateTimestampSince(firstTimestamp ?? eventTime, now);
  const kind = (involvedObject.kind ?? '').toLowerCase();
  return [
    lastTimestamp ? translateTimestampSince(lastTimestamp, now) : first,
    event.type ?? '',
    event.reason ?? '',
    involvedObject.name ? `${kind}/${involvedObject.name}` : kind,
    involvedObject.fieldPath ?? '',
    [source?.component ?? event.reportingComponent, source?.host].filter(Boolean).join(', '),
    (event.message ?? '').trim(),
    first,
    event.count || 1,
    event.metadata.name,
  ];
}

/** Returns the cells of a node. Upstream: printNode. */
function nodeCells(node: Node, now: Instant): readonly unknown[] {
  const { conditions, addresses, nodeInfo } = node.status ?? {};
  const ready = conditions?.find(({ type }) => type === 'Ready')?.status;
  const address = (type: string): string =>
    addresses?.find((candidate) => candidate.type === type)?.address ?? '<none>';
  const rolePrefix = 'node-role.kubernetes.io/';
  const roles = Object.keys(node.metadata.labels ?? {})
    .filter((key) => key.startsWith(rolePrefix))
    .map((key) => key.slice(rolePrefix.length));
  return [
    node.metadata.name,
    ready === 'True' ? 'Ready' : ready === undefined ? 'Unknown' : 'NotReady',
    roles.join(',') || '<none>',
    age(node, now),
    nodeInfo?.kubeletVersion ?? '',
    address('InternalIP'),
    address('ExternalIP'),
    nodeInfo?.osImage || '<unknown>',
    nodeInfo?.kernelVersion || '<unknown>',
    nodeInfo?.containerRuntimeVersion || '<unknown>',
  ];
}

/** Returns the cells of a Service. Upstream: printService. */
function serviceCells(service: Service, now: Instant): readonly unknown[] {
  const { spec } = service;
  const ports = (spec.ports ?? []).map(
    ({ port, nodePort, protocol = 'TCP' }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`,
  );
  const selector = Object.entries(spec.selector ?? {}).map(([key, value]) => `${key}=${value}`);
  return [
    service.metadata.name,
    spec.type ?? 'ClusterIP',
    spec.clusterIP || '<none>',
    '<none>',
    ports.join(',') || '<none>',
    age(service, now),
    selector.join(',') || '<none>',
  ];
}

const layouts: { readonly [K in StoredKind]: Layout<K> } = {
  Pod: {
    columns: [
      ...['Name', 'Ready', 'Status', 'Restarts', 'Age'].map((name) => column(name)),
      ...['IP', 'Node', 'Nominated Node', 'Readiness Gates'].map((name) => column(name, 1)),
    ],
    cells: podCells,
  },
  Event: {
    columns: [
      ...['Last Seen', 'Type', 'Reason', 'Object'].map((name) => column(name)),
      ...['Subobject', 'Source'].map((name) => column(name, 1)),
      column('Message'),
      column('First Seen', 1),
      column('Count', 1, 'integer'),
      column('Name', 1),
    ],
    cells: eventCells,
  },
  Namespace: {
    columns: ['Name', 'Status', 'Age'].map((name) => column(name)),
    cells: (namespace, now) => [namespace.metadata.name, namespace.status?.phase ?? 'Active', age(namespace, now)],
  },
  Node: {
    columns: [
      ...['Name', 'Status', 'Roles', 'Age', 'Version'].map((name) => column(name)),
      ...['Internal-IP', 'External-IP', 'OS-Image', 'Kernel-Version', 'Container-Runtime'].map((name) =>
        column(name, 1),
      ),
    ],
    cells: nodeCells,
  },
  ConfigMap: {
    columns: [column('Name'), column('Data', 0, 'integer'), column('Age')],
    cells: (map, now) => [map.metadata.name, size(map.data, map.binaryData), age(map, now)],
  },
  Secret: {
    columns: [column('Name'), column('Type'), column('Data', 0, 'integer'), column('Age')],
    cells: (secret, now) => [secret.metadata.name, secret.type ?? 'Opaque', size(secret.data), age(secret, now)],
  },
  RuntimeClass: {
    columns: [column('Name'), column('Handler'), column('Age')],
    cells: (runtimeClass, now) => [runtimeClass.metadata.name, runtimeClass.handler, age(runtimeClass, now)],
  },
  Lease: {
    columns: ['Name', 'Holder', 'Age'].map((name) => column(name)),
    cells: (lease, now) => [lease.metadata.name, lease.spec?.holderIdentity ?? '', age(lease, now)],
  },
  ServiceAccount: {
    columns: [column('Name'), column('Secrets', 0, 'integer'), column('Age')],
    cells: (account, now) => [account.metadata.name, account.secrets?.length ?? 0, age(account, now)],
  },
  Service: {
    columns: [
      ...['Name', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age'].map((name) => column(name)),
      column('Selector', 1),
    ],
    cells: serviceCells,
  },
};

/** The part of its object that each row of the table includes. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Returns a `metav1.Table` of objects of one kind. */
export function tableOf<K extends StoredKind>(
  kind: K,
  objects: readonly StoredKinds[K][],
  listMetadata: Readonly<Record<string, unknown>>,
  include: IncludeObject,
  now: Instant,
): Readonly<Record<string, unknown>> {
  const { columns, cells }: Layout<K> = layouts[kind];
  const carried = (object: StoredKinds[K]): unknown => {
    if (include === 'None') return undefined;
    return include === 'Object'
      ? object
      : { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
  };
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: listMetadata,
    columnDefinitions: columns,
    rows: objects.map((object) => ({ cells: cells(object, now), object: carried(object) })),
  };
}
