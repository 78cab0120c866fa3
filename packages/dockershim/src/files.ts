/** Files of this machine. */
import { access, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** True when this process can see the path. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Writes a file so that a crash leaves either the old one or the new one.
 * @param temporary its name beside the target until it is whole; a process that is killed in the middle leaves it
 */
export async function writeDurably(target: string, content: string, temporary: string): Promise<void> {
  const path = join(dirname(target), temporary);
  try {
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, target);
  } catch (error) {
    // A full disk must not keep a part of it for ever. Upstream: writeFile (pkg/kubelet/util/store/filestore.go, v1.20) removes it too.
    await rm(path, { force: true });
    throw error;
  }
}
