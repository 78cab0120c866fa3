/** Formats a pod's resolv.conf. */
import type { DNSConfig } from './messages.ts';

/**
 * Returns the text of a resolv.conf file; empty for an empty configuration. Upstream: generateResolvConf (v1.20:
 * rewriteResolvFile).
 */
export function resolvConf({ servers = [], searches = [], options = [] }: DNSConfig): string {
  const lines = servers.map((server) => `nameserver ${server}`);
  if (searches.length > 0) lines.push(`search ${searches.join(' ')}`);
  if (options.length > 0) lines.push(`options ${options.join(' ')}`);
  return lines.length > 0 ? `${lines.join('\n')}\n` : '';
}
