/** Checks and writes files of this machine. */
import { access, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Returns true if the path exists and is visible to this process. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Writes a file atomically: after a crash, the file has either its old or its new content.
 * @param temporary the name of the temporary file in the same directory; if the process is killed, this file remains
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
    // Removes the partial file, for example when the disk is full. Upstream: writeFile
    // (pkg/kubelet/util/store/filestore.go, v1.20).
    await rm(path, { force: true });
    throw error;
  }
}
