/** What clients ask first: which versions, groups and resources there are. Upstream: metav1.APIVersions, APIGroupList, APIResourceList (v1.36). */
import { kubernetesVersion, type ResourceDefinition, resourceDefinitions, type Verb } from '@podscope/cluster';

const serverAddresses = (address: string) => [{ clientCIDR: '0.0.0.0/0', serverAddress: address }];

/** `/api` */
export const apiVersions = (address: string): unknown => ({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: serverAddresses(address) });

/** `/apis`: there is only the core group, which is not listed here. */
export const apiGroups = (): unknown => ({ kind: 'APIGroupList', apiVersion: 'v1', groups: [] });

const entry = ({ resource, singular, kind, namespaced, verbs, shortNames, categories }: ResourceDefinition): unknown => ({
  name: resource,
  singularName: singular,
  namespaced,
  kind,
  verbs,
  ...(shortNames.length > 0 ? { shortNames } : {}),
  ...(categories.length > 0 ? { categories } : {}),
});

const subresource = (name: string, kind: string, verbs: readonly Verb[]): unknown => ({ name, singularName: '', namespaced: true, kind, verbs });

/** `/api/v1` */
export const apiResources = (): unknown => ({
  kind: 'APIResourceList',
  groupVersion: 'v1',
  resources: [
    ...resourceDefinitions.map(entry),
    subresource('pods/ephemeralcontainers', 'Pod', ['get', 'patch', 'update']),
    subresource('pods/log', 'Pod', ['get']),
    subresource('pods/resize', 'Pod', ['get', 'patch', 'update']),
    subresource('pods/status', 'Pod', ['get', 'patch', 'update']),
  ],
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
