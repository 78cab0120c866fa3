/**
 * Computes the host name and domain of a pod. Upstream: pkg/kubelet/kubelet_pods.go GeneratePodHostNameAndDomain,
 * util.GetNodenameForKernel (v1.36).
 */
import { goQuote, isDNS1123Label, isDNS1123Subdomain, type Pod } from '@podscope/k8s';

const maxHostnameLength = 63;
/** The maximum length of a node name in the kernel. */
const maxFQDNLength = 64;

export interface PodHostname {
  readonly hostname: string;
  readonly domain: string;
}

/**
 * Returns a host name that isn't longer than the limit.
 * @throws Error when only dots and dashes are left
 */
function truncatePodHostname(podName: string, hostname: string): string {
  if (hostname.length <= maxHostnameLength) return hostname;
  const truncated = hostname.slice(0, maxHostnameLength).replace(/[-.]+$/, '');
  if (truncated === '') throw new Error(`hostname for pod ${goQuote(podName)} was invalid: ${goQuote(hostname)}`);
  return truncated;
}

function checkLabel(field: string, value: string): void {
  const faults = isDNS1123Label(value);
  if (faults.length > 0)
    throw new Error(`pod ${field} ${goQuote(value)} is not a valid DNS label: ${faults.join(';')}`);
}

/**
 * Returns the host name that containers see, and the domain. The domain is empty for pods without a subdomain.
 * @throws Error for an invalid name
 */
export function generatePodHostNameAndDomain(pod: Pod, clusterDomain: string, hostnameOverride = true): PodHostname {
  const { metadata, spec } = pod;
  if (hostnameOverride && spec.hostnameOverride) {
    const faults = isDNS1123Subdomain(spec.hostnameOverride);
    if (faults.length > 0) {
      throw new Error(
        `pod HostnameOverride ${goQuote(spec.hostnameOverride)} is not a valid DNS subdomain: ${faults.join(';')}`,
      );
    }
    return { hostname: truncatePodHostname(metadata.name, spec.hostnameOverride), domain: '' };
  }
  if (spec.hostname) checkLabel('Hostname', spec.hostname);
  const hostname = truncatePodHostname(metadata.name, spec.hostname || metadata.name);
  if (!spec.subdomain) return { hostname, domain: '' };
  checkLabel('Subdomain', spec.subdomain);
  return { hostname, domain: `${spec.subdomain}.${metadata.namespace ?? ''}.svc.${clusterDomain}` };
}

/**
 * Returns the node name that the kernel reports in the pod: the host name, or the FQDN if `setHostnameAsFQDN` is true.
 * @throws Error when the FQDN is longer than the kernel's limit
 */
export function getNodenameForKernel(
  { hostname, domain }: PodHostname,
  setHostnameAsFQDN: boolean | undefined,
): string {
  if (domain === '' || !setHostnameAsFQDN) return hostname;
  const fqdn = `${hostname}.${domain}`;
  if (fqdn.length <= maxFQDNLength) return fqdn;
  throw new Error(
    `failed to construct FQDN from pod hostname and cluster domain, FQDN ${fqdn} is too long (${maxFQDNLength} ` +
      `characters is the max, ${fqdn.length} characters requested)`,
  );
}
