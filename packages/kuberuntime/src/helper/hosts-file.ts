/**
 * Generates the /etc/hosts file that a pod's containers share. Upstream: pkg/kubelet/kubelet_pods.go
 * managedHostsFileContent (v1.36).
 */
import type { Pod } from '@podscope/k8s';

type HostAliases = NonNullable<Pod['spec']['hostAliases']>;

const header = `# Kubernetes-managed hosts file.
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
`;

function hostAliasLines(aliases: HostAliases | undefined): string {
  if (!aliases || aliases.length === 0) return '';
  const lines = aliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`);
  return `\n# Entries added by HostAliases.\n${lines.join('')}`;
}

/** Returns the content of the file for a pod that has its own network. */
export function managedHostsFileContent(
  podIPs: readonly string[],
  hostname: string,
  domain: string,
  aliases: HostAliases | undefined,
): string {
  const names = domain === '' ? hostname : `${hostname}.${domain}\t${hostname}`;
  return `${header}${podIPs.map((ip) => `${ip}\t${names}\n`).join('')}${hostAliasLines(aliases)}`;
}

/** Returns the content of the file for a pod on the host network: the kubelet's header and the node's own file. */
export const nodeHostsFileContent = (nodeHostsFile: string, aliases: HostAliases | undefined): string =>
  `# Kubernetes-managed hosts file (host network).\n${nodeHostsFile}${hostAliasLines(aliases)}`;
