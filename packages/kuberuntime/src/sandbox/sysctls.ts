/** Kernel settings of a sandbox. */
import type { Pod } from '@podscope/k8s';

/** `net/ipv4/conf/eno2.100/rp_filter` → `net.ipv4.conf.eno2/100.rp_filter`. Upstream: ConvertSysctlVariableToDotsSeparator (v1.36). */
function normalizeSysctl(name: string): string {
  if (/[./]/.exec(name)?.[0] !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '.' ? '/' : '.'));
}

/** Names as written. */
export const sysctlsV120 = ({ spec }: Pod): Readonly<Record<string, string>> =>
  Object.fromEntries((spec.securityContext?.sysctls ?? []).map(({ name, value }) => [name, value]));

/** Names with dots. */
export const sysctlsV136 = ({ spec }: Pod): Readonly<Record<string, string>> =>
  Object.fromEntries((spec.securityContext?.sysctls ?? []).map(({ name, value }) => [normalizeSysctl(name), value]));
