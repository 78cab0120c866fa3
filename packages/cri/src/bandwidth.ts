/**
 * Records whether a pod's bandwidth annotations are applied. Upstream: buildCNIRuntimeConf (dockershim network/cni,
 * v1.20).
 */
import type { Context } from '@podscope/trace';

/** The annotations that limit a pod's bandwidth, in bits per second. */
export const bandwidthAnnotations = {
  ingress: 'kubernetes.io/ingress-bandwidth',
  egress: 'kubernetes.io/egress-bandwidth',
} as const;

/** The network that may apply the limits. */
interface BandwidthNetwork {
  /** The name of the network plugin, for example `cni`. */
  readonly plugin: string;
  /** The types of the CNI plugins that declare the capability `bandwidth`. */
  readonly capable: readonly string[];
  /** The reason that is recorded if no plugin applies the limits. */
  readonly otherwise: string;
}

/** Records the decision `setUpPod.bandwidth` for a pod with bandwidth annotations; does nothing for other pods. */
export function decideBandwidth(
  ctx: Context,
  annotations: Readonly<Record<string, string>>,
  { plugin, capable, otherwise }: BandwidthNetwork,
): void {
  const { [bandwidthAnnotations.ingress]: ingress, [bandwidthAnnotations.egress]: egress } = annotations;
  if (ingress === undefined && egress === undefined) return;
  const isApplied = capable.length > 0;
  ctx.tracer.decide(
    ctx,
    'setUpPod.bandwidth',
    { ingress, egress, plugin },
    isApplied ? `yes: by the CNI plugin ${capable.join(', ')}` : `no: ${otherwise}`,
    isApplied,
  );
}
