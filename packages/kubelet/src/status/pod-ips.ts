/** The addresses a pod's status shows. Upstream: sortPodIPs (pkg/kubelet/kubelet_pods.go, v1.36). */

const isIPv6 = (ip: string): boolean => ip.includes(':');

/** One address of each family, the family of the node's first address in front; more are dropped. */
export function orderPodIPs(ips: readonly string[], nodeIP: string | undefined): readonly string[] {
  const nodeIsIPv6 = nodeIP !== undefined && isIPv6(nodeIP);
  const primary = ips.find((ip) => isIPv6(ip) === nodeIsIPv6);
  const secondary = ips.find((ip) => isIPv6(ip) !== nodeIsIPv6);
  return [primary, secondary].filter((ip) => ip !== undefined);
}
