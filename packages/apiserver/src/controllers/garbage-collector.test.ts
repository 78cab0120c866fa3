import type { ConfigMap, OwnerReference } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { startTestApiServer, type TestApiServer } from '../testing/test-api-server.ts';

const map = (name: string, ...owners: ConfigMap[]): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name,
    uid: '',
    ownerReferences: owners.map(
      ({ metadata }): OwnerReference => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: metadata.name,
        uid: metadata.uid,
      }),
    ),
  },
});

const create = ({ api }: TestApiServer, name: string, ...owners: ConfigMap[]): ConfigMap =>
  api.registry.create('ConfigMap', 'default', map(name, ...owners));
const remove = (
  { api }: TestApiServer,
  name: string,
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan',
): void => void api.registry.delete('ConfigMap', 'default', name, { propagationPolicy });
const names = ({ api }: TestApiServer): string[] =>
  api.storage.list('ConfigMap', 'default').map(({ metadata }) => metadata.name);

describe('objects with owner references', () => {
  it('are deleted after their owners, and their own dependents after them', async () => {
    const test = await startTestApiServer();
    create(test, 'leaf', create(test, 'branch', create(test, 'root')));
    create(test, 'other');
    remove(test, 'root');
    expect(names(test)).toEqual(['branch', 'leaf', 'other']);
    await test.until(() => names(test).length === 1);
    expect(names(test)).toEqual(['other']);
  });

  it('remain while another owner exists', async () => {
    const test = await startTestApiServer();
    const [first, second] = [create(test, 'first'), create(test, 'second')];
    create(test, 'shared', first, second);
    remove(test, 'first');
    await test.until(
      () => test.api.storage.mustGet('ConfigMap', 'default', 'shared').metadata.ownerReferences?.length === 1,
    );
    expect(names(test)).toEqual(['second', 'shared']);
    remove(test, 'second');
    await test.until(() => names(test).length === 0);
  });

  it('remain without owner references when the owner is deleted with Orphan', async () => {
    const test = await startTestApiServer();
    create(test, 'kept', create(test, 'owner'));
    remove(test, 'owner', 'Orphan');
    await test.clock.advance(1_000);
    expect(test.api.storage.mustGet('ConfigMap', 'default', 'kept').metadata.ownerReferences).toEqual([]);
  });

  it('are deleted before an owner that is deleted with Foreground', async () => {
    const test = await startTestApiServer();
    create(test, 'leaf', create(test, 'branch', create(test, 'root')));
    const gone: string[] = [];
    test.api.storage.watch('ConfigMap', test.api.storage.resourceVersion, ({ type, object }) => {
      if (type === 'DELETED') gone.push(object.metadata.name);
    });
    remove(test, 'root', 'Foreground');
    expect(test.api.storage.mustGet('ConfigMap', 'default', 'root').metadata.finalizers).toEqual([
      'foregroundDeletion',
    ]);
    await test.until(() => names(test).length === 0);
    expect(gone).toEqual(['leaf', 'branch', 'root']);
  });

  it('let an owner without dependents be deleted at once with Foreground', async () => {
    const test = await startTestApiServer();
    create(test, 'alone');
    remove(test, 'alone', 'Foreground');
    expect(names(test)).toEqual([]);
  });
});
