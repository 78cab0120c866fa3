/** Tests the options of a container that depend on the node's files. */
import { background, Tracer, VirtualClock } from '@podscope/trace';
import { expect, it } from 'vitest';
import { MemoryOS } from '../memory-os.ts';
import { testPod } from '../testing/test-stage.ts';
import { NodeRuntimeHelper } from './runtime-helper.ts';

it('reads an environment file only within its volume, even if a container replaces the file by a link', async () => {
  const clock = new VirtualClock();
  const os = new MemoryOS();
  await os.mkdirAll('/vol', 0o755);
  await os.mkdirAll('/etc', 0o755);
  await os.writeFile('/etc/shop', "A='secret'", 0o600);
  const helper = new NodeRuntimeHelper({
    node: {
      ips: [],
      rootDir: '/var/lib/kubelet',
      clusterDNS: [],
      clusterDomain: '',
      readHostsFile: () => Promise.resolve(''),
      cgroupDriver: 'cgroupfs',
      cgroupsPerQOS: true,
      allocatable: {},
    },
    os,
    recorder: { event: () => undefined, nodeEvent: () => undefined },
    sources: {
      getConfigMap: () => Promise.resolve(undefined),
      getSecret: () => Promise.resolve(undefined),
      listServices: () => Promise.resolve([]),
    },
    mountedVolumes: () => new Map([['data', { hostPath: '/vol', readOnly: false }]]),
    isPodTerminationRequested: () => false,
    onPodSandboxReady: () => Promise.resolve(),
  });
  const fileKeyRef = { volumeName: 'data', path: 'vars.env', key: 'A' };
  const container = { name: 'app', env: [{ name: 'A', valueFrom: { fileKeyRef } }] };
  const options = (): Promise<unknown> =>
    helper.generateRunContainerOptions(background(clock, new Tracer()), testPod(), container, '', [], {});
  await os.writeFile('/vol/vars.env', "A='one'", 0o644);
  await expect(options()).resolves.toMatchObject({ options: { envs: [{ name: 'A', value: 'one' }] } });
  await os.remove('/vol/vars.env');
  await os.symlink('/etc/shop', '/vol/vars.env');
  await expect(options()).rejects.toThrow("couldn't parse env file");
});
