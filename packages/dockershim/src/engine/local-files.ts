/** File helpers for this machine. */
import { access, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Returns true if the path exists and is visible to this process. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Writes a file atomically: a crash leaves the old or the new one.
 * @param temporary the name of the temporary file beside the target; a killed process leaves it
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
    // Don't leave a partial file on a full disk. Upstream: writeFile (pkg/kubelet/util/store/filestore.go, v1.20).
    await rm(path, { force: true });
    throw error;
  }
}
