/** Lists every resource of this API by group and version, for discovery and for parsing request paths. */
import { apiVersionOf, resourceDefinitions, type Verb } from '@podscope/apiserver';
import { foreignResources } from '../resources/foreign-kinds.ts';

/** A resource or subresource. Upstream: metav1.APIResource. */
export interface ApiResource {
  /** `pods`, or `pods/log` for a subresource. */
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  /** The group of the kind, if it differs from the group of the resource. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly Verb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** The resources of one version of an API group. */
export interface GroupVersion {
  /** Name of the group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ApiResource[];
}

const stored = (apiVersion: string): readonly ApiResource[] =>
  resourceDefinitions
    .filter((definition) => apiVersionOf(definition) === apiVersion)
    .map(({ resource, singular, kind, namespaced, verbs, shortNames, categories }) => ({
      name: resource,
      singularName: singular,
      namespaced,
      kind,
      verbs,
      ...(shortNames.length > 0 ? { shortNames } : {}),
      ...(categories.length > 0 ? { categories } : {}),
    }));

const subresource = (
  name: string,
  kind: string,
  verbs: readonly Verb[],
  more: Partial<ApiResource> = {},
): ApiResource => ({
  name,
  singularName: '',
  namespaced: true,
  kind,
  verbs,
  ...more,
});

const stream: readonly Verb[] = ['create', 'get'];
const part: readonly Verb[] = ['get', 'patch', 'update'];

/** Returns the definition of a review. A review is a resource that clients create and that the server doesn't store. */
const review = (name: string, kind: string, namespaced = false): ApiResource => ({
  name,
  singularName: kind.toLowerCase(),
  namespaced,
  kind,
  verbs: ['create'],
});

/** Returns a group version whose kinds never have objects. */
const foreign = (group: string, version: string): GroupVersion => ({
  group,
  version,
  resources: foreignResources(`${group}/${version}`),
});

/**
 * Every group in every version. The core group comes first, and the preferred version of each group comes before the
 * others.
 */
export const groupVersions: readonly GroupVersion[] = [
  {
    group: '',
    version: 'v1',
    resources: [
      ...stored('v1'),
      ...foreignResources('v1'),
      subresource('nodes/proxy', 'NodeProxyOptions', ['get'], { namespaced: false }),
      subresource('pods/attach', 'PodAttachOptions', stream),
      subresource('pods/ephemeralcontainers', 'Pod', part),
      subresource('pods/eviction', 'Eviction', ['create'], { group: 'policy', version: 'v1' }),
      subresource('pods/exec', 'PodExecOptions', stream),
      subresource('pods/log', 'Pod', ['get']),
      subresource('pods/portforward', 'PodPortForwardOptions', stream),
      subresource('pods/resize', 'Pod', part),
      subresource('pods/status', 'Pod', part),
      subresource('serviceaccounts/token', 'TokenRequest', ['create'], {
        group: 'authentication.k8s.io',
        version: 'v1',
      }),
    ],
  },
  foreign('apiextensions.k8s.io', 'v1'),
  foreign('apps', 'v1'),
  { group: 'authentication.k8s.io', version: 'v1', resources: [review('selfsubjectreviews', 'SelfSubjectReview')] },
  {
    group: 'authorization.k8s.io',
    version: 'v1',
    resources: [
      review('localsubjectaccessreviews', 'LocalSubjectAccessReview', true),
      review('selfsubjectaccessreviews', 'SelfSubjectAccessReview'),
      review('selfsubjectrulesreviews', 'SelfSubjectRulesReview'),
      review('subjectaccessreviews', 'SubjectAccessReview'),
    ],
  },
  foreign('batch', 'v1'),
  foreign('batch', 'v1beta1'),
  { group: 'coordination.k8s.io', version: 'v1', resources: stored('coordination.k8s.io/v1') },
  {
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    resources: [
      { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['get', 'list'] },
      { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] },
    ],
  },
  foreign('networking.k8s.io', 'v1'),
  { group: 'node.k8s.io', version: 'v1', resources: stored('node.k8s.io/v1') },
  // This group comes after the group that replaced it, because a short name resolves to the first match.
  foreign('extensions', 'v1beta1'),
];

/** Returns the versions of a group, the preferred version first. */
export const versionsOf = (group: string): readonly GroupVersion[] =>
  groupVersions.filter((each) => each.group === group);

/** Returns the group version for an `apiVersion`, such as `v1` or `metrics.k8s.io/v1beta1`. */
export const findGroupVersion = (apiVersion: string): GroupVersion | undefined =>
  groupVersions.find((each) => apiVersionOf(each) === apiVersion);
