import { expect, it } from 'vitest';
import { containerInfoFromAnnotations, newContainerAnnotations } from './labels.ts';
import { containerIDFromLegacyLogSymlink, legacyLogSymlink, podUIDFromLogsDirectory } from './log-paths.ts';
import { testPod } from './testing/test-stage.ts';

it('parses the labels and annotations that it writes on containers', () => {
  const pod = testPod({ terminationGracePeriodSeconds: 30 }, { deletionGracePeriodSeconds: 0 });
  const preStop = { httpGet: { scheme: 'HTTP', port: 'http', path: '/bye' } } as const;
  const container = {
    name: 'app',
    lifecycle: { preStop },
    ports: [{ protocol: 'TCP', containerPort: 80, name: 'http' }],
  } as const;
  const annotations = newContainerAnnotations(container, pod, 3, 0x0abc, { 'device.io/x': 'y' });
  expect(annotations).toMatchObject({
    'device.io/x': 'y',
    'io.kubernetes.container.hash': 'abc',
    'io.kubernetes.container.preStopHandler': '{"httpGet":{"path":"/bye","port":"http","scheme":"HTTP"}}',
    'io.kubernetes.container.ports': '[{"name":"http","containerPort":80,"protocol":"TCP"}]',
  });
  expect(containerInfoFromAnnotations(annotations)).toMatchObject({
    hash: 0xabc,
    restartCount: 3,
    podDeletionGracePeriod: 0,
    podTerminationGracePeriod: 30,
    preStopHandler: preStop,
    ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }],
  });
});

it('treats unreadable annotations as missing', () => {
  expect(
    containerInfoFromAnnotations({
      'io.kubernetes.container.hash': 'xyz',
      'io.kubernetes.container.preStopHandler': '{',
    }),
  ).toMatchObject({
    hash: 0,
    restartCount: 0,
    preStopHandler: undefined,
    ports: [],
  });
});

it('truncates names of log links to the file system’s limit and parses the container id from them', () => {
  const link = legacyLogSymlink('/var/log/containers', 'web', 'default', 'app', 'abcdef012345');
  expect(link).toBe('/var/log/containers/web_default_app-abcdef012345.log');
  expect(containerIDFromLegacyLogSymlink('web_default_app-abcdef012345.log')).toBe('abcdef012345');
  expect(containerIDFromLegacyLogSymlink('web_default_app-abc.log')).toBeUndefined();
  expect(legacyLogSymlink('/l', 'x'.repeat(300), 'default', 'app', 'id').length).toBe('/l/'.length + 255);
  expect(podUIDFromLogsDirectory('default_web_uid-1')).toBe('uid-1');
});
