/**
 * Lists kinds that never have objects, because no controller implements them here. Discovery includes these kinds,
 * because some commands always request them: `kubectl apply --prune` uses a fixed list with old versions. The response
 * to a write names an alternative.
 */
import type { Verb } from '@podscope/apiserver';

/** The name of a kind and its place in the API. */
interface ForeignKind {
  /** The group and version, for example `apps/v1`. */
  readonly apiVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
}

const define = (
  apiVersion: string,
  resource: string,
  kind: string,
  shortName?: string,
  namespaced = true,
): ForeignKind => ({
  apiVersion,
  resource,
  kind,
  shortNames: shortName === undefined ? [] : [shortName],
  namespaced,
});

/**
 * The kinds that kubectl prunes by default (in this release and in 1.20), and the kinds in which it searches for kinds
 * without a schema. Upstream: kubectl's pkg/util/prune.
 */
const foreignKinds: readonly ForeignKind[] = [
  define('v1', 'endpoints', 'Endpoints', 'ep'),
  define('v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', 'pvc'),
  define('v1', 'persistentvolumes', 'PersistentVolume', 'pv', false),
  define('v1', 'replicationcontrollers', 'ReplicationController', 'rc'),
  define('apiextensions.k8s.io/v1', 'customresourcedefinitions', 'CustomResourceDefinition', 'crd', false),
  define('apps/v1', 'daemonsets', 'DaemonSet', 'ds'),
  define('apps/v1', 'deployments', 'Deployment', 'deploy'),
  define('apps/v1', 'replicasets', 'ReplicaSet', 'rs'),
  define('apps/v1', 'statefulsets', 'StatefulSet', 'sts'),
  define('batch/v1', 'cronjobs', 'CronJob', 'cj'),
  define('batch/v1', 'jobs', 'Job'),
  define('batch/v1beta1', 'cronjobs', 'CronJob', 'cj'),
  define('extensions/v1beta1', 'ingresses', 'Ingress', 'ing'),
  define('networking.k8s.io/v1', 'ingresses', 'Ingress', 'ing'),
];

const verbs: readonly Verb[] = ['get', 'list', 'watch'];

/**
 * Returns the kinds of one group version in the form of discovery.
 * @param apiVersion for example, `apps/v1`
 */
export const foreignResources = (apiVersion: string) =>
  foreignKinds
    .filter((candidate) => candidate.apiVersion === apiVersion)
    .map(({ resource, kind, shortNames, namespaced }) => ({
      name: resource,
      singularName: kind.toLowerCase(),
      namespaced,
      kind,
      verbs,
      ...(shortNames.length > 0 ? { shortNames } : {}),
    }));

/** Returns true for a resource that never has objects. @param name plural */
export const isForeignKind = (name: string, kind: string): boolean =>
  foreignKinds.some((candidate) => candidate.resource === name && candidate.kind === kind);
