/** The kinds of objects the API holds, as data: stored, discovered and routed from this one table. */
import type { ConfigMap, Event, Lease, Namespace, Node, Pod, Secret, Service, ServiceAccount } from '@podscope/k8s';

/** Kinds and their types. */
export interface StoredKinds {
  Pod: Pod;
  Event: Event;
  Namespace: Namespace;
  ConfigMap: ConfigMap;
  Secret: Secret;
  Service: Service;
  ServiceAccount: ServiceAccount;
  Node: Node;
  Lease: Lease;
}

export type StoredKind = keyof StoredKinds;
export type StoredObject = StoredKinds[StoredKind];

/** What can be done with a resource. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** One resource. Upstream: metav1.APIResource. */
export interface ResourceDefinition {
  readonly kind: StoredKind;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, as in paths. */
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** Kept over a restart. Events pass, the node and its service are made anew at each start. */
  readonly persistent: boolean;
}

const readOnly: readonly Verb[] = ['get', 'list', 'watch'];
const all: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const define = (kind: StoredKind, resource: string, shortNames: readonly string[], rest: Partial<ResourceDefinition> = {}): ResourceDefinition => ({
  kind,
  group: '',
  version: 'v1',
  resource,
  singular: kind.toLowerCase(),
  shortNames,
  categories: [],
  namespaced: true,
  verbs: all,
  persistent: true,
  ...rest,
});

/** Every resource whose objects this API keeps. */
export const resourceDefinitions: readonly ResourceDefinition[] = [
  define('ConfigMap', 'configmaps', ['cm']),
  define('Event', 'events', ['ev'], { persistent: false, verbs: ['delete', 'deletecollection', 'get', 'list', 'watch'] }),
  define('Lease', 'leases', [], { group: 'coordination.k8s.io', persistent: false, verbs: readOnly }),
  define('Namespace', 'namespaces', ['ns'], { namespaced: false, verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] }),
  define('Node', 'nodes', ['no'], { namespaced: false, persistent: false, verbs: ['get', 'list', 'patch', 'update', 'watch'] }),
  define('Pod', 'pods', ['po'], { categories: ['all'] }),
  define('Secret', 'secrets', []),
  define('Service', 'services', ['svc'], { categories: ['all'], persistent: false, verbs: readOnly }),
  define('ServiceAccount', 'serviceaccounts', ['sa']),
];

const byKind = new Map(resourceDefinitions.map((definition) => [definition.kind, definition]));

/** The definition of a kind. */
export function definitionOf(kind: StoredKind): ResourceDefinition {
  const definition = byKind.get(kind);
  if (!definition) throw new RangeError(`unknown kind ${kind}`);
  return definition;
}

/** Group and version as objects carry them: `v1`, `coordination.k8s.io/v1`. */
export const apiVersionOf = ({ group, version }: Pick<ResourceDefinition, 'group' | 'version'>): string => (group ? `${group}/${version}` : version);

/** The definition with that plural name. @param apiVersion as in {@link apiVersionOf} */
export const findResource = (apiVersion: string, resource: string): ResourceDefinition | undefined =>
  resourceDefinitions.find((definition) => definition.resource === resource && apiVersionOf(definition) === apiVersion);

/** True for the name of a kind this API stores. */
export const isStoredKind = (kind: string): kind is StoredKind => byKind.has(kind as StoredKind);
