import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadAgain, loadFailedEvent } from './load-again.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('returns what a further attempt loads', async () => {
  const again = vi
    .fn<() => Promise<string>>()
    .mockResolvedValue('module')
    .mockRejectedValueOnce(new Error('interrupted'));
  const result = loadAgain(() => Promise.reject(new Error('interrupted')), again);
  await vi.runAllTimersAsync();
  expect(await result).toBe('module');
  expect(again).toHaveBeenCalledTimes(2);
});

it('throws the last error after six failed attempts in 4.5 s, and reports it on the window', async () => {
  const reported = vi.fn<() => void>();
  addEventListener(loadFailedEvent, reported, { once: true });
  const start = Date.now();
  const load = vi.fn<() => Promise<never>>(() => Promise.reject(new Error(`failed after ${Date.now() - start} ms`)));
  const [result] = await Promise.allSettled([loadAgain(load), vi.runAllTimersAsync()]);
  expect(result).toMatchObject({ status: 'rejected', reason: new Error('failed after 4500 ms') });
  expect(load).toHaveBeenCalledTimes(6);
  expect(reported).toHaveBeenCalledOnce();
});
