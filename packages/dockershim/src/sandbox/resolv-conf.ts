/** The pod's resolv.conf: the engine makes one for the sandbox, all containers of the pod share it, and we write the pod's DNS into it. */
import { open } from 'node:fs/promises';
import { type DNSConfig, resolvConf } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';

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
