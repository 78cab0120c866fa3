/** Determines how far a log was written, from the end of the file or, after a rotation, from a recorded position. */
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { LogPosition, type SavedPosition } from './log-position.ts';

/** Size of the block in which the last lines are searched; a line has at most 16 KiB and a header. */
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

/** @param notePath the file that {@link notePosition} may have written */
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

/** Records a position at a rotation, because the next file is empty. */
export const notePosition = (notePath: string, position: LogPosition): Promise<void> =>
  writeFile(notePath, JSON.stringify(position.saved), { mode: 0o600 });

/** Removes a container's recorded position. */
export const forgetPosition = (notePath: string): Promise<void> => rm(notePath, { force: true });
