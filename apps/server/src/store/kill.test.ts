import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, type Random } from '@podscope/base';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Deliveries, readDeliveries, verifyStore } from './testing/verify-store.ts';

/** The number of times that a recording process is killed. */
const kills = process.env['PODSCOPE_TEST_LONG'] === '1' ? 50 : 16;
/**
 * The maximum time from a process's first output until it is killed, in milliseconds. Some processes are killed while
 * they start.
 */
const longestLife = 350;

const source = join(import.meta.dirname, 'testing', 'recording-process.ts');
const programName = 'recording-process.mjs';
const seed = Number(process.env['PODSCOPE_SEED'] ?? Date.now() % 1_000_000);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-kill-'));
  // Bundle the program into one file. It starts several times faster than hundreds of source files, and starting takes
  // most of the test's time.
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: source,
      outDir: directory,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: programName } },
    },
  });
}, 120_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Starts a recording process, kills it, and returns the messages that its client received. */
async function live(file: string, random: Random): Promise<Deliveries> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(directory, 'compiled') };
  const child = spawn(process.execPath, [join(directory, programName), file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  let text = '';
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString('utf8')));
  const ended = once(child, 'close');
  const first = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('"events"')) resolve();
    });
  });
  if (random.next() >= 0.15) await Promise.race([first, ended]);
  // Kill the process at a random moment.
  const timer = setTimeout(() => child.kill('SIGKILL'), random.next() * longestLife);
  await ended;
  clearTimeout(timer);
  expect({ complaints, signal: child.signalCode }).toEqual({ complaints: '', signal: 'SIGKILL' });
  // Omit the last line, which may be incomplete.
  return readDeliveries(text.split('\n').slice(0, -1));
}

it(`loses and duplicates no event that a client has seen, killed ${kills} times (PODSCOPE_SEED=${seed})`, {
  timeout: 600_000,
}, async () => {
  const random = createRandom(seed);
  let delivered = 0;
  let stored = 0;
  // Two stores are tested concurrently.
  await Promise.all(
    [0, 1].map(async (lane) => {
      const file = join(directory, `${lane}.db`);
      const kept = new Map<string, number>();
      for (let kill = 0; kill < kills / 2; kill++) {
        const deliveries = await live(file, random);
        stored += verifyStore(file, deliveries, kept);
        delivered += deliveries.events.size;
      }
    }),
  );
  // On a busy machine, a process delivers only a few events before it is killed. The total is then a few hundred; on an
  // idle machine it is thousands.
  expect(delivered).toBeGreaterThan(kills);
  expect(stored).toBeGreaterThanOrEqual(delivered);
});
