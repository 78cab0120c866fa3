import type { Pod } from '@podscope/k8s';
import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { FakeApi, newPod } from '../testing/kubelet-harness.ts';
import { MirrorPods } from './mirror-pods.ts';

const staticPod = newPod('web', {}, { annotations: { 'kubernetes.io/config.hash': 'a1' } });

const mirror = (hash: string, more: Partial<Pod['metadata']> = {}): Pod =>
  newPod('web', {}, { uid: 'mirror', annotations: { 'kubernetes.io/config.mirror': hash }, ...more });

/** Reconciles a mirror pod and returns the decisions, the result and the warnings. */
async function reconcile(mirrorPod: Pod | undefined, prepare: (api: FakeApi) => void = () => undefined) {
  const clock = new VirtualClock();
  const log = new EventLog(clock);
  const api = new FakeApi();
  if (mirrorPod) api.apply(mirrorPod);
  prepare(api);
  const result = await new MirrorPods(api).reconcile(background(clock, new Tracer(log)), staticPod, mirrorPod);
  const events = log.after(0);
  return {
    result,
    outcomes: events.flatMap((event) => (event.type === 'decision' ? [event.outcome] : [])),
    warnings: events.flatMap((event) => (event.type === 'output' ? [event.message] : [])),
    uid: api.pods.get('web')?.metadata.uid,
  };
}

describe('MirrorPods.reconcile', () => {
  it('creates a missing mirror pod', async () => {
    expect(await reconcile(undefined)).toMatchObject({ result: 'created', outcomes: ['created'], uid: 'mirror-web' });
  });

  it('keeps a mirror pod that has the hash of the static pod', async () => {
    const outcomes = ['kept: it shows the static pod'];
    expect(await reconcile(mirror('a1'))).toMatchObject({ result: 'kept', outcomes, uid: 'mirror' });
  });

  it.each([
    ['has another hash', mirror('b2'), "deleted: its hash differs from the static pod's"],
    ['is being deleted', mirror('a1', { deletionTimestamp: '2026-01-01T00:00:00Z' }), 'deleted: it is being deleted'],
  ])('replaces a mirror pod that %s', async (_case, outdated, outcome) => {
    expect(await reconcile(outdated)).toMatchObject({
      result: 'created',
      outcomes: [outcome, 'created'],
      uid: 'mirror-web',
    });
  });

  it.each([
    ['is gone', 'not created: the node object does not exist', false],
    ['is being deleted', 'not created: the node object is being deleted', true],
  ])('creates no mirror pod when the node %s', async (_case, outcome, exists) => {
    const found = await reconcile(undefined, (api) => {
      const metadata = { name: 'node-1', deletionTimestamp: '2026-01-01T00:00:00Z' };
      api.node = exists ? { apiVersion: 'v1', kind: 'Node', metadata: { ...metadata, uid: 'n' } } : undefined;
    });
    expect(found).toMatchObject({ outcomes: [outcome], uid: undefined });
  });

  it('creates no mirror pod in the same sync when the outdated one is gone already', async () => {
    const found = await reconcile(mirror('b2'), (api) => {
      api.pods.clear();
    });
    const outcomes = ["not replaced: its hash differs from the static pod's, but it is gone"];
    expect(found).toMatchObject({ result: 'kept', outcomes, warnings: [], uid: undefined });
  });

  it('reports a failed deletion as a warning and keeps the outdated mirror pod', async () => {
    const found = await reconcile(mirror('b2'), (api) => {
      api.deletePod = () => Promise.reject(new Error('no connection'));
    });
    expect(found).toMatchObject({
      result: 'failed',
      outcomes: ["not replaced: its hash differs from the static pod's, but it can't be deleted"],
      warnings: ['Failed deleting a mirror pod: no connection'],
      uid: 'mirror',
    });
  });

  it('reports a failed creation as a warning', async () => {
    const found = await reconcile(undefined, (api) => {
      api.createPod = () => Promise.reject(new Error('no connection'));
    });
    const outcomes = ['not created: no connection'];
    expect(found).toMatchObject({
      result: 'failed',
      outcomes,
      warnings: ['Failed creating a mirror pod: no connection'],
    });
  });

  it.each([
    ['keeps a mirror pod that exists already with the same hash', 'a1', 'kept', 'kept: it exists already', []],
    [
      'reports a mirror pod that exists already with another hash',
      'b2',
      'failed',
      'not created: pods "web" already exists',
      ['Failed creating a mirror pod: pods "web" already exists'],
    ],
  ])('%s', async (_case, hash, result, outcome, warnings) => {
    const found = await reconcile(undefined, (api) => {
      api.apply(mirror(hash));
      api.createPod = () => Promise.reject(new Error('pods "web" already exists'));
    });
    expect(found).toMatchObject({ result, outcomes: [outcome], warnings });
  });
});
