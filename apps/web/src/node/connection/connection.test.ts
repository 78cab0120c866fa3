import { EventPacker, splitEvent } from '@podscope/protocol';
import { toJson } from '@podscope/trace';
import { EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { connect, nodeInfo } from './testing/fake-node.ts';

const log = new EventScript('11111111-2222-3333-4444-555555555555');
for (let count = 1; count <= 200; count++)
  log.wait(10).emit({ type: 'output', level: 'info', message: `line ${count}` });
const events = (from: number, to: number) => log.events.slice(from - 1, to);
const line = (text: string) => ({ time: 0, stream: 'stdout' as const, text });
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('Connection', () => {
  it('sends hello, accepts the welcome and forwards events', () => {
    const node = connect();
    expect(node.sent()).toEqual([{ type: 'hello', protocol: 1, packed: true }]);
    node.welcome({ lastSeq: 0 });
    expect(node.connection.state.phase).toBe('live');
    node.events(events(1, 3));
    expect(node.received).toEqual([1, 2, 3]);
    expect(node.began).toEqual([{ run: 'run-1', restarted: false }]);
  });

  it('is catching up until the announced events have arrived', () => {
    const node = connect();
    node.welcome({ lastSeq: 100 });
    node.events(events(1, 64));
    expect(node.connection.state).toMatchObject({ phase: 'catchingUp', from: 0, target: 100 });
    node.events(events(65, 100));
    expect(node.connection.state.phase).toBe('live');
  });

  it('resumes after the last event without loss or duplicates', () => {
    const node = connect();
    node.welcome({ lastSeq: 0 });
    node.events(events(1, 50));
    node.cut();
    expect(node.connection.state).toMatchObject({ phase: 'away', attempt: 0 });
    node.elapse();
    expect(node.sent()).toEqual([{ type: 'hello', protocol: 1, packed: true, run: 'run-1', after: 50 }]);
    node.welcome({ after: 50, lastSeq: 150 });
    node.events(events(51, 114));
    node.events(events(115, 150));
    expect(node.received).toEqual(numbers(1, 150));
    expect(node.began).toHaveLength(1);
    expect(node.resumed).toBe(1);
    expect(node.connection.state.phase).toBe('live');
  });

  it('reads a packed backlog', () => {
    const node = connect();
    node.welcome({ lastSeq: 200 });
    const { text, count } = new EventPacker().pack(events(1, 200).map((event) => splitEvent(event, toJson)));
    node.receive(JSON.parse(text));
    expect(count).toBe(200);
    expect(node.received).toEqual(numbers(1, 200));
    expect(node.connection.state.phase).toBe('live');
  });

  it('connects again when a packed backlog refers to templates that it does not have', () => {
    const node = connect();
    node.welcome({ lastSeq: 200 });
    const packer = new EventPacker();
    packer.pack(events(1, 1).map((event) => splitEvent(event, toJson)));
    node.receive(JSON.parse(packer.pack(events(2, 3).map((event) => splitEvent(event, toJson))).text));
    expect(node.received).toEqual([]);
    expect(node.connection.state).toMatchObject({ phase: 'away' });
  });

  it('drops events that it already has', () => {
    const node = connect();
    node.welcome({ lastSeq: 0 });
    node.events(events(1, 10));
    node.events(events(5, 12));
    expect(node.received).toEqual(numbers(1, 12));
  });

  it('requests missing events again', () => {
    const node = connect();
    node.welcome({ lastSeq: 0 });
    node.events(events(1, 10));
    node.events([...events(11, 12), ...events(15, 20)]);
    expect(node.received).toEqual(numbers(1, 12));
    expect(node.connection.state).toMatchObject({ phase: 'away', reason: 'Event 13 is missing. Requesting it again.' });
    node.elapse();
    expect(node.sent()).toEqual([{ type: 'hello', protocol: 1, packed: true, run: 'run-1', after: 12 }]);
  });

  it('shows changed facts about the node without starting over', () => {
    const node = connect();
    node.welcome({ lastSeq: 0 });
    node.receive({ type: 'node', node: { ...nodeInfo(), nodeName: 'node-2' } });
    expect(node.connection.node?.nodeName).toBe('node-2');
    expect(node.connection.state).toMatchObject({ phase: 'live', node: { nodeName: 'node-2' } });
    expect(node.began).toHaveLength(1);
  });

  it('starts over when the server was restarted', () => {
    const node = connect();
    node.welcome({ lastSeq: 0 });
    node.events(events(1, 10));
    node.cut();
    node.elapse();
    node.welcome({ run: 'run-2', after: 0, lastSeq: 2 });
    node.events(events(1, 2));
    expect(node.began).toEqual([
      { run: 'run-1', restarted: false },
      { run: 'run-2', restarted: true },
    ]);
    expect(node.received).toEqual([...numbers(1, 10), 1, 2]);
  });

  it('starts over when the server no longer has the next event', () => {
    const node = connect();
    node.welcome({ lastSeq: 0 });
    node.events(events(1, 10));
    node.welcome({ after: 99, lastSeq: 120, firstSeq: 100 });
    expect(node.began.at(-1)).toEqual({ run: 'run-1', restarted: false });
    node.events(events(100, 120));
    expect(node.received).toEqual([...numbers(1, 10), ...numbers(100, 120)]);
  });

  it('doubles the delay between attempts and keeps the time of the disconnection', () => {
    const node = connect();
    node.welcome({ lastSeq: 0 });
    const delays: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      node.cut();
      const { state } = node.connection;
      if (state.phase !== 'away') throw new Error(`expected to be away, not ${state.phase}`);
      delays.push((state.retryAt ?? 0) - node.now());
      expect(state.since).toBe(node.cutAt);
      node.elapse();
    }
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  });

  it('reports that the server refuses the connection', () => {
    const node = connect({ autoOpen: false });
    node.close({ reason: '', refused: true });
    // No retry is scheduled, because the node would reject the same token again.
    expect(node.connection.state).toMatchObject({ phase: 'away', refused: true, retryAt: undefined });
  });

  it('reports a node that does not answer within 10 s', () => {
    const node = connect();
    node.elapse();
    expect(node.connection.state).toMatchObject({ phase: 'away', reason: 'The node is not responding.' });
  });

  it('waits without a limit for an engine in the page, which reports its failures', () => {
    const node = connect({ reportsFailures: true });
    node.elapse();
    expect(node.connection.state.phase).toBe('connecting');
    node.welcome({ lastSeq: 0 });
    expect(node.connection.state.phase).toBe('live');
  });

  it('reports the closing message of the server', () => {
    const node = connect();
    node.welcome({ lastSeq: 0 });
    node.receive({ type: 'bye', reason: 'The server is stopping.' });
    node.cut();
    expect(node.connection.state).toMatchObject({ phase: 'away', reason: 'The server is stopping.' });
  });

  it('reconnects at once when the node moves to another run', () => {
    const node = connect();
    node.welcome({ lastSeq: 0 });
    node.receive({ type: 'bye', reason: 'The run starts again.', next: 'run-1-2' });
    node.cut();
    expect(node.connection.state).toMatchObject({ phase: 'away', isMoving: true, retryAt: node.now() });
    node.elapse();
    node.welcome({ run: 'run-1-2', after: 0, lastSeq: 2 });
    node.cut();
    expect(node.connection.state).toMatchObject({ phase: 'away', isMoving: false, retryAt: node.now() + 500 });
  });

  it.each([
    [2, 'The node speaks protocol 2, this page protocol 1. Reload the page to get the newer one.'],
    [0, 'The node speaks protocol 0, this page protocol 1. Update the server, then reload the page.'],
  ])('rejects a node of protocol %d with both version numbers and the remedy', (protocol, reason) => {
    const node = connect();
    // A newer node may send a welcome that this page can't read.
    node.receive({ type: 'welcome', protocol, somethingNew: true });
    expect(node.connection.state).toMatchObject({ phase: 'away', reason });
  });

  it('disconnects from a node that sends invalid messages', () => {
    const node = connect();
    node.receive({ type: 'nonsense' });
    expect(node.connection.state).toMatchObject({ phase: 'away' });
  });

  it('settles a command with the response of the same id', async () => {
    const node = connect();
    node.welcome({ lastSeq: 0 });
    const first = node.connection.command<'getPodYaml'>({ command: 'getPodYaml', namespace: 'default', name: 'web' });
    const second = node.connection.command<'deletePod'>({ command: 'deletePod', namespace: 'default', name: 'web' });
    const [, one, two] = node.sent() as { id: number }[];
    node.receive({ type: 'failure', id: two?.id ?? 0, reason: 'NotFound', message: 'pods "web" not found' });
    node.receive({ type: 'response', id: one?.id ?? 0, ok: true, result: { yaml: 'kind: Pod\n' } });
    await expect(first).resolves.toEqual({ yaml: 'kind: Pod\n' });
    await expect(second).rejects.toMatchObject({ reason: 'NotFound', message: 'pods "web" not found' });
  });

  it('rejects commands while disconnected, and commands whose response is lost', async () => {
    const node = connect();
    await expect(node.connection.command<'validate'>({ command: 'validate', manifest: '' })).rejects.toThrow(
      'Not connected',
    );
    node.welcome({ lastSeq: 0 });
    const pending = node.connection.command<'validate'>({ command: 'validate', manifest: '' });
    node.cut();
    await expect(pending).rejects.toThrow('may have taken effect');
  });

  it('follows a log until it is stopped', () => {
    const node = connect();
    node.welcome({ lastSeq: 0 });
    const seen: string[] = [];
    const stop = node.connection.followLogs(
      { command: 'followLogs', namespace: 'default', name: 'web', container: 'app' },
      (lines, end) => seen.push(...lines.map(({ text }) => text), ...(end ? ['(end)'] : [])),
      () => seen.push('(error)'),
    );
    const id = (node.sent().at(-1) as { id: number }).id;
    node.receive({ type: 'logLines', id, lines: [line('one')], end: false });
    stop();
    expect(node.sent().at(-1)).toMatchObject({ body: { command: 'cancel', target: id } });
    node.receive({ type: 'logLines', id, lines: [line('two')], end: false });
    expect(seen).toEqual(['one']);
  });
});
