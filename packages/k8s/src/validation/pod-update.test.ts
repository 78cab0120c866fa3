import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../field-error.ts';
import { containerPod, podData, soundPod } from '../testing/pods.ts';
import type { Pod } from '../types.ts';
import { validatePodEphemeralContainersUpdate, validatePodUpdate } from './pod-update.ts';

const fields =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` ' +
  '(only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if ' +
  'it was previously negative)';

function update(next: Record<string, unknown>, previous: Record<string, unknown>): string[] {
  return validatePodUpdate(soundPod(next, 'existing'), soundPod(previous, 'existing')).map(formatFieldError);
}

describe('validatePodUpdate', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    ['nothing', podData(), podData(), []],
    [
      'image',
      containerPod({ image: 'nginx:2', imagePullPolicy: 'Always' }),
      containerPod({ imagePullPolicy: 'Always' }),
      [],
    ],
    ['labels', podData({}, { labels: { a: 'b' } }), podData(), []],
    ['an added toleration', podData({ tolerations: [{ key: 'a', operator: 'Exists' }] }), podData(), []],
    ['a shorter deadline', podData({ activeDeadlineSeconds: 5 }), podData({ activeDeadlineSeconds: 10 }), []],
    [
      'environment',
      containerPod({ env: [{ name: 'A', value: '2' }] }),
      containerPod({ env: [{ name: 'A', value: '1' }] }),
      [
        `spec: Forbidden: pod updates may not change fields other than ${fields}\n- ` +
          'spec.containers[0].env[0].value: "1"\n+ spec.containers[0].env[0].value: "2"',
      ],
    ],
    [
      'node name',
      podData({ nodeName: 'b' }),
      podData(),
      [
        `spec: Forbidden: pod updates may not change fields other than ${fields}\n- spec.nodeName: (not set)\n` +
          '+ spec.nodeName: "b"',
      ],
    ],
    [
      'an added container',
      podData({
        containers: [
          { name: 'app', image: 'nginx' },
          { name: 'b', image: 'b' },
        ],
      }),
      podData(),
      ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    ],
    [
      'a longer deadline',
      podData({ activeDeadlineSeconds: 10 }),
      podData({ activeDeadlineSeconds: 5 }),
      ['spec.activeDeadlineSeconds: Invalid value: 10: must be less than or equal to previous value'],
    ],
    [
      'a removed deadline',
      podData(),
      podData({ activeDeadlineSeconds: 5 }),
      ['spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value'],
    ],
    [
      'a removed toleration',
      podData(),
      podData({ tolerations: [{ key: 'a', operator: 'Exists' }] }),
      ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
    ],
    ['name', podData({}, { name: 'other' }), podData(), ['metadata.name: Invalid value: "other": field is immutable']],
    [
      'uid',
      podData({}, { uid: 'b' }),
      podData({}, { uid: 'a' }),
      ['metadata.uid: Invalid value: "b": field is immutable'],
    ],
    [
      'mirror annotation',
      podData({ nodeName: 'n' }, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      podData({ nodeName: 'n' }),
      ['metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not add mirror pod annotation'],
    ],
  ])('returns the expected messages for a change of: %s', (_, next, previous, messages) => {
    expect(update(next, previous)).toEqual(messages);
  });

  it('returns the errors of an invalid new pod', () => {
    const previous = soundPod(podData());
    const next: Pod = {
      ...previous,
      spec: { ...previous.spec, containers: [{ ...previous.spec.containers[0], name: 'app', image: '' }] },
    };
    expect(validatePodUpdate(next, previous).map(formatFieldError)).toEqual([
      'spec.containers[0].image: Required value',
    ]);
  });
});

const withDebug = (...containers: readonly Record<string, unknown>[]): Pod =>
  soundPod(podData({ ephemeralContainers: containers }), 'existing');
const messages = (next: Pod, previous: Pod): string[] =>
  validatePodEphemeralContainersUpdate(next, previous).map(formatFieldError);

describe('validatePodEphemeralContainersUpdate', () => {
  const debug = { name: 'debug', image: 'busybox' };

  it('allows added containers but no changed or removed ones', () => {
    expect(messages(withDebug(debug), withDebug())).toEqual([]);
    expect(messages(withDebug(), withDebug(debug))).toEqual([
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n',
    ]);
    expect(messages(withDebug({ ...debug, tty: true }), withDebug(debug))[0]).toContain(
      'existing ephemeral containers "debug" may not be changed',
    );
  });
});
