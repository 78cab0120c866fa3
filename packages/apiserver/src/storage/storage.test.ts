import type { ConfigMap, KubernetesObject } from '@podscope/k8s';
import { VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api-errors.ts';
import { type ObjectPersistence, PersistenceQueue } from './persistence.ts';
import { type Change, Storage } from './storage.ts';

const configMap = (name: string, data: Record<string, string> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: `uid-${name}` },
  data,
});

const failure = (action: () => unknown): ApiError => {
  try {
    action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('did not fail');
};

/** A persistence that keeps objects in a map and fails on demand. */
class MemoryPersistence implements ObjectPersistence {
  readonly kept = new Map<string, KubernetesObject>();
  writes = 0;
  failure: Error | undefined;

  load(): Promise<readonly KubernetesObject[]> {
    return Promise.resolve([...this.kept.values()]);
  }
  async put(key: string, object: KubernetesObject): Promise<void> {
    if (this.failure) throw this.failure;
    this.writes += 1;
    this.kept.set(key, object);
  }
  async delete(key: string): Promise<void> {
    this.kept.delete(key);
  }
}

describe('Storage', () => {
  it('returns a higher version for each change and the same object for an equal one', () => {
    const storage = new Storage();
    const first = storage.create('ConfigMap', configMap('a'));
    const second = storage.update('ConfigMap', 'default', 'a', (current) => ({ ...current, data: { x: '1' } }));
    const same = storage.update('ConfigMap', 'default', 'a', (current) => ({ ...current, data: { x: '1' } }));
    expect(Number(second.metadata.resourceVersion)).toBeGreaterThan(Number(first.metadata.resourceVersion));
    expect(same).toBe(second);
  });

  it('throws the errors of the API server for missing, existing and modified objects', () => {
    const storage = new Storage();
    storage.create('ConfigMap', configMap('a'));
    expect(failure(() => storage.create('ConfigMap', configMap('a')))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
    });
    expect(failure(() => storage.mustGet('ConfigMap', 'default', 'b'))).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "b" not found',
    });
    expect(failure(() => storage.remove('ConfigMap', 'default', 'a', { uid: 'other' })).message).toBe(
      'Operation cannot be fulfilled on configmaps "a": Precondition failed: UID in precondition: other, UID ' +
        'in object meta: uid-a',
    );
    expect(
      failure(() => storage.update('ConfigMap', 'default', 'a', (current) => current, { resourceVersion: '1' })),
    ).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your ' +
        'changes to the latest version and try again',
    });
  });

  it('lists by namespace and name', () => {
    const storage = new Storage();
    for (const name of ['b', 'a']) storage.create('ConfigMap', configMap(name));
    storage.create('ConfigMap', { ...configMap('c'), metadata: { name: 'c', namespace: 'another', uid: 'c' } });
    expect(storage.list('ConfigMap').map(({ metadata }) => metadata.name)).toEqual(['c', 'a', 'b']);
    expect(storage.list('ConfigMap', 'default').map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  });

  it('sends changes since a version and then new changes to a watch', () => {
    const storage = new Storage();
    const { metadata } = storage.create('ConfigMap', configMap('a'));
    storage.create('ConfigMap', configMap('b'));
    const seen: string[] = [];
    const stop = storage.watch('ConfigMap', Number(metadata.resourceVersion), ({ type, object }: Change<'ConfigMap'>) =>
      seen.push(`${type} ${object.metadata.name}`),
    );
    storage.update('ConfigMap', 'default', 'a', (current) => ({ ...current, data: { x: '1' } }));
    storage.remove('ConfigMap', 'default', 'b');
    stop();
    storage.remove('ConfigMap', 'default', 'a');
    expect(seen).toEqual(['ADDED b', 'MODIFIED a', 'DELETED b']);
  });

  it('throws when a watch begins at an expired or a future version', () => {
    const storage = new Storage(undefined, 4);
    for (let index = 0; index < 20; index++) storage.create('ConfigMap', configMap(`a${index}`));
    expect(failure(() => storage.watch('ConfigMap', 1, () => undefined))).toMatchObject({
      code: 410,
      reason: 'Expired',
    });
    expect(failure(() => storage.watch('ConfigMap', storage.resourceVersion + 1, () => undefined))).toMatchObject({
      code: 504,
    });
    const seen: string[] = [];
    storage.watch('ConfigMap', storage.resourceVersion - 3, ({ object }) => seen.push(object.metadata.name));
    expect(seen).toEqual(['a17', 'a18', 'a19']);
  });
});

describe('Storage with persistence', () => {
  it('loads saved objects and continues with higher versions', async () => {
    const port = new MemoryPersistence();
    const before = new Storage(new PersistenceQueue(port));
    before.create('ConfigMap', configMap('a'));
    const kept = before.create('ConfigMap', configMap('b'));
    before.remove('ConfigMap', 'default', 'a');
    await before.saved();
    expect([...port.kept.keys()]).toEqual(['configmaps/default/b']);

    const after = new Storage(new PersistenceQueue(port));
    await after.load();
    expect(after.list('ConfigMap')).toEqual([kept]);
    expect(after.resourceVersion).toBeGreaterThan(Number(kept.metadata.resourceVersion));
    expect(failure(() => after.watch('ConfigMap', Number(kept.metadata.resourceVersion), () => undefined)).reason).toBe(
      'Expired',
    );
  });

  it('writes an object once for several changes in one turn', async () => {
    const port = new MemoryPersistence();
    const storage = new Storage(new PersistenceQueue(port));
    storage.create('ConfigMap', configMap('a'));
    for (let index = 0; index < 10; index++)
      storage.update('ConfigMap', 'default', 'a', (current) => ({ ...current, data: { index: String(index) } }));
    await storage.saved();
    expect(port.writes).toBe(1);
    expect(port.kept.get('configmaps/default/a')).toEqual(storage.get('ConfigMap', 'default', 'a'));
  });

  it('rejects `saved` when a write fails, and writes the change when writes succeed again', async () => {
    const port = new MemoryPersistence();
    const storage = new Storage(new PersistenceQueue(port));
    port.failure = new Error('ENOSPC: no space left on device');
    storage.create('ConfigMap', configMap('a'));
    await expect(storage.saved()).rejects.toThrow('no space left');
    port.failure = undefined;
    await storage.saved();
    expect(port.kept.has('configmaps/default/a')).toBe(true);
  });

  it('retries failed writes, and reports the first failure and the recovery once each', async () => {
    const port = new MemoryPersistence();
    const clock = new VirtualClock();
    const reported: unknown[] = [];
    const storage = new Storage(new PersistenceQueue(port, { clock, report: (error) => reported.push(error) }));
    port.failure = new Error('ENOSPC: no space left on device');
    storage.create('ConfigMap', configMap('a'));
    storage.create('ConfigMap', configMap('b'));
    await clock.advance(60_000);
    expect(reported).toEqual([port.failure]);
    port.failure = undefined;
    await clock.advance(5_000);
    expect([...port.kept.keys()].toSorted()).toEqual(['configmaps/default/a', 'configmaps/default/b']);
    expect(reported).toHaveLength(2);
    expect(reported[1]).toBeUndefined();
  });

  it('does not save Event objects', async () => {
    const port = new MemoryPersistence();
    const storage = new Storage(new PersistenceQueue(port));
    storage.create('Event', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'default', uid: 'e' },
      involvedObject: {},
    });
    await storage.saved();
    expect(port.kept.size).toBe(0);
  });
});
