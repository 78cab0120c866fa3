import type { ContainerStatus, PodSpec } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { featureGates } from '../features.ts';
import { newPod } from '../testing/kubelet-harness.ts';
import { forbiddenTransition } from './container-transitions.ts';

const status = (state: ContainerStatus['state']): { readonly containerStatuses: readonly ContainerStatus[] } => ({
  containerStatuses: [{ name: 'app', ready: false, restartCount: 0, image: '', imageID: '', state }],
});

describe('forbiddenTransition', () => {
  const refused = 'terminated container app attempted illegal transition to non-terminated state';

  it.each<[string, Partial<PodSpec>, number, string | undefined]>([
    ['Never', { restartPolicy: 'Never', containers: [{ name: 'app' }] }, 1, refused],
    ['OnFailure, code 0', { restartPolicy: 'OnFailure', containers: [{ name: 'app' }] }, 0, refused],
    ['OnFailure, code 1', { restartPolicy: 'OnFailure', containers: [{ name: 'app' }] }, 1, undefined],
    [
      'OnFailure, container Never, code 1',
      { restartPolicy: 'OnFailure', containers: [{ name: 'app', restartPolicy: 'Never' }] },
      1,
      undefined,
    ],
    [
      'Never, container Always',
      { restartPolicy: 'Never', containers: [{ name: 'app', restartPolicy: 'Always' }] },
      0,
      undefined,
    ],
  ])('returns why a terminated container may not run again: %s', (_policy, spec, exitCode, reason) => {
    const old = status({ terminated: { exitCode } });
    expect(forbiddenTransition(newPod('web', spec), old, status({ running: {} }), featureGates())).toBe(reason);
  });

  it('names an init container as such', () => {
    const pod = newPod('web', { restartPolicy: 'Never', initContainers: [{ name: 'app', image: 'busybox' }] });
    const [old, next] = [status({ terminated: { exitCode: 1 } }), status({ running: {} })].map(
      ({ containerStatuses }) => ({ initContainerStatuses: containerStatuses }),
    );
    expect(forbiddenTransition(pod, old ?? {}, next ?? {}, featureGates())).toBe(
      'terminated init container app attempted illegal transition to non-terminated state',
    );
  });
});
