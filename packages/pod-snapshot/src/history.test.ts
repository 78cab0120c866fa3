import type { Pod, PodStatus } from '@podscope/k8s';
import type { Instant } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { PodHistory } from './history.ts';

const at = (time: string): Instant => Date.parse(`2026-03-01T${time}Z`) as Instant;
const iso = (time: string): string => `2026-03-01T${time}Z`;

const pod = (status: PodStatus): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', creationTimestamp: iso('10:00:00') },
  spec: { containers: [{ name: 'app', image: 'web:1' }] },
  status,
});

const running = (podIP: string, since: string, restartCount = 0): PodStatus => ({
  phase: 'Running',
  podIP,
  conditions: [{ type: 'PodReadyToStartContainers', status: 'True', lastTransitionTime: iso(since) }],
  containerStatuses: [
    {
      name: 'app',
      image: 'web:1',
      imageID: '',
      ready: true,
      restartCount,
      containerID: `containerd://${restartCount}`,
      state: { running: { startedAt: iso(since) } },
    },
  ],
});

describe('history of a pod of another cluster', () => {
  it('reports a new sandbox when the IP changes or after the sandbox was gone', () => {
    const history = new PodHistory();
    const report = (status: PodStatus, time: string): string[] =>
      history
        .update('MODIFIED', pod(status), at(time))
        .flatMap(({ at: when, event }) =>
          event.type === 'runtimeStateChanged' && event.object === 'sandbox'
            ? [
                `${new Date(when).toISOString().slice(11, 19)} ${event.attempt} ` +
                  `${event.to}${event.to === 'running' ? ` ${event.ip}` : ''}`,
              ]
            : [],
        );
    expect(report(running('10.1.0.2', '10:00:01'), '10:00:05')).toEqual(['10:00:00 0 running 10.1.0.2']);
    expect(report(running('10.1.0.2', '10:00:01'), '10:01:00')).toEqual([]);
    expect(report(running('10.1.0.9', '10:02:00', 1), '10:02:05')).toEqual([
      '10:02:00 0 exited',
      '10:02:00 1 running 10.1.0.9',
    ]);
    const gone: PodStatus = {
      phase: 'Running',
      conditions: [{ type: 'PodReadyToStartContainers', status: 'False' }],
      containerStatuses: [],
    };
    expect(report({ ...gone, podIP: '10.1.0.9' }, '10:03:00')).toEqual(['10:03:00 1 exited']);
    expect(report({ ...gone, podIP: '10.1.0.9' }, '10:03:10')).toEqual([]);
    expect(report(running('10.1.0.9', '10:04:00', 2), '10:04:02')).toEqual(['10:04:00 2 running 10.1.0.9']);
  });

  it('reports an image pull back-off for each failed pull event', () => {
    const history = new PodHistory();
    const waiting = (reason: string): Pod =>
      pod({
        phase: 'Pending',
        startTime: iso('10:00:00'),
        containerStatuses: [
          {
            name: 'app',
            image: 'web:1',
            imageID: '',
            ready: false,
            restartCount: 0,
            state: { waiting: { reason, message: 'Back-off pulling image "web:1"' } },
          },
        ],
      });
    const failed = (count: number, last: string) => ({
      type: 'Warning' as const,
      reason: 'Failed',
      message: 'Failed to pull image "web:1": not found',
      container: 'app',
      count,
      first: at('10:00:01'),
      last: at(last),
    });
    const waits = (reason: string, time: string): string[] =>
      history
        .update('MODIFIED', waiting(reason), at(time))
        .flatMap(({ event }) =>
          event.type === 'backOff'
            ? [
                `${event.kind} ${event.container} ${event.image} ${event.seconds} s until ` +
                  `${new Date(event.until).toISOString().slice(11, 19)} ${event.state}`,
              ]
            : [],
        );
    history.updateEvent('u1', failed(1, '10:00:01'));
    expect(waits('ErrImagePull', '10:00:02')).toEqual(['image app web:1 10 s until 10:00:11 armed']);
    expect(waits('ImagePullBackOff', '10:00:05')).toEqual(['image app web:1 10 s until 10:00:11 waiting']);
    expect(waits('ImagePullBackOff', '10:00:06')).toEqual([]);
    history.updateEvent('u1', failed(3, '10:00:35'));
    expect(waits('ImagePullBackOff', '10:00:40')).toEqual(['image app web:1 40 s until 10:01:15 waiting']);
  });
});
