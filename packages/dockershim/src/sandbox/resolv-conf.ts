/**
 * Writes the pod's DNS configuration into the sandbox's resolv.conf. The engine created the file, and all containers of
 * the sandbox share it.
 */
import { open } from 'node:fs/promises';
import { type DNSConfig, resolvConf } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';

/** Returns upstream's error text for a missing resolv.conf. */
export const missingResolvConf = (path: string): string => `ResolvConfPath ${goQuote(path)} does not exist`;

/**
 * Overwrites the file in place. The file is bind-mounted into containers, so they wouldn't see a new file. Upstream:
 * rewriteResolvFile (dockershim docker_sandbox.go, v1.20).
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
