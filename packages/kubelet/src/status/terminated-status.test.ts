import type { PodStatus as ApiPodStatus, Container, ContainerState, ContainerStatus } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { newPod } from '../testing/kubelet-harness.ts';
import { terminatedStatus } from './terminated-status.ts';

const status = (name: string, state: ContainerState, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  ready: false,
  restartCount: 0,
  image: '',
  imageID: '',
  state,
  ...more,
});
const waiting: ContainerState = { waiting: { reason: 'ImagePullBackOff' } };
const completed: ContainerState = { terminated: { exitCode: 0 } };
const init: Container = { name: 'init', image: 'busybox' };
const sidecar: Container = { ...init, restartPolicy: 'Always' };

/** Returns the exit code of the regular container after its pod was terminated; undefined while it is waiting. */
function exitCodeOf(first: Container, cached: ApiPodStatus, api: ApiPodStatus): number | undefined {
  const pod = { ...newPod('web', { initContainers: [first], containers: [{ name: 'app' }] }), status: api };
  return terminatedStatus(pod, cached).containerStatuses?.[0]?.state?.terminated?.exitCode;
}

describe('terminatedStatus', () => {
  const ofInit = (state: ContainerState, more?: Partial<ContainerStatus>): ApiPodStatus => ({
    initContainerStatuses: [status('init', state, more)],
    containerStatuses: [status('app', waiting)],
  });

  it.each<[string, Container, ApiPodStatus, ApiPodStatus, number | undefined]>([
    ['the API knows that init has completed', init, ofInit(completed), ofInit(completed), 137],
    ['only the cached status shows it, as for static pods', init, ofInit(completed), {}, undefined],
    [
      'an earlier run of init has completed',
      init,
      ofInit(completed),
      ofInit({ running: {} }, { lastState: completed }),
      137,
    ],
    ['the sidecar has started', sidecar, ofInit({ running: {} }), ofInit({ running: {} }, { started: true }), 137],
    ['the sidecar does not run any more', sidecar, ofInit(completed), ofInit(completed, { started: true }), undefined],
  ])('ends a waiting container only if the pod was initialized: %s', (_why, first, cached, api, exitCode) => {
    expect(exitCodeOf(first, cached, api)).toBe(exitCode);
  });
});
