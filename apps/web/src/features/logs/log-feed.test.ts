import type { LogLine } from '@podscope/protocol';
import { describe, expect, it } from 'vitest';
import { CommandFailedError } from '../../node/connection/errors.ts';
import { LogBuffer } from './lines/log-buffer.ts';
import { LogFeed } from './log-feed.ts';

const line = (number: number): LogLine => ({ time: number, stream: 'stdout', text: `line ${number}` });

/** Returns a feed for a node whose log has `count` lines. */
function setup(count: number) {
  const commands: Record<string, unknown>[] = [];
  let follower: ((lines: readonly LogLine[], end: boolean) => void) | undefined;
  const feed = new LogFeed({
    request: { namespace: 'default', name: 'web', container: 'app', previous: false },
    now: () => 0,
    buffer: new LogBuffer((task) => task()),
    connection: {
      command: (async (body: Record<string, unknown>) => {
        commands.push(body);
        if (count === 0) throw new CommandFailedError('BadRequest', 'no container');
        const limit = Number(body['limit']);
        const from = body['from'] === undefined ? Math.max(0, count - limit) : Number(body['from']);
        const lines = Array.from({ length: Math.min(limit, count - from) }, (_, at) => ({
          ...line(from + at),
          number: from + at,
        }));
        return { lines, total: count, matches: count };
      }) as never,
      followLogs: (body, onLines) => {
        commands.push(body);
        follower = onLines;
        return () => {
          follower = undefined;
        };
      },
    },
  });
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return { feed, commands, settled, follow: (...added: number[]) => follower?.(added.map(line), false) };
}

const texts = (feed: LogFeed): readonly string[] => feed.buffer.lines.map(({ text }) => text);

describe('LogFeed', () => {
  it('reads the last page, then follows from the line after it', async () => {
    const { feed, commands, settled, follow } = setup(5_000);
    feed.start('');
    await settled();
    expect(texts(feed)).toHaveLength(2_000);
    expect(feed.earlier).toBe(3_000);
    expect(commands.at(-1)).toMatchObject({ command: 'followLogs', fromLine: 5_000 });
    follow(5_000, 5_001);
    expect(feed.buffer.lines.at(-1)).toMatchObject({ text: 'line 5001', line: 5_001 });
  });

  it('loads earlier pages until the first line', async () => {
    const { feed, settled } = setup(5_000);
    feed.start('');
    await settled();
    await feed.loadEarlier();
    expect(feed.buffer.lines[0]).toMatchObject({ text: 'line 1000', line: 1_000 });
    await feed.loadEarlier();
    await feed.loadEarlier();
    expect(texts(feed)).toEqual(Array.from({ length: 5_000 }, (_, at) => `line ${at}`));
    expect(feed.earlier).toBe(0);
    // The keys are unique and in order.
    const numbers = feed.buffer.lines.map(({ number }) => number);
    expect(numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1)).toBe(true);
  });

  it('separates two instances with a line, and loads earlier pages of the previous instance', async () => {
    const { feed, commands, settled } = setup(3_000);
    feed.start('');
    await settled();
    feed.start('attempt 1');
    await settled();
    expect(texts(feed)).toContain('attempt 1');
    await feed.loadEarlier();
    expect(commands.at(-1)).toMatchObject({ previous: true, from: 0, limit: 1_000 });
  });

  it('reports why a log cannot be read', async () => {
    const { feed, settled } = setup(0);
    feed.start('');
    await settled();
    expect(feed.status).toEqual({ phase: 'ended', problem: 'no container' });
  });
});
