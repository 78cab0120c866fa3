/** Parses results of ADD in all versions of the CNI specification. */
import { isIP } from 'node:net';
import { z } from 'zod';

const legacySchema = z.object({
  ip4: z.object({ ip: z.string() }).optional(),
  ip6: z.object({ ip: z.string() }).optional(),
});
const currentSchema = z.object({
  ips: z
    .array(z.object({ address: z.string(), interface: z.number().nullish() }))
    .nullish()
    .transform((list) => list ?? []),
});

/** A result as the plugin returned it. The next plugin receives it in this form. */
export type CniResult = Readonly<Record<string, unknown>>;

/** Returns the pod's addresses in a result, IPv4 addresses first. */
export function addressesOf(result: CniResult): string[] {
  const legacy = legacySchema.safeParse(result).data;
  const current = currentSchema.safeParse(result).data;
  const cidrs = [...(current?.ips.map(({ address }) => address) ?? []), legacy?.ip4?.ip, legacy?.ip6?.ip];
  const addresses = [...new Set(cidrs.flatMap((cidr) => cidr?.split('/')[0] ?? []))].filter(
    (address) => isIP(address) !== 0,
  );
  return [...addresses.filter((address) => isIP(address) === 4), ...addresses.filter((address) => isIP(address) === 6)];
}
