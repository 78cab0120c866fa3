/** The pod's resolv.conf: the engine makes one for the sandbox, all containers of the pod share it, and we write the pod's DNS into it. */
import { open } from 'node:fs/promises';
import type { DNSConfig } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';

/** The file's text; empty when there is nothing to say. Upstream: generateResolvConf (v1.20: rewriteResolvFile). */
export function resolvConf({ servers = [], searches = [], options = [] }: DNSConfig): string {
  const lines = servers.map((server) => `nameserver ${server}`);
  if (searches.length > 0) lines.push(`search ${searches.join(' ')}`);
  if (options.length > 0) lines.push(`options ${options.join(' ')}`);
  return lines.length > 0 ? `${lines.join('\n')}\n` : '';
}

/** What is said of a file that is not there. */
export const missingResolvConf = (path: string): string => `ResolvConfPath ${goQuote(path)} does not exist`;

/**
 * Writes into the file that is there: it is mounted into containers, so another file in its place would not be seen.
 * Upstream: rewriteResolvFile (dockershim docker_sandbox.go, v1.20).
 */
export async function rewriteResolvConf(path: string, dns: DNSConfig): Promise<void> {
  const text = resolvConf(dns);
  if (!path || !text) return;
  const file = await open(path, 'r+').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw new Error(missingResolvConf(path), { cause });
    throw cause;
  });
  try {
    await file.truncate();
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
