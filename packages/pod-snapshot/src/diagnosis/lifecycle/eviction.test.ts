/** Tests what the diagnosis says about pods that ended because of their deadline or a lack of memory on the node. */
import { describe, expect, it } from 'vitest';
import { firstDiagnosis } from '../../testing/first-diagnosis.ts';

function diagnosisOf(status: object, message: string, limits?: object) {
  const ended = { exitCode: 137, startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T01:00:00Z', message };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'backup', namespace: 'ops', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: {
      nodeName: 'node-1',
      activeDeadlineSeconds: 3600,
      containers: [{ name: 'app', image: 'app:1', resources: { limits } }],
    },
    status: {
      phase: 'Failed',
      startTime: '2026-01-01T00:00:00Z',
      containerStatuses: [
        { name: 'app', image: 'app:1', imageID: '', ready: false, restartCount: 0, state: { terminated: ended } },
      ],
      ...status,
    },
  };
  return firstDiagnosis([pod]);
}

describe('the diagnosis of an exceeded deadline', () => {
  const exceeded = { reason: 'DeadlineExceeded' };

  it('names a deadline for all the work if the output shows the progress', () => {
    const { cause, remedies } = diagnosisOf(exceeded, '[58:00] 42.27%  17633 files\n[59:00] 43.00%  17941 files');
    expect(cause).toMatch(/had done 43 % of its work; at that pace, all of it takes 2 h 20 min/);
    expect(remedies).toMatch(/for example to 10800/);
    expect(remedies).not.toMatch(/logs/);
  });

  it.each(['disk is 43 % full', 'memory 43 %\nmemory 41 %', '0.5%\n43%\n0%'])(
    'shows the log if the percentages are no progress: %s',
    (message) => {
      const { cause, remedies } = diagnosisOf(exceeded, message);
      expect(cause).not.toMatch(/pace/);
      expect(remedies).toMatch(/above 3600/);
      expect(remedies).toMatch(/logs backup/);
    },
  );
});

describe('the diagnosis of an eviction because of memory', () => {
  const evicted = {
    reason: 'Evicted',
    message: 'The node was low on resource: memory. Container app was using 5874320Ki, request is 512Mi, has larger.',
  };

  it('says that a container without a limit could use all memory', () => {
    expect(diagnosisOf(evicted, '').cause).toMatch(/app has no memory limit/);
  });

  it('says that the limit of a container was not the reason', () => {
    expect(diagnosisOf(evicted, '', { memory: '8Gi' }).cause).toMatch(/Its own limit was not the reason/);
  });
});
