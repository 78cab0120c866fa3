import { describe, expect, it } from 'vitest';
import { containerPod, messagesOf, podData } from '../../testing/pods.ts';

type Row = readonly [title: string, volume: Record<string, unknown>, messages: readonly string[]];

const v = 'spec.volumes[0]';
const mode = 'must be a number between 0 and 0777 (octal), both inclusive';

describe('volumes', () => {
  it.each<Row>([
    ['no name', { name: undefined, emptyDir: {} }, [`${v}.name: Required value`]],
    ['dotted name', { name: 'a.b', emptyDir: {} }, [`${v}.name: Invalid value: "a.b": must not contain dots`]],
    [
      'two sources',
      { emptyDir: {}, hostPath: { path: '/tmp' } },
      [`${v}.hostPath: Forbidden: may not specify more than 1 volume type`],
    ],
    [
      'negative size',
      { emptyDir: { sizeLimit: '-1Mi' } },
      [`${v}.emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity`],
    ],
    ['missing host path', { hostPath: {} }, [`${v}.hostPath.path: Required value`]],
    [
      'host path upwards',
      { hostPath: { path: '/a/../b' } },
      [`${v}.hostPath.path: Invalid value: "/a/../b": must not contain '..'`],
    ],
    [
      'host path type',
      { hostPath: { path: '/a', type: 'Dir' } },
      [
        `${v}.hostPath.type: Unsupported value: "Dir": supported values: "", "BlockDevice", "CharDevice", ` +
          '"Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
      ],
    ],
    ['config map name', { configMap: {} }, [`${v}.configMap.name: Required value`]],
    ['secret name', { secret: {} }, [`${v}.secret.secretName: Required value`]],
    [
      'default mode',
      { configMap: { name: 'a', defaultMode: 512 } },
      [`${v}.configMap.defaultMode: Invalid value: 512: ${mode}`],
    ],
    [
      'item',
      { secret: { secretName: 'a', items: [{ key: '', path: '../x', mode: -1 }] } },
      [
        `${v}.secret.items[0].key: Required value`,
        `${v}.secret.items[0].path: Invalid value: "../x": must not contain '..'`,
        `${v}.secret.items[0].mode: Invalid value: -1: ${mode}`,
      ],
    ],
    [
      'absolute item',
      { configMap: { name: 'a', items: [{ key: 'k', path: '/x' }] } },
      [`${v}.configMap.items[0].path: Invalid value: "/x": must be a relative path`],
    ],
    [
      'reserved item',
      { configMap: { name: 'a', items: [{ key: 'k', path: '..x' }] } },
      [`${v}.configMap.items[0].path: Invalid value: "..x": must not start with '..'`],
    ],
    [
      'downward file without source',
      { downwardAPI: { items: [{ path: 'a' }] } },
      [`${v}.downwardAPI.items[0]: Required value: one of fieldRef and resourceFieldRef is required`],
    ],
    [
      'downward field',
      { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'status.podIP' } }] } },
      [
        `${v}.downwardAPI.items[0].fieldRef.fieldPath: Unsupported value: "status.podIP": supported values: ` +
          '"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
      ],
    ],
    [
      'downward resource without container',
      { downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } },
      [`${v}.downwardAPI.items[0].resourceFieldRef.containerName: Required value`],
    ],
    ['claim name', { persistentVolumeClaim: {} }, [`${v}.persistentVolumeClaim.claimName: Required value`]],
    ['image reference', { image: {} }, [`${v}.image.reference: Required value`]],
    [
      'projected source with two types',
      { projected: { sources: [{ secret: { name: 'a' }, configMap: { name: 'b' } }] } },
      [`${v}.projected.sources[0].configMap: Forbidden: may not specify more than 1 volume type per source`],
    ],
    [
      'projected paths collide',
      {
        projected: {
          sources: [
            { secret: { name: 'a', items: [{ key: 'k', path: 'x' }] } },
            { configMap: { name: 'b', items: [{ key: 'k', path: 'x' }] } },
          ],
        },
      },
      [`${v}.projected.sources[1]: Invalid value: "b": conflicting duplicate paths`],
    ],
    [
      'short-lived token',
      { projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 60 } }] } },
      [
        `${v}.projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 60: may not be less ` +
          'than 10 minutes',
      ],
    ],
  ])('returns the expected messages for: %s', (_, volume, messages) => {
    expect(messagesOf(podData({ volumes: [{ name: 'data', ...volume }] }))).toEqual(messages);
  });

  it('reject duplicate names', () => {
    const volumes = [
      { name: 'data', emptyDir: {} },
      { name: 'data', emptyDir: {} },
    ];
    expect(messagesOf(podData({ volumes }))).toEqual(['spec.volumes[1].name: Duplicate value: "data"']);
  });
});

const m = 'spec.containers[0].volumeMounts[0]';

describe('mounts', () => {
  it.each<Row>([
    ['unknown volume', { name: 'other' }, [`${m}.name: Not found: "other"`]],
    ['no name', { name: '' }, [`${m}.name: Required value`, `${m}.name: Not found: ""`]],
    ['no path', { mountPath: '' }, [`${m}.mountPath: Required value`]],
    ['absolute sub-path', { subPath: '/x' }, [`${m}.subPath: Invalid value: "/x": must be a relative path`]],
    ['sub-path upwards', { subPath: 'a/../b' }, [`${m}.subPath: Invalid value: "a/../b": must not contain '..'`]],
    [
      'both sub-paths',
      { subPath: 'a', subPathExpr: 'b' },
      [`${m}.subPathExpr: Invalid value: "b": subPathExpr and subPath are mutually exclusive`],
    ],
    [
      'propagation',
      { mountPropagation: 'Both' },
      [
        `${m}.mountPropagation: Unsupported value: "Both": supported values: "Bidirectional", ` +
          '"HostToContainer", "None"',
      ],
    ],
    [
      'bidirectional without privilege',
      { mountPropagation: 'Bidirectional' },
      [`${m}.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`],
    ],
    [
      'recursive read-only',
      { recursiveReadOnly: 'Enabled' },
      [`${m}.recursiveReadOnly: Forbidden: may only be specified when readOnly is true`],
    ],
  ])('returns the expected messages for: %s', (_, mount, messages) => {
    const volumes = [{ name: 'data', emptyDir: {} }];
    expect(
      messagesOf(containerPod({ volumeMounts: [{ name: 'data', mountPath: '/data', ...mount }] }, { volumes })),
    ).toEqual(messages);
  });

  it('reject duplicate paths', () => {
    const volumeMounts = [
      { name: 'data', mountPath: '/data' },
      { name: 'data', mountPath: '/data' },
    ];
    const data = containerPod({ volumeMounts }, { volumes: [{ name: 'data' }] });
    expect(messagesOf(data)).toEqual([
      'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/data": must be unique',
    ]);
  });
});
