import type { LogLine } from '@podscope/protocol';
import { describe, expect, it } from 'vitest';
import { readLogPage } from './log-page.ts';

async function* log(count: number, length = 0): AsyncIterable<LogLine> {
  for (let line = 0; line < count; line++)
    yield {
      time: line,
      stream: 'stdout',
      text: `${line % 10 === 0 ? 'Tenth' : 'other'} ${line}${'x'.repeat(length)}\n`,
    };
}

const numbers = async (...parameters: Parameters<typeof readLogPage>): Promise<readonly number[]> =>
  (await readLogPage(...parameters)).lines.map(({ number }) => number);

describe('readLogPage', () => {
  it('returns the last lines with their numbers, and the length of the log', async () => {
    const page = await readLogPage(log(1_000), { limit: 3 });
    expect(page.lines.map(({ number, text }) => [number, text])).toEqual([
      [997, 'other 997\n'],
      [998, 'other 998\n'],
      [999, 'other 999\n'],
    ]);
    expect(page).toMatchObject({ total: 1_000, matches: 1_000 });
  });

  it('returns the lines from a number on', async () => {
    expect(await numbers(log(100), { from: 10, limit: 3 })).toEqual([10, 11, 12]);
    expect(await numbers(log(100), { from: 98, limit: 3 })).toEqual([98, 99]);
    expect(await numbers(log(100), { from: 200, limit: 3 })).toEqual([]);
  });

  it('returns the newest lines that contain a text, in any case, and counts all of them', async () => {
    const page = await readLogPage(log(100), { limit: 2, search: 'tENTH' });
    expect(page.lines.map(({ number }) => number)).toEqual([80, 90]);
    expect(page).toMatchObject({ total: 100, matches: 10 });
  });

  it('returns fewer lines when they are too long for one message', async () => {
    expect(await numbers(log(10, 1024 * 1024), { limit: 10 })).toEqual([7, 8, 9]);
    expect(await numbers(log(10, 1024 * 1024), { from: 0, limit: 10 })).toEqual([0, 1, 2, 3]);
  });
});
