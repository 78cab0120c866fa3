import type { LogLine } from '@podscope/protocol';
import { expect, it } from 'vitest';
import { LogReader } from './read-logs.ts';

const line = (time: number, text = `line ${time}`): LogLine => ({ time, stream: 'stdout', text });

/** Returns a reader of a node with one container, whose logs are the two lists. */
function setup(attempts: number) {
  const node = { now: 0, attempts, current: [] as LogLine[], previous: [] as LogLine[], readOnly: false };
  const pod = {
    namespace: 'default',
    name: 'web',
    deletedAt: undefined,
    get containers() {
      return [{ name: 'app', attempts: Array.from({ length: node.attempts }) }];
    },
  };
  const session = {
    connection: {
      node,
      command: async ({ from, limit, previous }: { from: number; limit: number; previous: boolean }) => ({
        lines: (previous ? node.previous : node.current).slice(from, from + limit),
      }),
    },
    run: { liveNow: () => node.now, history: { lastSeq: 1, newest: { pods: () => [pod] } } },
  };
  const reader = new LogReader(session as never);
  const read = async (): Promise<unknown> => {
    node.now += 1;
    return (await reader.read()).map(({ previous, from, lines }) => [
      previous ? 'previous' : 'current',
      from,
      lines.map(({ text }) => text),
    ]);
  };
  return { node, reader, read };
}

it('returns an empty log once, and then each line once', async () => {
  const { node, reader, read } = setup(1);
  expect(await read()).toEqual([['current', 0, []]]);
  expect(await read()).toEqual([]);
  node.current.push(line(1));
  expect(await read()).toEqual([['current', 0, ['line 1']]]);
  node.current.push(line(2), line(3));
  expect(await read()).toEqual([['current', 1, ['line 2', 'line 3']]]);
  expect(await reader.read()).toEqual([]);
});

it('returns the log of a new instance from its first line, and that of the previous instance', async () => {
  const { node, read } = setup(1);
  node.current = [line(1, 'begin'), line(2, 'fail')];
  await read();
  node.previous = node.current;
  node.current = [line(5, 'begin'), line(6, 'fail'), line(7, 'more')];
  node.attempts = 2;
  expect(await read()).toEqual([
    ['previous', 0, ['begin', 'fail']],
    ['current', 0, ['begin', 'fail', 'more']],
  ]);
});

it('returns long logs in pages, and none of a recording', async () => {
  const { node, read } = setup(1);
  node.current = Array.from({ length: 2_500 }, (_each, number) => line(number, 'x'));
  const [first] = (await read()) as [string, number, string[]][];
  const [second] = (await read()) as [string, number, string[]][];
  expect([first?.[2].length, second?.[1], second?.[2].length]).toEqual([2_000, 2_000, 500]);
  node.readOnly = true;
  node.current.push(line(9_999));
  expect(await read()).toEqual([]);
});

it('stops at 2,000,000 characters of a run', async () => {
  const { node, read } = setup(1);
  const long = 'x'.repeat(900_000);
  node.current = [line(1, long), line(2, long), line(3, long)];
  expect(await read()).toMatchObject([['current', 0, [long, long]]]);
  expect(await read()).toEqual([]);
});
