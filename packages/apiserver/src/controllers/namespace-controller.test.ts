import { describe, expect, it } from 'vitest';
import { startTestApiServer, type TestApiServer } from '../testing/test-api-server.ts';

const addNamespace = ({ api }: TestApiServer): void => {
  api.registry.create('Namespace', undefined, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team', uid: '' },
  });
};
const isThere = ({ api }: TestApiServer): boolean => api.storage.get('Namespace', undefined, 'team') !== undefined;
const condition = ({ api }: TestApiServer, type: string): object | undefined =>
  api.storage.get('Namespace', undefined, 'team')?.status?.conditions?.find((candidate) => candidate.type === type);

describe('a deleted namespace', () => {
  it('remains until its own finalizers and those of its content are removed', async () => {
    const test = await startTestApiServer();
    const { storage, registry } = test.api;
    addNamespace(test);
    const held = { name: 'held', uid: '', finalizers: ['example.com/hold'] };
    registry.create('ConfigMap', 'team', { apiVersion: 'v1', kind: 'ConfigMap', metadata: held });
    registry.update('Namespace', undefined, 'team', (namespace) => ({
      ...namespace,
      metadata: { ...namespace.metadata, finalizers: ['example.com/last'] },
    }));
    registry.delete('Namespace', undefined, 'team');
    await test.until(
      () =>
        condition(test, 'NamespaceFinalizersRemaining') !== undefined &&
        storage.list('ServiceAccount', 'team').length === 0,
    );
    expect(condition(test, 'NamespaceFinalizersRemaining')).toMatchObject({
      status: 'True',
      message: 'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    });
    registry.update('ConfigMap', 'team', 'held', (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [] },
    }));
    await test.until(() => (condition(test, 'NamespaceContentRemaining') as { status?: string }).status === 'False');
    expect(isThere(test)).toBe(true);
    registry.update('Namespace', undefined, 'team', (namespace) => ({
      ...namespace,
      metadata: { ...namespace.metadata, finalizers: [] },
    }));
    await test.until(() => !isThere(test));
  });
});
