import { describe, expect, it } from 'vitest';
import {
  findContainer,
  findContainerFieldPath,
  isCriticalPod,
  isMirrorPod,
  isNodeCriticalPod,
  isSidecar,
  isStaticPod,
  podFullName,
  visitContainers,
} from './containers.ts';
import { podData, soundPod } from './testing/pods.ts';

const pod = soundPod(
  podData({
    initContainers: [
      { name: 'init', image: 'a' },
      { name: 'sidecar', image: 'a', restartPolicy: 'Always' },
    ],
    ephemeralContainers: [{ name: 'debug', image: 'a' }],
  }),
  'existing',
);

describe('containers of a pod', () => {
  it('are visited in the order init, regular, ephemeral', () => {
    expect(
      [...visitContainers(pod.spec)].map(({ kind, index, container }) => `${kind}[${index}] ${container.name}`),
    ).toEqual([
      'initContainers[0] init',
      'initContainers[1] sidecar',
      'containers[0] app',
      'ephemeralContainers[0] debug',
    ]);
  });

  it('are found by name with their field path', () => {
    expect(findContainerFieldPath(pod, 'init')).toBe('spec.initContainers{init}');
    expect(findContainerFieldPath(pod, 'app')).toBe('spec.containers{app}');
    expect(findContainerFieldPath(pod, 'debug')).toBe('spec.ephemeralContainers{debug}');
    expect(findContainerFieldPath(pod, 'none')).toBeUndefined();
    expect([...visitContainers(pod.spec)].filter(isSidecar).map(({ container }) => container.name)).toEqual([
      'sidecar',
    ]);
    expect(findContainer(pod, 'sidecar')?.index).toBe(1);
  });
});

const annotated = (annotations: Record<string, string>, spec = {}): typeof pod =>
  soundPod(podData({ nodeName: 'n', ...spec }, { annotations }));

describe('kinds of pods', () => {
  it('are determined by annotations and priority', () => {
    expect(isStaticPod(annotated({ 'kubernetes.io/config.source': 'file' }))).toBe(true);
    expect(isStaticPod(annotated({ 'kubernetes.io/config.source': 'api' }))).toBe(false);
    expect(isStaticPod(pod)).toBe(false);
    expect(isMirrorPod(annotated({ 'kubernetes.io/config.mirror': 'x' }))).toBe(true);
    expect(isCriticalPod(annotated({}, { priority: 2_000_000_000 }))).toBe(true);
    expect(isCriticalPod(annotated({}, { priority: 1_999_999_999 }))).toBe(false);
    expect(
      isNodeCriticalPod(
        annotated({ 'kubernetes.io/config.source': 'file' }, { priorityClassName: 'system-node-critical' }),
      ),
    ).toBe(true);
  });

  it('have a full name of name and namespace', () => {
    expect(podFullName(pod)).toBe('web_default');
  });
});
