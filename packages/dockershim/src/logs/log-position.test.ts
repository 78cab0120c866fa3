import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LogMessage } from './log-messages.ts';
import { logFileLine } from './log-messages.ts';
import { LogPosition } from './log-position.ts';
import { notePosition, writtenPosition } from './written-position.ts';

const message = (second: number, stream: LogMessage['stream'] = 'stdout', text = 'x'): LogMessage => ({
  time: `2026-01-02T03:04:${String(second).padStart(2, '0')}.000000001Z`,
  stream,
  content: new TextEncoder().encode(text),
  isPartial: false,
});

describe('a position in a log', () => {
  it('starts at the beginning', () => {
    const position = new LogPosition();
    expect(position.since()).toBeUndefined();
    expect(position.isNew(message(1))).toBe(true);
  });

  it('skips written messages per stream and accepts the rest', () => {
    const position = new LogPosition();
    for (const each of [message(1), message(3), message(2, 'stderr')]) position.note(each);
    expect(position.since()).toBe(`${Date.UTC(2026, 0, 2, 3, 4, 1) / 1000}.000000001`);
    expect(
      [message(1), message(3), message(2, 'stderr'), message(3, 'stderr'), message(4)].map((each) =>
        position.isNew(each),
      ),
    ).toEqual([false, false, false, true, true]);
  });

  it('counts messages with the same time, as parts of a line have', () => {
    const position = new LogPosition();
    position.note(message(1));
    position.note(message(1));
    position.since();
    expect([1, 2, 3].map(() => position.isNew(message(1)))).toEqual([false, false, true]);
  });

  it('is restored from the end of the log file, or after a rotation from the recorded position', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'log-position-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const [log, note] = [join(directory, '0.log'), join(directory, 'note')];
    await writeFile(
      log,
      Buffer.concat([logFileLine(message(1)), logFileLine(message(2)), logFileLine(message(1, 'stderr'))]),
    );
    const position = await writtenPosition(log, note);
    expect(position.saved).toEqual({
      stdout: { time: message(2).time, count: 1 },
      stderr: { time: message(1).time, count: 1 },
    });
    await notePosition(note, position);
    await writeFile(log, '');
    expect((await writtenPosition(log, note)).saved).toEqual(position.saved);
  });

  it('writes lines in the format of CRI', () => {
    expect(logFileLine({ ...message(1, 'stderr', 'a b'), isPartial: true }).toString()).toBe(
      '2026-01-02T03:04:01.000000001Z stderr P a b\n',
    );
  });
});
