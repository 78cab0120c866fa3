/**
 * Creates a volume on this machine that contains a file, and a file outside the volume that must not be reachable
 * through it.
 */
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates `volume/inside/file`, and beside the volume `outside/secret`. The caller removes `folder`. */
export async function makeVolumeFolder(): Promise<{ readonly folder: string; readonly volume: string }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'podscope-subpath-')));
  const volume = join(folder, 'volume');
  await mkdir(join(volume, 'inside'), { recursive: true });
  await mkdir(join(folder, 'outside'));
  await writeFile(join(folder, 'outside', 'secret'), 'host');
  await writeFile(join(volume, 'inside', 'file'), 'mine');
  return { folder, volume };
}
