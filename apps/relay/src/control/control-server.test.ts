import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  encodeHead,
  FrameReader,
  protocolVersion,
  type RelayMessage,
  relayMessageSchema,
} from '@podscope/relay-protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallRegistry } from '../forward/observer.ts';
import { listening } from '../testing/served-relay.ts';
import { ControlServer } from './control-server.ts';

let directory: string;
let control: ControlServer;
let server: ReturnType<typeof createServer>;
let client: Socket;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'control-'));
  const path = join(directory, 'relay.sock');
  control = new ControlServer(
    { version: 'test', listen: '', runtime: join(directory, 'none.sock') },
    new CallRegistry(),
  );
  server = createServer((socket) => control.accept(socket));
  await listening(server, path);
  client = connect(path);
  client.write(encodeHead({ type: 'hello', protocol: protocolVersion, version: 'test' }));
  await vi.waitUntil(() => control.isConnected, { timeout: 120_000 });
});
afterEach(async () => {
  client.destroy();
  server.close();
  await rm(directory, { recursive: true, force: true });
});

describe('a debugger', () => {
  const silentAfter = 10_000;
  let gone: ReturnType<typeof vi.fn<() => void>>;
  let quiet: ControlServer;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Starts a server with one call in flight, and connects a debugger. */
  async function connected(hello: { readonly repeats?: boolean }): Promise<void> {
    gone = vi.fn<() => void>();
    const calls = new CallRegistry();
    calls.add({
      number: 1,
      answer: () => undefined,
      release: () => undefined,
      debuggerGone: gone,
      introduce: () => undefined,
    });
    const facts = { version: 'test', listen: '', runtime: join(directory, 'none.sock'), silentAfter };
    quiet = new ControlServer(facts, calls);
    const path = join(directory, 'quiet.sock');
    const other = createServer((socket) => quiet.accept(socket));
    await listening(other, path);
    client.destroy();
    client = connect(path);
    client.resume();
    client.once('close', () => other.close());
    client.write(encodeHead({ type: 'hello', protocol: protocolVersion, version: 'test', ...hello }));
    await expect.poll(() => quiet.isConnected).toBe(true);
  }
  /** Sends a list, and resolves when the relay has it. */
  async function ask(method: string): Promise<void> {
    client.write(encodeHead({ type: 'ask', methods: [method], after: [] }));
    await expect.poll(() => quiet.asksAbout(method, 'before')).toBe(true);
  }

  it('that repeats its list holds no calls any more once it is silent', async () => {
    await connected({ repeats: true });
    vi.advanceTimersByTime(silentAfter);
    await expect.poll(() => gone.mock.calls.length).toBe(1);
    await expect.poll(() => client.closed).toBe(true);
  });

  it('stays connected while it repeats its list', async () => {
    await connected({ repeats: true });
    for (const method of ['PullImage', 'ExecSync', 'StopContainer']) {
      vi.advanceTimersByTime(silentAfter - 1);
      await ask(method);
    }
    expect(gone).not.toHaveBeenCalled();
  });

  it('of an earlier version, which does not repeat its list, stays connected', async () => {
    await connected({});
    vi.advanceTimersByTime(silentAfter * 2);
    await ask('PullImage');
    expect(gone).not.toHaveBeenCalled();
  });
});

/** Begins to read. Returns all messages, also those that are received later. */
function readAll(): readonly RelayMessage[] {
  const reader = new FrameReader();
  const messages: RelayMessage[] = [];
  client.on('data', (chunk) => {
    for (const { message } of reader.push(chunk)) messages.push(relayMessageSchema.parse(message));
  });
  return messages;
}

/** Reports a response of some length, and the end of the call. Resolves when the relay has written it. */
async function report(call: number, length: number): Promise<void> {
  control.report({ type: 'response', call, time: 0, compressed: false }, Buffer.alloc(length));
  control.report({ type: 'ended', call, time: 0 });
  await Promise.resolve();
}

it('drops the responses of a debugger that does not read, but no end of a call, and reports their number', async () => {
  const large = 2 * 1024 * 1024;
  // The relay's own calls have lower numbers.
  const [first, last] = [101, 140];
  for (let call = first; call <= last; call += 1) await report(call, large);
  // A small response is sent while large ones are dropped.
  await report(last + 1, 1_000);
  const messages = readAll();
  const ends = (call: number) => messages.some((message) => message.type === 'ended' && message.call === call);
  await expect.poll(() => ends(last + 1)).toBe(true);
  await report(last + 2, large);
  await expect.poll(() => ends(last + 2)).toBe(true);
  const numbers = (type: RelayMessage['type']): readonly number[] =>
    messages.flatMap((message) =>
      message.type === type && 'call' in message && message.call >= first ? [message.call] : [],
    );
  expect(numbers('ended')).toEqual(Array.from({ length: last + 3 - first }, (_, index) => first + index));
  const responses = numbers('response');
  expect(responses.length).toBeLessThan(10);
  expect(responses).toContain(last + 1);
  expect(responses).toContain(last + 2);
  expect(messages.filter(({ type }) => type === 'lost')).toMatchObject([
    { messages: last + 3 - first - responses.length },
  ]);
});
