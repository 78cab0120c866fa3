/**
 * What clients ask first: which versions, groups and resources there are; one document each for older clients, all in one for newer ones.
 * Upstream: metav1.APIVersions, APIGroupList, APIResourceList, and apidiscovery/v2 APIGroupDiscoveryList (v1.36).
 */
import { apiVersionOf, kubernetesVersion } from '@podscope/cluster';
import { type ApiResource, type GroupVersion, groupVersions, versionsOf } from './api-resources.ts';

const serverAddresses = (address: string) => [{ clientCIDR: '0.0.0.0/0', serverAddress: address }];

/** `/api` */
export const apiVersions = (address: string): unknown => ({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: serverAddresses(address) });

/** The names of all groups but the core's. */
const groupNames = (): readonly string[] => [...new Set(groupVersions.map(({ group }) => group))].filter((group) => group !== '');

const describeGroup = (group: string): object => {
  const versions = versionsOf(group).map((groupVersion) => ({ groupVersion: apiVersionOf(groupVersion), version: groupVersion.version }));
  return { name: group, versions, preferredVersion: versions[0] };
};

/** `/apis/GROUP` */
export const apiGroup = (group: string): unknown => ({ kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(group) });

/** `/apis`: every group but the core's. */
export const apiGroups = (): unknown => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groupNames().map(describeGroup),
});

/** `/api/v1`, `/apis/GROUP/VERSION` */
export const apiResources = (groupVersion: GroupVersion): unknown => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: apiVersionOf(groupVersion),
  resources: groupVersion.resources,
});

/** The media type of the one document, as asked for and answered. */
export const aggregatedMediaType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** True when the client takes the one document and likes it best. */
export const wantsAggregated = (accept: string | undefined): boolean => {
  const [first = ''] = (accept ?? '').split(',');
  const parameters = new Set(first.split(';').map((parameter) => parameter.trim()));
  return aggregatedMediaType.split(';').every((parameter) => parameters.has(parameter));
};

const responseKind = ({ group, version }: GroupVersion, resource: ApiResource): object => ({
  group: resource.group ?? group,
  version: resource.version ?? version,
  kind: resource.kind,
});

function aggregatedResource(groupVersion: GroupVersion, resource: ApiResource): object {
  const { name, singularName, namespaced, verbs, shortNames, categories } = resource;
  const parts = groupVersion.resources.filter((candidate) => candidate.name.startsWith(`${name}/`));
  return {
    resource: name,
    responseKind: responseKind(groupVersion, resource),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singularName,
    verbs,
    shortNames,
    categories,
    subresources: parts.map((part) => ({
      subresource: part.name.slice(name.length + 1),
      responseKind: responseKind(groupVersion, part),
      verbs: part.verbs,
    })),
  };
}

/** `/api` and `/apis` as one document. */
export const aggregatedDiscovery = (core: boolean): unknown => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: (core ? [''] : groupNames()).map((group) => ({
    metadata: group === '' ? {} : { name: group },
    versions: versionsOf(group).map((groupVersion) => ({
      version: groupVersion.version,
      resources: groupVersion.resources.filter(({ name }) => !name.includes('/')).map((resource) => aggregatedResource(groupVersion, resource)),
      freshness: 'Current',
    })),
  })),
});

/** `/version`. @param product version of this server */
export function versionInfo(product: string): unknown {
  const [major, minor] = kubernetesVersion.slice(1).split('.');
  return {
    major,
    minor,
    gitVersion: `${kubernetesVersion}+podscope.${product}`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}
