/**
 * Reads a pod of another cluster from the file of `--snapshot FILE`, so that a simulated node continues the pod's run.
 */
import { readFile } from 'node:fs/promises';
import { type RestoredPod, type RestorePodOptions, readSnapshots, restorePod } from '@podscope/pod-snapshot';
import { StartError } from '../start-error.ts';

/**
 * Returns the first pod of a file, restored as of the newest time in the file.
 * @throws StartError if the file can't be read or contains no pod
 */
export async function readSnapshotFile(
  file: string,
  profile: NonNullable<RestorePodOptions['profile']>,
): Promise<RestoredPod> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(`the snapshot ${file} cannot be read: ${error.message}`, { cause: error });
  });
  const { snapshots, errors } = readSnapshots(text);
  const [snapshot] = snapshots;
  if (!snapshot) throw new StartError(errors.map(({ line = 1, message }) => `${file}:${line}: ${message}`).join('\n'));
  return restorePod(snapshot, { profile });
}
