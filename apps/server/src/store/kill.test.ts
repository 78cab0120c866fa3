import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventStore } from './event-store.ts';

/** How often a recording process is killed. */
const kills = 50;
/** Longest time from a process's first delivery to its end, in milliseconds; some are killed while they start. */
const longestLife = 350;

const program = join(import.meta.dirname, 'testing', 'recording-process.ts');
const seed = Number(process.env['PODSCOPE_SEED'] ?? Date.now() % 1_000_000);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-kill-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** mulberry32 */
function random(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Life {
  readonly run: string | undefined;
  /** Each event that was delivered, as it was, by its number. */
  readonly delivered: ReadonlyMap<number, string>;
}

/** Reads whole lines: the last one of a killed process may be cut. */
function deliveries(text: string): Life {
  const delivered = new Map<number, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const message = JSON.parse(line) as { type: string; node?: { run: string }; events?: { seq: number }[] };
    for (const event of message.events ?? []) {
      expect(delivered.has(event.seq), `event ${event.seq} was delivered twice`).toBe(false);
      delivered.set(event.seq, JSON.stringify(event));
    }
  }
  const [welcome] = text.split('\n');
  return { run: welcome ? (JSON.parse(welcome) as { node: { run: string } }).node.run : undefined, delivered };
}

async function live(file: string, next: () => number): Promise<Life> {
  // Compiled once: starting is most of what a process does here.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(directory, 'compiled') };
  const child: ChildProcess = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let text = '';
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString('utf8')));
  const ended = once(child, 'close');
  const first = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('"events"')) resolve();
    });
  });
  if (next() >= 0.15) await Promise.race([first, ended]);
  // The moment is what is random here; nothing is waited for.
  const timer = setTimeout(() => child.kill('SIGKILL'), next() * longestLife);
  await ended;
  clearTimeout(timer);
  expect(complaints).toBe('');
  expect(child.signalCode).toBe('SIGKILL');
  return deliveries(text);
}

it(`loses and doubles nothing that a client has seen, killed ${kills} times (PODSCOPE_SEED=${seed})`, { timeout: 120_000 }, async () => {
  const next = random(seed);
  const totals = { delivered: 0, stored: 0 };
  // Two stores, each killed again and again, at the same time.
  await Promise.all(
    [0, 1].map(async (lane) => {
      const file = join(directory, `${lane}.db`);
      const kept = new Map<string, number>();
      for (let kill = 0; kill < kills / 2; kill++) {
        const { run, delivered } = await live(file, next);
        const notices: string[] = [];
        const store = EventStore.open({ file, limits: { maxBytes: 1e12, maxAge: 1e15 }, notify: (message) => notices.push(message) });
        expect(notices).toEqual([]);
        const runs = new Map(store.list().map((summary) => [summary.id, summary]));
        // The runs before are as they were.
        for (const [id, lastSeq] of kept) expect(runs.get(id)).toMatchObject({ state: 'interrupted', lastSeq });
        const summary = run === undefined ? undefined : runs.get(run);
        if (delivered.size > 0) {
          const last = Math.max(...delivered.keys());
          expect(summary).toMatchObject({ state: 'interrupted', firstSeq: 1 });
          expect(summary?.lastSeq).toBeGreaterThanOrEqual(last);
        }
        for (const found of runs.values()) if (!kept.has(found.id)) kept.set(found.id, found.lastSeq);
        if (summary) {
          let seq = 0;
          for (let after: number | undefined = 0; after !== undefined; ) {
            const page = store.textPage(summary.id, { after, limit: 2_000 });
            for (const text of page.texts) {
              seq++;
              const event = JSON.parse(text) as { seq: number };
              if (event.seq !== seq) throw new Error(`event ${event.seq} stands where ${seq} should`);
              const seen = delivered.get(seq);
              if (seen !== undefined && seen !== JSON.stringify(event)) throw new Error(`event ${seq} is not what was delivered`);
            }
            after = page.next;
          }
          expect(seq).toBe(summary.lastSeq);
          totals.stored += seq;
        }
        totals.delivered += delivered.size;
        store.close();
      }
    }),
  );
  expect(totals.delivered).toBeGreaterThan(kills * 100);
  expect(totals.stored).toBeGreaterThanOrEqual(totals.delivered);
});
