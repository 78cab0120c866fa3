import type { Pod } from '@podscope/k8s';
import { background, instant, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { newPod } from '../testing/kubelet-harness.ts';
import { type KnownPod, mergeSource } from './merge.ts';
import { PodConfig, type PodUpdate } from './pod-config.ts';

const now = instant(Date.UTC(2026, 0, 1));
const known = (...pods: Pod[]): ReadonlyMap<string, KnownPod> => mergeSource('api', new Map(), pods, now).pods;

const operationsOf = (before: ReadonlyMap<string, KnownPod>, delivered: readonly Pod[]): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(mergeSource('api', before, delivered, instant(now + 5000)).operations)
      .filter(([, pods]) => pods.length > 0)
      .map(([operation, pods]) => [operation, pods.map(({ metadata }) => metadata.uid)]),
  );

describe('mergeSource', () => {
  const web = newPod('web');

  it.each<[string, Pod, Record<string, string[]>]>([
    ['the same pod', web, {}],
    ['another status', { ...web, status: { phase: 'Running' } }, { RECONCILE: ['uid-web'] }],
    ['another spec', newPod('web', { activeDeadlineSeconds: 3 }), { UPDATE: ['uid-web'] }],
    ['another label', newPod('web', {}, { labels: { a: 'b' } }), { UPDATE: ['uid-web'] }],
    ['another annotation', newPod('web', {}, { annotations: { a: 'b' } }), { UPDATE: ['uid-web'] }],
    [
      'an annotation of the kubelet itself',
      newPod('web', {}, { annotations: { 'kubernetes.io/config.seen': 'x' } }),
      {},
    ],
    [
      'a deletion',
      newPod('web', {}, { deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 }),
      { DELETE: ['uid-web'] },
    ],
    ['another uid', newPod('web', {}, { uid: 'uid-2' }), { REMOVE: ['uid-web'], ADD: ['uid-2'] }],
  ])('%s', (_, delivered, operations) => {
    expect(operationsOf(known(web), [delivered])).toEqual(operations);
  });

  it('removes pods that are no longer delivered', () => {
    expect(operationsOf(known(web, newPod('db')), [newPod('db')])).toEqual({ REMOVE: ['uid-web'] });
  });

  it('sets the annotations for the source and the first sight of a pod', () => {
    const first = mergeSource('file', new Map(), [web], now);
    expect(first.operations.ADD[0]?.metadata.annotations).toEqual({
      'kubernetes.io/config.source': 'file',
      'kubernetes.io/config.seen': '2026-01-01T00:00:00.000000Z',
    });
    const second = mergeSource('file', first.pods, [newPod('web', { activeDeadlineSeconds: 3 })], instant(now + 5000));
    expect(second.operations.UPDATE[0]?.metadata.annotations?.['kubernetes.io/config.seen']).toBe(
      '2026-01-01T00:00:00.000000Z',
    );
  });

  it('drops a second pod of the same full name', () => {
    const result = mergeSource('api', new Map(), [web, newPod('web', {}, { uid: 'other' })], now);
    expect(result.duplicates.map(({ metadata }) => metadata.uid)).toEqual(['other']);
    expect([...result.pods.keys()]).toEqual(['uid-web']);
  });
});

const setUp = () => {
  const clock = new VirtualClock();
  const events: string[] = [];
  const updates: PodUpdate[] = [];
  const config = new PodConfig(['api', 'file'], {
    event: (_ctx, _pod, _type, reason, message) => events.push(`${reason}: ${message}`),
    nodeEvent: () => undefined,
  });
  const ctx = background(clock, new Tracer());
  return { config, events, updates, start: () => config.start(ctx, (update) => updates.push(update)) };
};

describe('PodConfig', () => {
  it('delivers pods set before the start, and an empty source', () => {
    const { config, updates, start } = setUp();
    config.set('api', [newPod('web')]);
    config.set('file', []);
    expect(updates).toEqual([]);
    start();
    expect(updates.map(({ operation, source, pods }) => [operation, source, pods.length])).toEqual([
      ['ADD', 'api', 1],
      ['ADD', 'file', 0],
    ]);
  });

  it('sends removals before additions', () => {
    const { config, updates, start } = setUp();
    start();
    config.set('api', [newPod('web')]);
    config.set('api', [newPod('web', {}, { uid: 'uid-2' })]);
    expect(updates.map(({ operation }) => operation)).toEqual(['ADD', 'REMOVE', 'ADD']);
  });

  it('is ready after the first message of every source was handled', () => {
    const { config, start } = setUp();
    start();
    config.markSeen('api');
    expect(config.allReady).toBe(false);
    config.markSeen('file');
    expect(config.allReady).toBe(true);
  });

  it('warns of pods with the same name', () => {
    const { config, events, start } = setUp();
    start();
    config.set('api', [newPod('web'), newPod('web', {}, { uid: 'uid-2' })]);
    expect(events).toEqual([
      'FailedValidation: Error validating pod web_default(uid-2) from api due to duplicate pod name "web", ignoring',
    ]);
  });

  it('throws for a source that is not configured', () => {
    const { config } = setUp();
    expect(() => config.set('http', [])).toThrow('pod source "http" is not configured');
  });
});
