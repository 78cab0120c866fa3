import { type NodeInfo, protocolVersion, type ServerMessage } from '@podscope/protocol';
import { EventLog, toJson, VirtualClock } from '@podscope/trace';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommandTable } from '../commands/command-table.ts';
import { type EventArchive, LiveFeed } from './event-feed.ts';
import { EventEncoder } from './event-json.ts';
import { Session } from './session.ts';

/** An archive that keeps all texts. Events become durable only when a test commits. */
class FakeArchive implements EventArchive {
  readonly #log: EventLog;
  readonly #texts: string[] = [];
  failing = false;
  commits = 0;

  constructor(log: EventLog) {
    this.#log = log;
  }
  readonly firstSeq = 1;
  get durableSeq(): number {
    return this.#texts.length;
  }
  commit(): void {
    if (this.failing) return;
    this.commits++;
    this.#texts.push(...this.#log.after(this.#texts.length).map(toJson));
  }
  read(seq: number, limit: number): readonly string[] {
    return this.#texts.slice(seq, seq + limit);
  }
  close(): void {
    this.commit();
  }
}

const node = { run: 'run-1', readOnly: false } as NodeInfo;

function setup(retained: number) {
  const clock = new VirtualClock();
  const log = new EventLog(clock, retained);
  const archive = new FakeArchive(log);
  const feed = new LiveFeed(log, new EventEncoder(), () => archive);
  const emit = (count: number): void => {
    for (let index = 0; index < count; index++) {
      log.append({ type: 'output', thread: 'main', level: 'info', message: 'x' });
      // As the recorder does, commits often enough that every event is written before memory drops it.
      if (log.lastSeq % Math.max(1, Math.floor(retained / 4)) === 0) archive.commit();
    }
  };
  const connect = (hello: object) => {
    const seqs: number[] = [];
    const messages: ServerMessage[] = [];
    const undurable: number[] = [];
    const session = new Session(
      { events: feed, node: () => node, pods: () => [], commands: new CommandTable(), pacing: clock },
      {
        bufferedAmount: 0,
        close: () => undefined,
        send: (text) => {
          const message = JSON.parse(text) as ServerMessage;
          messages.push(message);
          if (message.type !== 'events') return;
          for (const { seq } of message.events) {
            seqs.push(seq);
            if (seq > archive.durableSeq) undurable.push(seq);
          }
        },
      },
    );
    session.receive(JSON.stringify({ type: 'hello', protocol: protocolVersion, ...hello }));
    return { seqs, messages, undurable };
  };
  return { clock, log, archive, feed, emit, connect };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

describe('LiveFeed', () => {
  it('sends a returning client all missed events, from archive and memory, without a gap', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 8, max: 60 }),
        fc.integer({ min: 0, max: 700 }),
        fc.nat(),
        fc.integer({ min: 0, max: 80 }),
        async (retained, before, seen, later) => {
          const { clock, connect, emit } = setup(retained);
          emit(before);
          const after = before === 0 ? 0 : seen % before;
          const client = connect({ run: 'run-1', after });
          emit(later);
          await clock.advance(1_000);
          expect(client.seqs).toEqual(range(after + 1, before + later));
          expect(client.messages.filter(({ type }) => type === 'welcome')).toHaveLength(1);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('sends only durable events', async () => {
    const { clock, connect, emit, archive } = setup(1_000);
    const clients = [connect({}), connect({})];
    for (let round = 0; round < 50; round++) {
      emit(round % 7);
      await clock.advance(3);
    }
    await clock.advance(100);
    for (const { seqs, undurable } of clients) {
      expect(seqs.length).toBeGreaterThan(100);
      expect(undurable).toEqual([]);
    }
    // One commit makes events durable for all clients.
    expect(archive.commits).toBeLessThan(60);
  });

  it('starts a new client at the oldest event in memory', async () => {
    const { clock, connect, feed, log, emit } = setup(20);
    emit(200);
    const client = connect({});
    await clock.advance(100);
    expect([feed.firstSeq, feed.startSeq]).toEqual([1, log.firstSeq]);
    expect(client.seqs).toEqual(range(log.firstSeq, 200));
  });

  it('continues from memory when the archive can’t be written', async () => {
    const { clock, archive, connect, feed, log, emit } = setup(20);
    emit(10);
    archive.failing = true;
    emit(100);
    const client = connect({ run: 'run-1', after: 3 });
    await clock.advance(100);
    // Neither memory nor the archive has the events that memory has dropped, so the client starts again.
    expect(feed.firstSeq).toBe(log.firstSeq);
    expect(client.seqs).toEqual(range(log.firstSeq, 110));
  });
});
