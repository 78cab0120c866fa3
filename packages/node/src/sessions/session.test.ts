import { notFound } from '@podscope/apiserver';
import type { Pod } from '@podscope/k8s';
import { EventUnpacker, type NodeInfo, protocolVersion, serverMessageSchema } from '@podscope/protocol';
import { EventLog, VirtualClock } from '@podscope/trace';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { CommandTable } from '../commands/command-table.ts';
import { type NodeCommands, nodeCommandHandlers } from '../commands/node-commands.ts';
import { LiveFeed } from './event-feed.ts';
import { EventEncoder } from './event-json.ts';
import { Session, type SessionDependencies, type Transport } from './session.ts';
import { maxRunningCommands } from './session-commands.ts';

type ServerMessage = z.infer<typeof serverMessageSchema>;

/** A transport that records the messages to a client and the number of bytes that the client hasn't read. */
class FakeTransport implements Transport {
  readonly messages: ServerMessage[] = [];
  bufferedAmount = 0;
  closed: { code: number; reason: string } | undefined;

  send(text: string): void {
    this.messages.push(serverMessageSchema.parse(JSON.parse(text)));
  }
  close(code: number, reason: string): void {
    this.closed = { code, reason };
  }
  get seqs(): number[] {
    return this.messages.flatMap((message) => (message.type === 'events' ? message.events.map(({ seq }) => seq) : []));
  }
  last<T extends ServerMessage['type']>(type: T): Extract<ServerMessage, { type: T }> {
    const found = this.messages.findLast((message) => message.type === type);
    if (!found) throw new Error(`no ${type} among ${this.messages.map((message) => message.type).join(', ')}`);
    return found as Extract<ServerMessage, { type: T }>;
  }
}

const nodeInfo: NodeInfo = {
  run: 'run-1',
  startedAt: 0,
  version: '0',
  nodeName: 'node',
  runtime: { name: 'sim', version: '1', kind: 'sim' },
  notices: [],
  profile: 'v1.36',
  steps: [],
  readOnly: false,
};

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u' },
  spec: { containers: [] },
};

const never = (): Promise<never> => new Promise(() => undefined);

function setup(options: { readonly retained?: number; readonly commands?: Partial<NodeCommands> } = {}) {
  const clock = new VirtualClock();
  const log = new EventLog(clock, options.retained);
  const commands: NodeCommands = {
    apply: never,
    validate: never,
    deletePod: () => Promise.resolve(),
    getPodYaml: (_namespace, name) => {
      throw notFound('pods', name);
    },
    async *logs() {
      yield { time: 1, stream: 'stdout' as const, text: 'hello' };
    },
    ...options.commands,
  };
  const dependencies: SessionDependencies = {
    events: new LiveFeed(log, new EventEncoder()),
    node: () => nodeInfo,
    pods: () => [pod],
    commands: new CommandTable(nodeCommandHandlers(commands)),
    pacing: clock,
  };
  const append = (count: number): void => {
    for (let index = 0; index < count; index++)
      log.append({ type: 'output', thread: 'main', level: 'info', message: 'x' });
  };
  const connect = (hello: object = {}): { transport: FakeTransport; session: Session } => {
    const transport = new FakeTransport();
    const session = new Session(dependencies, transport);
    session.receive(JSON.stringify({ type: 'hello', protocol: protocolVersion, ...hello }));
    return { transport, session };
  };
  return { clock, log, append, connect };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

describe('welcome', () => {
  it('starts a new client with the oldest event', async () => {
    const { clock, append, connect } = setup();
    append(3);
    const { transport } = connect();
    await clock.advance(100);
    expect(transport.messages[0]).toMatchObject({
      type: 'welcome',
      protocol: protocolVersion,
      firstSeq: 1,
      lastSeq: 3,
      after: 0,
      pods: [],
    });
    expect(transport.seqs).toEqual([1, 2, 3]);
  });

  it('continues after the last event of the client', async () => {
    const { clock, append, connect } = setup();
    append(5);
    const { transport } = connect({ run: 'run-1', after: 3 });
    await clock.advance(100);
    expect(transport.last('welcome')).toMatchObject({ after: 3, pods: [] });
    expect(transport.seqs).toEqual([4, 5]);
  });

  it.each([{ run: 'another', after: 3 }, { run: 'run-1', after: 99 }, { after: 3 }])(
    'starts at the oldest event for %j',
    async (hello) => {
      const { clock, append, connect } = setup();
      append(5);
      const { transport } = connect(hello);
      await clock.advance(100);
      expect(transport.last('welcome').after).toBe(0);
      expect(transport.seqs).toEqual(range(1, 5));
    },
  );

  it('sends the pods when older events are no longer stored', async () => {
    const { clock, append, connect, log } = setup({ retained: 8 });
    append(30);
    const { transport } = connect({ run: 'run-1', after: 2 });
    await clock.advance(100);
    expect(transport.last('welcome')).toMatchObject({
      after: log.firstSeq - 1,
      pods: [{ kind: 'Pod', metadata: { name: 'web' } }],
    });
    expect(transport.seqs).toEqual(range(log.firstSeq, 30));
  });
});

describe('the stream', () => {
  it('sends up to 64 simultaneous events in one message', async () => {
    const { clock, append, connect } = setup();
    const { transport } = connect();
    append(130);
    await clock.advance(8);
    expect(transport.messages.flatMap((message) => (message.type === 'events' ? message.events.length : []))).toEqual([
      64, 64, 2,
    ]);
  });

  it('packs a large backlog for a client that accepts it, and sends later events unpacked', async () => {
    const { clock, append, connect } = setup();
    append(5_000);
    const { transport } = connect({ packed: true });
    await clock.advance(1_000);
    append(3);
    await clock.advance(8);
    const unpacker = new EventUnpacker();
    const unpacked = transport.messages.flatMap((message) =>
      message.type === 'packedEvents' ? (unpacker.unpack(message) ?? []) : [],
    );
    expect(unpacked.map(({ seq }) => seq)).toEqual(range(1, 5_000));
    expect(transport.seqs).toEqual([5_001, 5_002, 5_003]);
  });

  it('packs nothing for a client that doesn’t accept packed events', async () => {
    const { clock, append, connect } = setup();
    append(5_000);
    const { transport } = connect();
    await clock.advance(1_000);
    expect(transport.seqs).toEqual(range(1, 5_000));
  });

  it('sends every event to a slow client', async () => {
    const { clock, append, connect } = setup();
    const { transport } = connect();
    append(10);
    await clock.advance(50);
    transport.bufferedAmount = 10 * 1024 * 1024;
    append(500);
    await clock.advance(1_000);
    expect(transport.seqs).toEqual(range(1, 10));
    transport.bufferedAmount = 0;
    await clock.advance(1_000);
    expect(transport.seqs).toEqual(range(1, 510));
  });

  it('restarts a client at the oldest stored event when the client is too slow', async () => {
    const { clock, append, connect, log } = setup({ retained: 16 });
    const { transport } = connect();
    append(2);
    await clock.advance(50);
    transport.bufferedAmount = 10 * 1024 * 1024;
    append(100);
    await clock.advance(1_000);
    transport.bufferedAmount = 0;
    await clock.advance(1_000);
    const welcomes = transport.messages.filter(({ type }) => type === 'welcome');
    expect(welcomes).toHaveLength(2);
    expect(transport.seqs).toEqual([1, 2, ...range(log.firstSeq, 102)]);
  });

  it('sends `bye` to a client of another protocol version', () => {
    const { connect } = setup();
    const { transport } = connect({ protocol: 99 });
    expect(transport.last('bye').reason).toBe(
      'The node speaks protocol 1, the client protocol 99. Update the server: the client is from a newer release.',
    );
    expect(transport.closed?.code).toBe(1002);
  });

  it.each([
    ['{', 'not JSON'],
    ['{"type":"dance"}', 'not understood'],
    ['{"type":"command","id":1,"body":{"command":"cancel","target":0}}', 'must be hello'],
    ['x'.repeat(3_000_000), 'characters'],
  ])('ends a session that begins with %.20j', (text, reason) => {
    const transport = new FakeTransport();
    const { clock, log } = setup();
    const session = new Session(
      {
        events: new LiveFeed(log, new EventEncoder()),
        node: () => nodeInfo,
        pods: () => [],
        commands: new CommandTable(),
        pacing: clock,
      },
      transport,
    );
    session.receive(text);
    expect(transport.last('bye').reason).toContain(reason);
    expect(transport.closed).toBeDefined();
  });

  it('rejects an invalid command and continues', () => {
    const { connect } = setup();
    const { session, transport } = connect();
    session.receive('{"type":"command","id":7,"body":{"command":"dance"}}');
    expect(transport.last('failure')).toMatchObject({ id: 7, reason: 'BadRequest' });
    expect(transport.last('failure').message).toContain('not understood: body.command');
    expect(transport.closed).toBeUndefined();
  });

  it('writes values that JSON lacks, such as bigints and bytes, in the form of the protocol', () => {
    expect(
      new EventEncoder().encode({
        seq: 1,
        time: 0,
        thread: 't',
        type: 'decision',
        rule: 'r',
        facts: { ns: 12n, bytes: new Uint8Array([1, 2]) },
        outcome: true,
        decisive: true,
      }),
    ).toContain('{"ns":"12","bytes":"AQI="}');
  });

  it('delivers every event exactly once and in order across disconnects', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 200 }) }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 60 }) }),
      fc.record({ kind: fc.constant('cut' as const) }),
      fc.record({ kind: fc.constant('slow' as const), bytes: fc.constantFrom(0, 5_000_000) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { clock, log, append, connect } = setup();
        const received: number[] = [];
        let client = connect();
        const cut = (): void => {
          received.push(...client.transport.seqs);
          client.session.closed();
          client = connect({ run: 'run-1', after: received.at(-1) ?? 0 });
        };
        for (const each of steps) {
          if (each.kind === 'append') append(each.count);
          else if (each.kind === 'wait') await clock.advance(each.ms);
          else if (each.kind === 'slow') client.transport.bufferedAmount = each.bytes;
          else cut();
        }
        client.transport.bufferedAmount = 0;
        await clock.advance(1_000);
        cut();
        expect(received).toEqual(range(1, log.lastSeq));
      }),
      { numRuns: 60 },
    );
  });
});

const command = (id: number, body: object): string => JSON.stringify({ type: 'command', id, body });

describe('commands', () => {
  it('get one response with the id of the command', async () => {
    const { clock, connect } = setup();
    const { transport, session } = connect();
    session.receive(command(7, { command: 'deletePod', namespace: 'default', name: 'web' }));
    session.receive(command(8, { command: 'getPodYaml', namespace: 'default', name: 'web' }));
    session.receive(command(9, { command: 'logs', namespace: 'default', name: 'web', container: 'app' }));
    await clock.advance(10);
    expect(transport.messages.slice(1)).toEqual(
      expect.arrayContaining([
        { type: 'response', id: 7, ok: true, result: {} },
        { type: 'failure', id: 8, reason: 'NotFound', message: 'pods "web" not found' },
        { type: 'response', id: 9, ok: true, result: { lines: [{ time: 1, stream: 'stdout', text: 'hello' }] } },
      ]),
    );
  });

  it('are rejected above the limit of concurrent commands', async () => {
    const { clock, connect } = setup();
    const { transport, session } = connect();
    for (let id = 0; id <= maxRunningCommands; id++) session.receive(command(id, { command: 'apply', manifest: '' }));
    session.receive(command(0, { command: 'apply', manifest: '' }));
    await clock.advance(10);
    expect(transport.messages.filter(({ type }) => type === 'failure')).toEqual([
      {
        type: 'failure',
        id: maxRunningCommands,
        reason: 'TooManyRequests',
        message: 'At most 32 commands run at a time.',
      },
      { type: 'failure', id: 0, reason: 'BadRequest', message: 'A command with id 0 is running.' },
    ]);
  });

  it('follow a log until it is canceled', async () => {
    const clockHolder: { clock?: VirtualClock } = {};
    const { clock, connect } = setup({
      commands: {
        async *logs(_request, signal) {
          for (let line = 1; ; line++) {
            yield { time: line, stream: 'stdout' as const, text: `line ${line}` };
            await new Promise<void>((resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
              clockHolder.clock?.schedule(100, resolve);
            });
          }
        },
      },
    });
    clockHolder.clock = clock;
    const { transport, session } = connect();
    session.receive(command(1, { command: 'followLogs', namespace: 'default', name: 'web', container: 'app' }));
    await clock.advance(350);
    session.receive(command(2, { command: 'cancel', target: 1 }));
    await clock.advance(50);
    const lines = transport.messages.flatMap((message) =>
      message.type === 'logLines' ? message.lines.map(({ text }) => text) : [],
    );
    expect(lines).toEqual(['line 1', 'line 2', 'line 3', 'line 4']);
    expect(transport.messages.filter((message) => message.type === 'response' && message.id === 1)).toHaveLength(1);
    expect(transport.last('logLines')).toEqual({ type: 'logLines', id: 1, lines: [], end: true });
  });

  it('fail for a missing log', async () => {
    const { clock, connect } = setup({
      commands: {
        // oxlint-disable-next-line require-yield -- it fails before its first line
        async *logs(request) {
          throw notFound('pods', request.name);
        },
      },
    });
    const { transport, session } = connect();
    session.receive(command(1, { command: 'followLogs', namespace: 'default', name: 'web', container: 'app' }));
    await clock.advance(200);
    expect(transport.messages.slice(1)).toEqual([
      { type: 'failure', id: 1, reason: 'NotFound', message: 'pods "web" not found' },
    ]);
  });

  it('are canceled when the connection closes', async () => {
    let ended = false;
    const { clock, connect } = setup({
      commands: {
        async *logs(_request, signal) {
          yield { time: 1, stream: 'stdout' as const, text: 'hello' };
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
          ended = true;
        },
      },
    });
    const { session } = connect();
    session.receive(command(1, { command: 'followLogs', namespace: 'default', name: 'web', container: 'app' }));
    await clock.advance(100);
    session.closed();
    await clock.advance(100);
    expect(ended).toBe(true);
  });
});
