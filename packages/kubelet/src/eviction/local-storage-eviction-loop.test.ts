/** Tests when the use of local storage is compared, and what the loop waits for after an eviction. */
import type { Pod } from '@podscope/k8s';
import { background, Tracer, VirtualClock, withSignal } from '@podscope/trace';
import { afterEach, expect, it } from 'vitest';
import { newPod } from '../testing/kubelet-harness.ts';
import { localStorageEvictionLoop } from './local-storage-eviction.ts';

let stop: AbortController;
let running: Promise<void>;
afterEach(() => {
  stop.abort();
  return running;
});

interface Stage {
  readonly clock: VirtualClock;
  /** The pods whose volume is larger than its limit. */
  readonly full: Set<string>;
  readonly cleanedUp: Set<string>;
  /** The comparisons and evictions, each with the time in seconds since the start. */
  readonly log: string[];
}

/** Runs the loop for pods with a limited emptyDir. */
function run(names: readonly string[], full: readonly string[]): Stage {
  const clock = new VirtualClock();
  const stage: Stage = { clock, full: new Set(full), cleanedUp: new Set(), log: [] };
  const active = new Map<string, Pod>(
    names.map((name) => [name, newPod(name, { volumes: [{ name: 'cache', emptyDir: { sizeLimit: '1Ki' } }] })]),
  );
  const start = clock.now();
  const note = (what: string, name: string): unknown =>
    stage.log.push(`${(clock.now() - start) / 1000} ${what} ${name}`);
  stop = new AbortController();
  running = localStorageEvictionLoop(withSignal(background(clock, new Tracer()), stop.signal), {
    os: { diskUsage: async () => 0 },
    runtime: { listContainerStats: async () => ({ stats: [] }) },
    volumeStats: {
      usedBytes: (uid) => {
        note('reads', uid);
        return stage.full.has(uid.replace('uid-', '')) ? 2048 : 0;
      },
    },
    containerLogsDir: () => '/var/log/pods',
    recorder: { event: () => undefined, nodeEvent: () => undefined },
    activePods: () => [...active.values()],
    evict: async (_ctx, { metadata: { name } }) => {
      note('evicts', name);
      active.delete(name);
    },
    isCleanedUp: ({ metadata: { name } }) => stage.cleanedUp.has(name),
  });
  return stage;
}

it('compares at the start and then every ten seconds', async () => {
  const { clock, log } = run(['web'], []);
  await clock.advance(25_000);
  expect(log).toEqual(['0 reads uid-web', '10 reads uid-web', '20 reads uid-web']);
});

it('compares all pods before it evicts one, and compares again when the evicted pods are cleaned up', async () => {
  const { clock, log, cleanedUp } = run(['a', 'b', 'web'], ['a', 'b']);
  await clock.advance(2500);
  cleanedUp.add('a');
  await clock.advance(2000);
  cleanedUp.add('b');
  await clock.advance(1500);
  expect(log).toEqual([
    ...['a', 'b', 'web'].map((name) => `0 reads uid-${name}`),
    '0 evicts a',
    '0 evicts b',
    '5 reads uid-web',
  ]);
});

it('waits at most 30 s for the cleanup of an evicted pod', async () => {
  const { clock, log } = run(['a', 'web'], ['a']);
  await clock.advance(35_000);
  expect(log.at(-1)).toBe('30 reads uid-web');
});
