import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadAgain, loadFailedEvent } from './load-again.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('returns what a further attempt loads', async () => {
  const again = vi.fn(async () => 'module').mockRejectedValueOnce(new Error('interrupted'));
  const result = loadAgain(() => Promise.reject(new Error('interrupted')), again);
  await vi.runAllTimersAsync();
  expect(await result).toBe('module');
  expect(again).toHaveBeenCalledTimes(2);
});

it('throws the last error after six failed attempts in 4.5 s, and reports it on the window', async () => {
  const reported = vi.fn();
  addEventListener(loadFailedEvent, reported, { once: true });
  const start = Date.now();
  const load = vi.fn(() => Promise.reject(new Error(`failed after ${Date.now() - start} ms`)));
  const result = expect(loadAgain(load)).rejects.toThrow('failed after 4500 ms');
  await vi.runAllTimersAsync();
  await result;
  expect(load).toHaveBeenCalledTimes(6);
  expect(reported).toHaveBeenCalledOnce();
});
