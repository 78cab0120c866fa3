/** Computes the capability arguments of CNI plugins. Upstream: buildCNIRuntimeConf (dockershim network/cni, v1.20). */
import { bandwidthAnnotations, CriError, type DNSConfig, type PortMapping } from '@podscope/cri';
import { parseQuantity, quantityValue } from '@podscope/k8s/quantity';

/** The smallest rate, in bits per second. */
const minRate = 1_000;
const maxRate = 1_000_000_000_000_000;
const unlimitedBurst = 2_147_483_647;

const protocols = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' } as const;

/** Values by capability. Each plugin receives the capabilities that it declares. */
export type CapabilityArgs = Readonly<Record<string, unknown>>;

function rateOf(annotations: Readonly<Record<string, string>>, key: string): number | undefined {
  const text = annotations[key];
  if (text === undefined) return undefined;
  const fail = (why: string, cause?: unknown): CriError =>
    new CriError('InvalidArgument', `failed to get pod bandwidth from annotations: ${why}`, { cause });
  let rate: number;
  try {
    rate = quantityValue(parseQuantity(text));
  } catch (cause) {
    throw fail((cause as Error).message, cause);
  }
  if (rate < minRate) throw fail('resource is unreasonably small (< 1kbit)');
  if (rate > maxRate) throw fail('resource is unreasonably large (> 1Pbit)');
  return rate;
}

/**
 * Returns the bandwidth limits in the annotations of a pod.
 * @throws CriError InvalidArgument for invalid limits
 */
export function bandwidthOf(annotations: Readonly<Record<string, string>>): object | undefined {
  const ingressRate = rateOf(annotations, bandwidthAnnotations.ingress);
  const egressRate = rateOf(annotations, bandwidthAnnotations.egress);
  if (ingressRate === undefined && egressRate === undefined) return undefined;
  return {
    ...(ingressRate === undefined ? {} : { ingressRate, ingressBurst: unlimitedBurst }),
    ...(egressRate === undefined ? {} : { egressRate, egressBurst: unlimitedBurst }),
  };
}

/** Returns the port mappings that have a host port. */
export const portMappingsOf = (mappings: readonly PortMapping[]): object[] =>
  mappings
    .filter(({ hostPort }) => (hostPort ?? 0) > 0)
    .map(({ protocol = 'TCP', containerPort, hostPort, hostIp = '' }) => ({
      hostPort,
      containerPort,
      protocol: protocols[protocol],
      hostIP: hostIp,
    }));

/** Returns the pod's DNS configuration. */
export const dnsOf = ({ servers = [], searches = [], options = [] }: DNSConfig): object => ({
  servers,
  searches,
  options,
});

/** Returns the node's pod CIDR as an IP range. */
export const ipRangesOf = (podCidr: string): object => [[{ subnet: podCidr }]];
