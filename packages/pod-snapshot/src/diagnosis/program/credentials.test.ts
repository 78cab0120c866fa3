/** Tests what the diagnosis says about programs whose password a server refuses. */
import { describe, expect, it } from 'vitest';
import { firstDiagnosis } from '../../testing/first-diagnosis.ts';

const refused = 'FATAL:  password authentication failed for user "shop"';

const fromSecret = (name: string, key: string) => ({
  name,
  valueFrom: { secretKeyRef: { name: 'shop-db', key } },
});

function diagnosisOf(env: readonly object[], state: object, log = refused) {
  const ended = { exitCode: 1, startedAt: '2026-01-01T00:00:01Z', finishedAt: '2026-01-01T00:00:09Z' };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { nodeName: 'node-1', containers: [{ name: 'app', image: 'app:1', env }] },
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'app',
          image: 'app:1',
          imageID: '',
          ready: false,
          restartCount: 3,
          lastState: { terminated: { ...ended, message: log } },
          state,
        },
      ],
    },
  };
  return firstDiagnosis([pod]);
}

const waiting = { waiting: { reason: 'CrashLoopBackOff' } };

describe('the diagnosis of a refused password', () => {
  it('compares the key of the Secret with the server, and needs no restart', () => {
    const env = [fromSecret('DB_USER', 'user'), fromSecret('DB_PASSWORD', 'db.password')];
    const { cause, remedies } = diagnosisOf(env, waiting);
    expect(cause).toMatch(/refuses user shop because of the password/);
    expect(remedies).toContain(String.raw`get secret shop-db -o jsonpath='{.data.db\.password}' | base64 -d`);
    expect(remedies).toMatch(
      /Correct the one that is wrong.*no restart is needed: kubectl -n shop edit secret shop-db/,
    );
    expect(remedies).not.toMatch(/restart the pods/);
  });

  it('names no key if several could be meant', () => {
    const { remedies } = diagnosisOf([fromSecret('A_PASSWORD', 'a'), fromSecret('B_PASSWORD', 'b')], waiting);
    expect(remedies).toMatch(/if the server has another one; the next start of app reads it again/);
    expect(remedies).not.toMatch(/base64/);
  });

  it('restarts the pods if the container runs with the old value', () => {
    const { remedies } = diagnosisOf([fromSecret('DB_PASSWORD', 'p')], {
      running: { startedAt: '2026-01-01T00:00:20Z' },
    });
    expect(remedies).toMatch(/then restart the pods/);
  });
});
