/**
 * Writes the pod's DNS configuration into the resolv.conf that the engine made for the sandbox and all its containers
 * share.
 */
import { open } from 'node:fs/promises';
import { type DNSConfig, resolvConf } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';

/** Returns upstream's error text for a missing file. */
export const missingResolvConf = (path: string): string => `ResolvConfPath ${goQuote(path)} does not exist`;

/**
 * Overwrites the file in place. It is bind-mounted into containers, which wouldn't see a replacement. Upstream:
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
