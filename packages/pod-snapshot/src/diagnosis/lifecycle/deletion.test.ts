/** Tests what the diagnosis says about the controllers whose finalizers keep a pod. */
import { describe, expect, it } from 'vitest';
import { firstDiagnosis } from '../../testing/first-diagnosis.ts';

function diagnosisOf(finalizer: string, owner?: { apiVersion: string; kind: string; name: string }) {
  const ended = { exitCode: 143, startedAt: '2026-01-01T00:00:01Z', finishedAt: '2026-01-01T00:09:00Z' };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'worker-1',
      namespace: 'ml',
      uid: 'u',
      creationTimestamp: '2026-01-01T00:00:00Z',
      deletionTimestamp: '2026-01-01T00:09:00Z',
      deletionGracePeriodSeconds: 0,
      finalizers: [finalizer],
      ...(owner ? { ownerReferences: [{ ...owner, uid: 'o', controller: true }] } : {}),
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'app', image: 'app:1' }] },
    status: {
      phase: 'Failed',
      containerStatuses: [
        { name: 'app', image: 'app:1', imageID: '', ready: false, restartCount: 0, state: { terminated: ended } },
      ],
    },
  };
  return firstDiagnosis([pod]);
}

const kopf = 'kopf.zalando.org/KopfFinalizerMarker';

describe('the diagnosis of a finalizer', () => {
  it('looks for the operator of the owner’s API if the finalizer is that of a framework', () => {
    const owner = { apiVersion: 'train.example.org/v1', kind: 'TrainingRun', name: 'churn' };
    const { cause, remedies } = diagnosisOf(kopf, owner);
    expect(cause).toMatch(/finalizer of Kopf.*operator that handles trainingrun\.train\.example\.org/);
    expect(remedies).toMatch(/get deployments -A .*\|trainingrun\|training\|train'/);
    expect(remedies).toMatch(/get clusterroles,roles -A .* grep -F train\.example\.org/);
    expect(remedies).toMatch(/kubectl -n NAMESPACE logs deployment\/OPERATOR/);
    expect(remedies).not.toMatch(/zalando'/);
  });

  it('looks for any operator if the pod of a framework’s finalizer has no owner', () => {
    const { cause, remedies } = diagnosisOf(kopf);
    expect(cause).toMatch(/such an operator set it/);
    expect(remedies).toMatch(/get deployments -A .*grep -iE 'operator\|controller\|kopf'/);
  });

  it('looks for the controller that the finalizer names, and for its log', () => {
    const { remedies } = diagnosisOf('chains.tekton.dev/pod');
    expect(remedies).toMatch(/get pods -A \| grep -iE '.*tekton'\n.*logs POD --tail=50/);
  });
});
