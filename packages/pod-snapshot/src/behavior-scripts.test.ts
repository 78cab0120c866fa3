import { describe, expect, it } from 'vitest';
import { behaviorScripts } from './behavior-scripts.ts';
import { readPast } from './past-instances.ts';
import { readSnapshots } from './read-snapshots.ts';

describe('the script of a container that can’t be started', () => {
  it.each(['StartError', 'ContainerCannotRun'])('keeps the runtime’s reason %s for the next attempts', (reason) => {
    const terminated = {
      exitCode: 128,
      reason,
      message: 'exec: "/bin/bash": no such file or directory',
      startedAt: '1970-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:00:09Z',
    };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'shop', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { nodeName: 'node-1', containers: [{ name: 'app', image: 'app:1' }] },
      status: {
        phase: 'Running',
        startTime: '2026-01-01T00:00:00Z',
        containerStatuses: [
          {
            name: 'app',
            image: 'app:1',
            imageID: '',
            ready: false,
            restartCount: 3,
            lastState: { terminated },
            state: { waiting: { reason: 'CrashLoopBackOff' } },
          },
        ],
      },
    };
    const [snapshot] = readSnapshots(JSON.stringify(pod)).snapshots;
    if (!snapshot) throw new Error('no pod');
    const script = behaviorScripts(snapshot, readPast(snapshot.pod, snapshot.observedAt))['shop/web/app'] ?? '';
    expect(script.includes(' reason=StartError')).toBe(reason === 'StartError');
  });
});
