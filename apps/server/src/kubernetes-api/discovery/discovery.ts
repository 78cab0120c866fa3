/**
 * Builds the discovery documents of versions, groups and resources: separate documents for older clients, and one
 * aggregated document for newer clients. Upstream: metav1.APIVersions, APIGroupList, APIResourceList and
 * apidiscovery/v2 APIGroupDiscoveryList (v1.36).
 */
import { apiVersionOf } from '@podscope/apiserver';
import { kubernetesVersion } from '@podscope/node';
import { type ApiResource, type GroupVersion, groupVersions, versionsOf } from './api-resources.ts';

const serverAddresses = (address: string) => [{ clientCIDR: '0.0.0.0/0', serverAddress: address }];

/** Returns the document of `/api`. */
export const apiVersions = (address: string): unknown => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: serverAddresses(address),
});

/** Returns the names of all groups except the core group. */
const groupNames = (): readonly string[] =>
  [...new Set(groupVersions.map(({ group }) => group))].filter((group) => group !== '');

const describeGroup = (group: string): object => {
  const versions = versionsOf(group).map((groupVersion) => ({
    groupVersion: apiVersionOf(groupVersion),
    version: groupVersion.version,
  }));
  return { name: group, versions, preferredVersion: versions[0] };
};

/** Returns the document of `/apis/GROUP`. */
export const apiGroup = (group: string): unknown => ({ kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(group) });

/** Returns the document of `/apis`: every group except the core group. */
export const apiGroups = (): unknown => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groupNames().map(describeGroup),
});

/** Returns the document of `/api/v1` or `/apis/GROUP/VERSION`. */
export const apiResources = (groupVersion: GroupVersion): unknown => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: apiVersionOf(groupVersion),
  resources: groupVersion.resources,
});

/** The media type of aggregated discovery, in requests and responses. */
export const aggregatedMediaType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Returns true if the Accept header lists aggregated discovery first. */
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

/** Returns the aggregated document of `/api` or `/apis`. */
export const aggregatedDiscovery = (core: boolean): unknown => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: (core ? [''] : groupNames()).map((group) => ({
    metadata: group === '' ? {} : { name: group },
    versions: versionsOf(group).map((groupVersion) => ({
      version: groupVersion.version,
      resources: groupVersion.resources
        .filter(({ name }) => !name.includes('/'))
        .map((resource) => aggregatedResource(groupVersion, resource)),
      freshness: 'Current',
    })),
  })),
});

/** Returns the document of `/version`. @param product version of this server */
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
