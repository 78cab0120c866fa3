/**
 * Determines which messages a log already contains, from the end of the file or, after a rotation, from a recorded
 * position.
 */
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { LogPosition, type SavedPosition } from './log-position.ts';

/**
 * The number of bytes at the end of the file in which the last lines are searched. A line has a header and at most 16
 * KiB.
 */
const tailBytes = 256 * 1024;
const linePattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z) (stdout|stderr) [FP]/;

const markSchema = z.object({ time: z.string(), count: z.number() }).optional();
const savedSchema = z.object({ stdout: markSchema, stderr: markSchema });

async function readTail(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - start), position: start });
    const text = buffer.subarray(0, bytesRead).toString('latin1');
    return start > 0 ? text.slice(text.indexOf('\n') + 1) : text;
  } finally {
    await file.close();
  }
}

/**
 * Returns the position after the last message in a log.
 * @param notePath the file to which {@link notePosition} may have written a position
 */
export async function writtenPosition(logPath: string, notePath: string): Promise<LogPosition> {
  const noted = await readFile(notePath, 'utf8').then(
    (text) => savedSchema.parse(JSON.parse(text)),
    (): SavedPosition => ({}),
  );
  const position = new LogPosition(noted);
  for (const line of (await readTail(logPath)).split('\n')) {
    const [, time, stream] = linePattern.exec(line) ?? [];
    if (time && (stream === 'stdout' || stream === 'stderr')) position.note({ time, stream });
  }
  return position;
}

/** Records the position when a log is rotated, because the new file is empty. */
export const notePosition = (notePath: string, position: LogPosition): Promise<void> =>
  writeFile(notePath, JSON.stringify(position.saved), { mode: 0o600 });

/** Removes a container's recorded position. */
export const forgetPosition = (notePath: string): Promise<void> => rm(notePath, { force: true });
