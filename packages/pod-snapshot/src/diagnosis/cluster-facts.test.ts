/** Tests what a diagnosis takes from the objects around the pod: its Job, its node and the owner's template. */
import { describe, expect, it } from 'vitest';
import { firstDiagnosis } from '../testing/first-diagnosis.ts';
import type { ClusterFacts } from './pod-case.ts';

const container = { name: 'app', image: 'registry.example.com/shop/app:1' };

function diagnose(pod: { readonly owner: string; readonly status: object }, facts: ClusterFacts) {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'app-x',
      namespace: 'shop',
      uid: 'u',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ownerReferences: [{ apiVersion: 'batch/v1', kind: pod.owner, name: 'app-29402880', uid: 'o', controller: true }],
    },
    spec: { nodeName: 'worker-1', restartPolicy: 'Never', containers: [container] },
    status: pod.status,
  };
  const { title, cause, outlook, commands } = firstDiagnosis([object], facts);
  return { cause: `${title} ${cause}`, outlook, commands };
}

const failed = {
  phase: 'Failed',
  containerStatuses: [
    {
      ...container,
      ready: false,
      restartCount: 0,
      imageID: '',
      state: {
        terminated: { exitCode: 1, startedAt: '2026-01-01T00:00:01Z', finishedAt: '2026-01-01T00:00:09Z' },
      },
    },
  ],
};

describe('the diagnosis of a failed pod of a Job', () => {
  const job = { name: 'app-29402880', backoffLimit: 0, failed: 1, isOver: true };
  const owner = { kind: 'Job', name: 'app-29402880', apiVersion: 'batch/v1' };

  it('says that a Job without tries left makes no other pod', () => {
    expect(diagnose({ owner: 'Job', status: failed }, { owner, job }).outlook).toMatch(
      /Job app-29402880 has used up its tries \(backoffLimit 0, 1 failed\): it makes no other pod/,
    );
  });

  it('counts the tries that are left', () => {
    const { outlook } = diagnose(
      { owner: 'Job', status: failed },
      { owner, job: { ...job, backoffLimit: 3, isOver: false } },
    );
    expect(outlook).toMatch(/1 of 4 tries have failed/);
  });

  it('guesses a CronJob from the name only if the Job was not read', () => {
    expect(diagnose({ owner: 'Job', status: failed }, {}).outlook).toMatch(/CronJob app /);
    expect(diagnose({ owner: 'Job', status: failed }, { owner, job }).outlook).not.toMatch(/CronJob/);
  });
});

describe('the diagnosis of a pod on a node that is not ready', () => {
  const running = {
    phase: 'Running',
    containerStatuses: [
      {
        ...container,
        ready: false,
        restartCount: 0,
        imageID: '',
        state: { running: { startedAt: '2026-01-01T00:00:01Z' } },
      },
    ],
  };
  const on = (status: string, message: string): ClusterFacts => ({
    node: { name: 'worker-1', exists: true, unschedulable: false, conditions: [{ type: 'Ready', status, message }] },
  });

  it('quotes what the kubelet reports if it reports at all', () => {
    const facts = on('False', 'container runtime network not ready: cni plugin not initialized');
    const { cause, commands } = diagnose({ owner: 'Job', status: running }, facts);
    expect(cause).toMatch(/kubelet of node worker-1 runs and says why it is not ready: .*cni plugin not initialized/);
    expect(commands).toMatch(/spec.nodeName=worker-1 \| grep -iE 'cni/);
  });

  it('says that the node doesn’t answer if its state is unknown', () => {
    expect(
      diagnose({ owner: 'Job', status: running }, on('Unknown', 'Kubelet stopped posting node status.')).cause,
    ).toMatch(/worker-1 doesn’t answer/);
  });
});

describe('the diagnosis of a pod that its kubelet refused', () => {
  const status = {
    phase: 'Failed',
    reason: 'OutOfcpu',
    message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 4000, used: 5200, capacity: 7910",
  };

  it('names nodeName of the template, which bypasses the scheduler', () => {
    const { cause, commands } = diagnose(
      { owner: 'StatefulSet', status },
      { templateNode: 'worker-1', owner: { kind: 'StatefulSet', name: 'app', apiVersion: 'apps/v1' } },
    );
    expect(cause).toMatch(/sets nodeName to worker-1, which bypasses the scheduler/);
    expect(commands).toMatch(/kubectl -n shop patch statefulset\/app --type=json .*"remove".*nodeName/);
  });
});
