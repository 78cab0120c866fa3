import { RunFold } from '@podscope/trace';
import { EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { listPods, namespacesOf } from './list-pods.ts';

interface Told {
  readonly name: string;
  readonly namespace?: string;
  readonly created?: string;
  readonly reason?: string;
  readonly restartCount?: number;
  readonly deleted?: boolean;
}

function podsOf(...reported: readonly Told[]) {
  const fold = new RunFold();
  let seq = 0;
  for (const { name, namespace = 'default', created = '2026-01-05T09:00:00Z', deleted, ...status } of reported) {
    const object = {
      metadata: { uid: name, name, namespace, creationTimestamp: created },
      spec: { containers: [{ name: 'app' }] },
      status: {
        phase: 'Running',
        containerStatuses: [
          {
            name: 'app',
            ready: status.reason === undefined,
            restartCount: status.restartCount ?? 0,
            state: status.reason === undefined ? { running: {} } : { waiting: { reason: status.reason } },
          },
        ],
      },
    };
    const log = new EventScript(name);
    log.emit({ type: 'podChanged', operation: 'ADDED', object });
    if (deleted) log.emit({ type: 'podChanged', operation: 'DELETED', object });
    for (const event of log.events) fold.apply({ ...event, seq: ++seq });
  }
  return fold.pods();
}

const names = (pods: ReturnType<typeof listPods>): readonly string[] => pods.map(({ name }) => name);

describe('listPods', () => {
  const pods = podsOf(
    { name: 'web-10', created: '2026-01-05T09:00:03Z' },
    { name: 'web-9', reason: 'CrashLoopBackOff', restartCount: 4 },
    { name: 'api', namespace: 'shop', reason: 'ErrImagePull', created: '2026-01-05T09:00:09Z' },
    { name: 'old', deleted: true },
  );

  it('orders by namespace and name, with numbers by value and deleted pods last', () => {
    expect(names(listPods(pods))).toEqual(['web-9', 'web-10', 'api', 'old']);
  });

  it.each([
    ['status', ['api', 'web-9', 'web-10', 'old']],
    ['restarts', ['web-9', 'web-10', 'api', 'old']],
    ['age', ['api', 'web-10', 'web-9', 'old']],
  ] as const)('orders by %s', (order, expected) => {
    expect(names(listPods(pods, { order }))).toEqual(expected);
  });

  it('omits deleted pods, other namespaces and pods that do not match the filter', () => {
    expect(names(listPods(pods, { hidesDeleted: true }))).not.toContain('old');
    expect(names(listPods(pods, { namespace: 'shop' }))).toEqual(['api']);
    expect(names(listPods(pods, { filter: 'WEB backoff' }))).toEqual(['web-9']);
  });

  it('omits cleared pods only once they are deleted', () => {
    expect(names(listPods(pods, { cleared: new Set(['old', 'api']) }))).toEqual(['web-9', 'web-10', 'api']);
  });

  it('names each namespace once', () => {
    expect(namespacesOf(pods)).toEqual(['default', 'shop']);
  });
});
