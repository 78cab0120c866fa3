import { VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { newPuller } from './puller.ts';
import { TokenBucket } from './token-bucket.ts';

/** Requests pulls that the test ends, and records which ones have started. */
function pulls(
  puller: ReturnType<typeof newPuller>,
  names: readonly string[],
): { readonly begun: string[]; readonly end: (name: string) => void } {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  for (const name of names) {
    void puller.run(() => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  }
  return { begun, end: (name) => ends.get(name)?.() };
}

const clock = new VirtualClock();

describe('newPuller', () => {
  it('pulls images one at a time, in order', async () => {
    const { begun, end } = pulls(newPuller({}), ['a', 'b', 'c']);
    await clock.settle();
    expect(begun).toEqual(['a']);
    end('a');
    await clock.settle();
    expect(begun).toEqual(['a', 'b']);
  });

  it('pulls up to the limit at once', async () => {
    const { begun, end } = pulls(newPuller({ serialize: false, maxParallel: 2 }), ['a', 'b', 'c', 'd']);
    await clock.settle();
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await clock.settle();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('continues after a failed pull', async () => {
    const puller = newPuller({});
    await expect(puller.run(() => Promise.reject(new Error('no route')))).rejects.toThrow('no route');
    await expect(puller.run(() => Promise.resolve('ref'))).resolves.toBe('ref');
  });
});

describe('TokenBucket', () => {
  it('accepts a burst, then a fixed rate per second', async () => {
    const own = new VirtualClock();
    const bucket = new TokenBucket(5, 2);
    const accept = (): boolean => bucket.tryAccept(own);
    expect([accept(), accept(), accept()]).toEqual([true, true, false]);
    await own.advance(200);
    expect([accept(), accept()]).toEqual([true, false]);
    await own.advance(60_000);
    expect([accept(), accept(), accept()]).toEqual([true, true, false]);
  });
});
