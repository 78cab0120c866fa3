/** Tests how a sync is judged after which a pod's status has the reason for which the kubelet ended the pod. */
import { describe, expect, it } from 'vitest';
import type { SyncReport } from '../sync-judge.ts';
import { ObservedPod } from '../testing/observed-pod.ts';

const failed = (reason: string) => ({ phase: 'Failed', reason }) as const;

const outcome = (sync: SyncReport | undefined) => {
  const { kind, verdict, missing } = sync?.judged ?? {};
  return { kind, verdict, missing: missing?.input };
};

/** Returns the verdict on a termination with this grace period, which ends with this reason. */
async function terminated(reason: string, timeout: number) {
  const pod = new ObservedPod('v1.36.2');
  pod.answer(59_900);
  pod.call(60_000, 'StopContainer', { containerId: 'c0', timeout });
  pod.call(60_002, 'StopPodSandbox', { podSandboxId: 's' });
  pod.answer(60_500, failed(reason));
  return outcome(await pod.lastSync());
}

/**
 * Returns the verdict on a kill after a failed probe, which is followed by a status of the pod. The container isn't
 * started again, because its image is gone.
 */
async function killedBefore(probe: 'exec' | 'httpGet', status: Parameters<ObservedPod['answer']>[1]) {
  const command = ['test'];
  const action = probe === 'exec' ? { exec: { command } } : { httpGet: { port: 80 } };
  const livenessProbe = { ...action, failureThreshold: 1, timeoutSeconds: 1 };
  const pod = new ObservedPod('v1.36.2', { livenessProbe, imagePullPolicy: 'Never' });
  pod.answer(59_900);
  if (probe === 'exec') pod.call(59_990, 'ExecSync', { containerId: 'c0', cmd: command, timeout: 1 }, { exitCode: 1 });
  pod.call(60_000, 'StopContainer', { containerId: 'c0', timeout: 30 });
  pod.readImage(60_002, false);
  pod.answer(62_500, status);
  return outcome(await pod.lastSync());
}

describe('a termination by the kubelet', () => {
  it('agrees with the own grace period of a pod past its deadline', async () => {
    const expected = { kind: 'terminating', verdict: 'agrees', missing: undefined };
    expect(await terminated('DeadlineExceeded', 30)).toEqual(expected);
  });

  it('differs with another grace period of a pod past its deadline', async () => {
    expect(await terminated('DeadlineExceeded', 7)).toMatchObject({ kind: 'terminating', verdict: 'differs' });
  });

  it('is unknown with another grace period of an evicted pod', async () => {
    const expected = { kind: 'terminating', verdict: 'unknown', missing: 'terminationRequest' };
    expect(await terminated('Evicted', 7)).toEqual(expected);
  });
});

describe('a kill that precedes a termination by the kubelet', () => {
  it('agrees as a sync, although the next status says that the pod was evicted', async () => {
    const expected = { kind: 'sync', verdict: 'agrees', missing: undefined };
    expect(await killedBefore('exec', failed('Evicted'))).toEqual(expected);
  });

  it('is unknown as a sync if no call shows the result of its probe', async () => {
    const expected = { kind: 'sync', verdict: 'unknown', missing: 'probeResult' };
    expect(await killedBefore('httpGet', failed('Evicted'))).toEqual(expected);
  });

  it('agrees as a sync if a status with a reason is not that of a failed pod', async () => {
    const expected = { kind: 'sync', verdict: 'agrees', missing: undefined };
    expect(await killedBefore('exec', { phase: 'Running', reason: 'NodeLost' })).toEqual(expected);
  });
});
