var e=`/** What plugins with capabilities are told of a pod. Upstream: buildCNIRuntimeConf (dockershim network/cni, v1.20). */
import { CriError, type DNSConfig, type PortMapping } from '@podscope/cri';
import { parseQuantity, quantityValue } from '@podscope/k8s';

const ingressAnnotation = 'kubernetes.io/ingress-bandwidth';
const egressAnnotation = 'kubernetes.io/egress-bandwidth';
/** Bits a second. */
const minRate = 1_000;
const maxRate = 1_000_000_000_000_000;
const unlimitedBurst = 2_147_483_647;

const protocols = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' } as const;

/** The values of capabilities, by name. Each plugin gets those that it declares. */
export type CapabilityArgs = Readonly<Record<string, unknown>>;

function rateOf(annotations: Readonly<Record<string, string>>, key: string): number | undefined {
  const text = annotations[key];
  if (text === undefined) return undefined;
  const fail = (why: string, cause?: unknown): CriError => new CriError('InvalidArgument', \`failed to get pod bandwidth from annotations: \${why}\`, { cause });
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

/** @throws CriError InvalidArgument for annotations that make no sense. */
export function bandwidthOf(annotations: Readonly<Record<string, string>>): object | undefined {
  const ingressRate = rateOf(annotations, ingressAnnotation);
  const egressRate = rateOf(annotations, egressAnnotation);
  if (ingressRate === undefined && egressRate === undefined) return undefined;
  return {
    ...(ingressRate === undefined ? {} : { ingressRate, ingressBurst: unlimitedBurst }),
    ...(egressRate === undefined ? {} : { egressRate, egressBurst: unlimitedBurst }),
  };
}

/** Only what is published. */
export const portMappingsOf = (mappings: readonly PortMapping[]): object[] =>
  mappings
    .filter(({ hostPort }) => (hostPort ?? 0) > 0)
    .map(({ protocol = 'TCP', containerPort, hostPort, hostIp = '' }) => ({ hostPort, containerPort, protocol: protocols[protocol], hostIP: hostIp }));

/** The pod's DNS, for plugins that want it. */
export const dnsOf = ({ servers = [], searches = [], options = [] }: DNSConfig): object => ({ servers, searches, options });

/** The node's pod range, for plugins that give out addresses. */
export const ipRangesOf = (podCidr: string): object => [[{ subnet: podCidr }]];
`;export{e as default};
//# sourceMappingURL=capabilities-VSEKtPic.js.map