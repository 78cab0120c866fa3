/** Lists the API's resources. Storage, discovery and routing are derived from this table. */
import type {
  ConfigMap,
  Event,
  Lease,
  Namespace,
  Node,
  Pod,
  RuntimeClass,
  Secret,
  Service,
  ServiceAccount,
} from '@podscope/k8s';

/** The types of objects by kind. */
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
  RuntimeClass: RuntimeClass;
}

export type StoredKind = keyof StoredKinds;
export type StoredObject = StoredKinds[StoredKind];

/** The operations of a resource. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** One resource. Upstream: metav1.APIResource. */
export interface ResourceDefinition {
  readonly kind: StoredKind;
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural name, as in paths. */
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** True if objects outlive a restart. Events don't, and the node and its service are recreated at each start. */
  readonly persistent: boolean;
}

const readOnly: readonly Verb[] = ['get', 'list', 'watch'];
const all: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const define = (
  kind: StoredKind,
  resource: string,
  shortNames: readonly string[],
  rest: Partial<ResourceDefinition> = {},
): ResourceDefinition => ({
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

/** All resources of the API. */
export const resourceDefinitions: readonly ResourceDefinition[] = [
  define('ConfigMap', 'configmaps', ['cm']),
  define('Event', 'events', ['ev'], {
    persistent: false,
    verbs: ['delete', 'deletecollection', 'get', 'list', 'watch'],
  }),
  define('Lease', 'leases', [], { group: 'coordination.k8s.io', persistent: false, verbs: readOnly }),
  define('Namespace', 'namespaces', ['ns'], {
    namespaced: false,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  }),
  define('Node', 'nodes', ['no'], {
    namespaced: false,
    persistent: false,
    verbs: ['get', 'list', 'patch', 'update', 'watch'],
  }),
  define('Pod', 'pods', ['po'], { categories: ['all'] }),
  define('RuntimeClass', 'runtimeclasses', [], { group: 'node.k8s.io', namespaced: false }),
  define('Secret', 'secrets', []),
  define('Service', 'services', ['svc'], { categories: ['all'], persistent: false, verbs: readOnly }),
  define('ServiceAccount', 'serviceaccounts', ['sa']),
];

const byKind = new Map(resourceDefinitions.map((definition) => [definition.kind, definition]));

/** Returns the definition of a kind. */
export function definitionOf(kind: StoredKind): ResourceDefinition {
  const definition = byKind.get(kind);
  if (!definition) throw new RangeError(`unknown kind ${kind}`);
  return definition;
}

/** The apiVersion of a kind's objects: `v1`, `coordination.k8s.io/v1`. */
export const apiVersionOf = ({ group, version }: Pick<ResourceDefinition, 'group' | 'version'>): string =>
  group ? `${group}/${version}` : version;

/** Returns the definition of the resource with this plural name. @param apiVersion as in {@link apiVersionOf} */
export const findResource = (apiVersion: string, resource: string): ResourceDefinition | undefined =>
  resourceDefinitions.find((definition) => definition.resource === resource && apiVersionOf(definition) === apiVersion);

/** Returns true for the name of a stored kind. */
export const isStoredKind = (kind: string): kind is StoredKind => byKind.has(kind as StoredKind);
