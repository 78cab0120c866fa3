/** Lists the devices of the node for privileged containers. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Directories that each container has its own file system for, and directories of container managers. */
const skippedDirectories: ReadonlySet<string> = new Set(['pts', 'shm', 'fd', 'mqueue', '.lxc', '.lxd-mounts', '.udev']);

/**
 * Returns the paths of the device nodes below a directory, sorted, without terminals and the console. Upstream:
 * HostDevices (containerd oci/utils_unix.go, v1.6), which Docker uses since 23.0 for containers with the flag
 * `privileged`. Upstream fails for a subdirectory that it may not read; this function omits the subdirectory.
 * @throws Error if the directory can't be read
 */
export async function deviceNodes(directory = '/dev'): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const nodes = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      const path = join(directory, entry.name);
      if (entry.isDirectory())
        return skippedDirectories.has(entry.name) ? [] : deviceNodes(path).catch(ignoreUnreadable);
      const isDevice = entry.isCharacterDevice() || entry.isBlockDevice();
      return isDevice && entry.name !== 'console' ? [path] : [];
    }),
  );
  return nodes.flat().toSorted();
}

/** Returns an empty list if a subdirectory has disappeared, or may not be read by this process. */
function ignoreUnreadable(error: NodeJS.ErrnoException): readonly string[] {
  if (error.code === 'ENOENT' || error.code === 'EACCES') return [];
  throw error;
}
