import { PodSyncResult, SyncError } from '@podscope/kuberuntime';
import { expect, it } from 'vitest';
import { ReasonCache } from './reason-cache.ts';

const result = (...starts: [container: string, error?: string][]): PodSyncResult => {
  const all = new PodSyncResult();
  for (const [container, error] of starts) {
    const one = all.add('StartContainer', container);
    if (error !== undefined) one.fail(new SyncError(error), `why ${container}`);
  }
  return all;
};

it('keeps the reason of a failed start until the container starts', () => {
  const cache = new ReasonCache();
  cache.update('u', result(['a', 'ErrImagePull'], ['b', 'CrashLoopBackOff']));
  expect(cache.get('u', 'a')).toEqual({ error: 'ErrImagePull', message: 'why a' });
  // The second result reports only a failure of `b`. The entry of `a` stays, and the entry of `b` is replaced.
  cache.update('u', result(['b', 'RunContainerError']));
  expect([cache.get('u', 'a')?.error, cache.get('u', 'b')?.error]).toEqual(['ErrImagePull', 'RunContainerError']);
  cache.update('u', result(['a']));
  expect(cache.get('u', 'a')).toBeUndefined();
  expect(cache.get('other', 'b')).toBeUndefined();
});

it('ignores results of other actions than StartContainer', () => {
  const cache = new ReasonCache();
  const all = new PodSyncResult();
  all.add('CreatePodSandbox', 'web').fail(new SyncError('CreatePodSandboxError'), 'no');
  cache.update('u', all);
  expect(cache.get('u', 'web')).toBeUndefined();
});

it('keeps 1000 entries and drops the least recently read one', () => {
  const cache = new ReasonCache();
  for (let at = 0; at < 1000; at++) cache.update('u', result([`c${at}`, 'ErrImagePull']));
  expect(cache.get('u', 'c0')).toBeDefined();
  cache.update('u', result(['new', 'ErrImagePull']));
  expect(cache.get('u', 'c0')).toBeDefined();
  expect(cache.get('u', 'c1')).toBeUndefined();
  expect(cache.get('u', 'c2')).toBeDefined();
});
