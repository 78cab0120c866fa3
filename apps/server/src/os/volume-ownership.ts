/** Changes the group and mode of a volume. Upstream: pkg/volume/volume_linux.go SetVolumeOwnership (v1.36). */
import { chmod, lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const readWrite = 0o660;
const readOnlyMode = 0o440;
const searchable = 0o110;
const setGroupID = 0o2000;
const permissions = 0o7777;

/**
 * Sets the group of everything in the volume, and the modes that the group needs. For a link, only the group of the
 * link itself changes; its target stays unchanged.
 */
export async function setVolumeOwnership(path: string, group: number, readOnly: boolean): Promise<void> {
  const facts = await lstat(path);
  await lchown(path, facts.uid, group);
  if (facts.isSymbolicLink()) return;
  const granted = readOnly ? readOnlyMode : readWrite;
  const mode = facts.isDirectory() ? granted | setGroupID | searchable : granted;
  await chmod(path, (facts.mode & permissions) | mode);
  if (facts.isDirectory())
    for (const name of await readdir(path)) await setVolumeOwnership(join(path, name), group, readOnly);
}
