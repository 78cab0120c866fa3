/** Orders the addresses in a pod's status. Upstream: sortPodIPs (pkg/kubelet/kubelet_pods.go, v1.36). */

const isIPv6 = (ip: string): boolean => ip.includes(':');

/**
 * Returns one address of each IP family; the family of the node's first address comes first. Further addresses are
 * dropped.
 */
export function orderPodIPs(ips: readonly string[], nodeIP: string | undefined): readonly string[] {
  const nodeIsIPv6 = nodeIP !== undefined && isIPv6(nodeIP);
  const primary = ips.find((ip) => isIPv6(ip) === nodeIsIPv6);
  const secondary = ips.find((ip) => isIPv6(ip) !== nodeIsIPv6);
  return [primary, secondary].filter((ip) => ip !== undefined);
}
