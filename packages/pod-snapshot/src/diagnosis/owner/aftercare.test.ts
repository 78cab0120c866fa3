import { inEnglish } from '@podscope/trace/explain';
import { describe, expect, it } from 'vitest';
import { readSnapshots } from '../../read-snapshots.ts';
import { diagnoseSnapshot } from '../diagnose.ts';

const created = '2026-11-20T08:00:00Z';

/** Returns the remedies for a pod whose image doesn't exist. */
function remedies(
  owner: { readonly kind: string; readonly name: string },
  readySince: string,
  annotations: Readonly<Record<string, string>> = {},
): readonly string[] {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web-0',
      namespace: 'shop',
      uid: 'u1',
      creationTimestamp: created,
      annotations,
      labels: owner.kind === 'ReplicaSet' ? { 'pod-template-hash': '6d7c' } : {},
      ownerReferences: [
        { apiVersion: owner.kind === 'Job' ? 'batch/v1' : 'apps/v1', uid: 'o', controller: true, ...owner },
      ],
    },
    spec: { nodeName: 'worker-3', containers: [{ name: 'web', image: 'registry.example.com/web:9' }] },
    status: {
      phase: 'Pending',
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: readySince }],
      containerStatuses: [
        {
          name: 'web',
          image: 'registry.example.com/web:9',
          imageID: '',
          ready: false,
          restartCount: 0,
          lastState: {},
          state: {
            waiting: {
              reason: 'ErrImagePull',
              message: 'rpc error: code = NotFound desc = registry.example.com/web:9: not found',
            },
          },
        },
      ],
    },
  };
  const [snapshot] = readSnapshots(JSON.stringify(pod)).snapshots;
  if (!snapshot) throw new Error('no pod');
  return diagnoseSnapshot(snapshot).diagnoses.flatMap(({ next }) =>
    next.map(({ why, command }) => `${inEnglish(why)}: ${command}`),
  );
}

const matching = (all: readonly string[], pattern: RegExp): readonly string[] =>
  all.filter((each) => pattern.test(each));

describe('remedies that the owner of a pod needs', () => {
  it('offers the revision before if the pod of a Deployment was never ready', () => {
    const all = remedies({ kind: 'ReplicaSet', name: 'web-6d7c' }, created);
    expect(matching(all, /kubectl -n shop rollout undo deployment\/web$/)).toHaveLength(1);
  });

  it('offers no rollback if the pod was ready before', () => {
    const all = remedies({ kind: 'ReplicaSet', name: 'web-6d7c' }, '2026-11-20T09:00:00Z');
    expect(matching(all, /rollout undo/)).toEqual([]);
  });

  it('rolls back the release of Helm instead of the Deployment', () => {
    const all = remedies({ kind: 'ReplicaSet', name: 'web-6d7c' }, created, { 'meta.helm.sh/release-name': 'front' });
    expect(matching(all, /helm rollback front -n shop$/)).toHaveLength(1);
    expect(matching(all, /rollout undo/)).toEqual([]);
  });

  it('removes the pod of a StatefulSet, which isn’t replaced before it is ready', () => {
    const all = remedies({ kind: 'StatefulSet', name: 'web' }, created);
    expect(all.at(-1)).toMatch(/^If you changed StatefulSet web: .*: kubectl -n shop delete pod web-0$/);
  });

  it('runs a CronJob again with its new template', () => {
    const all = remedies({ kind: 'Job', name: 'report-29402160' }, created);
    expect(matching(all, /delete job report-29402160$/)).toHaveLength(1);
    expect(all.at(-1)).toMatch(/^Only if you deleted that Job: .*create job report-again --from=cronjob\/report$/);
  });
});
