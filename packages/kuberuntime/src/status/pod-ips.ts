/** Determines the addresses of a sandbox. Upstream: determinePodSandboxIPs (v1.36). */
import type { PodSandboxStatus } from '@podscope/cri';
import type { Context } from '@podscope/trace';

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;
const isIP = (text: string): boolean => ipv4.test(text) || (text.includes(':') && /^[0-9a-f:.]+$/i.test(text));

/**
 * Returns the addresses of a sandbox, the primary one first. Returns no addresses if one is invalid or if the network
 * status is missing.
 */
export function determinePodSandboxIPs(ctx: Context, { id, network }: PodSandboxStatus): readonly string[] {
  if (!network) return [];
  const ips = [...(network.ip === '' ? [] : [network.ip]), ...(network.additionalIps ?? []).map(({ ip }) => ip)];
  const wrong = ips.find((ip) => !isIP(ip));
  if (wrong === undefined) return ips;
  ctx.tracer.emit(ctx, {
    type: 'output',
    level: 'warning',
    message: `sandbox ${id} reports ${JSON.stringify(wrong)}, which is no IP address: it counts as having none`,
  });
  return [];
}
