/** Loads the recordings of lessons. Each recording is loaded when a step needs it. */
import type { RecordedFile } from '../../../node/files/file-node.ts';

const files = import.meta.glob<string>('../../../../../../packages/lessons/recordings/*.podscope', {
  query: '?url',
  import: 'default',
  eager: true,
});

const addresses: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([path, address]) => [path.replace(/^.*\//, '').replace(/\.podscope$/, ''), address]),
);

/** Returns the ids of all recordings. */
export const recordingIds: readonly string[] = [...addresses.keys()];

/** Returns a recording. @throws Error for an unknown id or a failed download */
export async function loadRecording(id: string): Promise<RecordedFile> {
  const address = addresses.get(id);
  if (address === undefined) throw new Error(`there is no recording ${id}`);
  const [{ readTraceFile }, response] = await Promise.all([import('../../../node/files/file-node.ts'), fetch(address)]);
  if (!response.ok) throw new Error(`${id}: ${response.status} ${response.statusText}`);
  return readTraceFile(await response.blob());
}
