import type { LogLine, ServerMessage } from '@podscope/protocol';
import { expect, it } from 'vitest';
import { MirrorLogs } from './mirror-logs.ts';

const line = (time: number, text = `line ${time}`): LogLine => ({ time, stream: 'stdout', text });
const app = { namespace: 'default', pod: 'web', container: 'app', previous: false };
const named = { namespace: 'default', name: 'web', container: 'app' };

/** Returns the logs of one container, and the messages that a client gets. */
function setup() {
  const logs = new MirrorLogs();
  const messages: ServerMessage[] = [];
  const deliver = (message: ServerMessage): void => void messages.push(message);
  return { logs, messages, deliver };
}

it('returns pages, matches and last lines of a log, and an empty page of a log without lines', () => {
  const { logs, deliver } = setup();
  logs.add({ ...app, from: 0, lines: [line(1), line(2), line(3)] });
  const numbers = (body: { from?: number; limit: number; search?: string; previous?: boolean }): unknown =>
    logs.answer(1, { command: 'logPage', ...named, ...body }, deliver);
  expect(numbers({ limit: 2 })).toMatchObject({ lines: [{ number: 1 }, { number: 2 }], total: 3, matches: 3 });
  expect(numbers({ from: 0, limit: 2 })).toMatchObject({ lines: [{ number: 0 }, { number: 1 }] });
  expect(numbers({ limit: 9, search: 'LINE 3' })).toMatchObject({ lines: [{ number: 2 }], matches: 1 });
  expect(numbers({ limit: 9, previous: true })).toEqual({ lines: [], total: 0, matches: 0 });
  expect(logs.answer(1, { command: 'logs', ...named, tailLines: 1 }, deliver)).toEqual({ lines: [line(3)] });
});

it('sends new lines to a follower until it cancels', () => {
  const { logs, messages, deliver } = setup();
  logs.add({ ...app, from: 0, lines: [line(1)] });
  expect(logs.answer(7, { command: 'followLogs', ...named, fromLine: 0 }, deliver)).toEqual({ lines: [line(1)] });
  logs.add({ ...app, from: 1, lines: [line(2)] });
  logs.add({ ...app, previous: true, from: 0, lines: [line(3)] });
  expect(messages).toEqual([{ type: 'logLines', id: 7, lines: [line(2)], end: false }]);
  logs.cancel(7, deliver);
  logs.add({ ...app, from: 2, lines: [line(4)] });
  expect(messages).toHaveLength(1);
});

it('ends a followed log that another instance replaces', () => {
  const { logs, messages, deliver } = setup();
  logs.add({ ...app, from: 0, lines: [line(1)] });
  logs.answer(7, { command: 'followLogs', ...named, fromLine: 1 }, deliver);
  logs.add({ ...app, from: 0, lines: [line(9, 'again')] });
  expect(messages).toEqual([{ type: 'logLines', id: 7, lines: [], end: true }]);
  expect(logs.answer(8, { command: 'logs', ...named }, deliver)).toEqual({ lines: [line(9, 'again')] });
});
