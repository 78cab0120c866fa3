/** Returns the sysctls of a sandbox. Upstream: kuberuntime_sandbox.go (v1.36 and v1.20). */
import type { Pod } from '@podscope/k8s';

/**
 * Returns a sysctl's name with dots as separators, for example `net.ipv4.conf.eno2/100.rp_filter` for
 * `net/ipv4/conf/eno2.100/rp_filter`. Upstream: ConvertSysctlVariableToDotsSeparator (v1.36).
 */
function normalizeSysctl(name: string): string {
  if (/[./]/.exec(name)?.[0] !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '.' ? '/' : '.'));
}

/** Returns the sysctls with names separated by dots. */
export const sysctlsV136 = ({ spec }: Pod): Readonly<Record<string, string>> =>
  Object.fromEntries((spec.securityContext?.sysctls ?? []).map(({ name, value }) => [normalizeSysctl(name), value]));
