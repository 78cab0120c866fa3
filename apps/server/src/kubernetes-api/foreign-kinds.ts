/**
 * Kinds of the API that nothing acts on here: there are never any. They are in discovery because clients look through them unasked
 * (`kubectl apply --prune` goes through a fixed list of kinds, of old versions too), and whoever writes one is told what to do instead.
 */
import type { Verb } from '@podscope/cluster';

/** A kind that is known by name only, with its place in the API. */
interface ForeignKind {
  /** `apps/v1` */
  readonly apiVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
}

const define = (apiVersion: string, resource: string, kind: string, shortName?: string, namespaced = true): ForeignKind => ({
  apiVersion,
  resource,
  kind,
  shortNames: shortName === undefined ? [] : [shortName],
  namespaced,
});

/** What kubectl prunes by default, of this release and of 1.20, and where it looks for kinds that it has no schema of. Upstream: kubectl's pkg/util/prune. */
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

/** The kinds of one version of a group as discovery tells of them. @param apiVersion `apps/v1` */
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

/** True for a resource that there are never any objects of. @param name plural */
export const isForeignKind = (name: string, kind: string): boolean => foreignKinds.some((candidate) => candidate.resource === name && candidate.kind === kind);
