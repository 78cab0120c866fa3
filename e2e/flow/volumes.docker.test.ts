/** Tests each kind of volume on a real engine, from inside the container that mounts it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Pod } from '@podscope/k8s';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { KubeApi } from '../support/kube-api.ts';
import { type Podscope, startWithoutPage } from '../support/podscope.ts';

const image = 'busybox:1.36';
const isRoot = process.getuid?.() === 0;
/**
 * The user of a pod that reads its own file. Only root can change the owner of a file, so without root it is the
 * current user.
 */
const user = isRoot ? 1000 : process.getuid?.();
const needsMounts = { meta: { needs: ['mounts'] } } as const;

let podscope: Podscope;
let api: KubeApi;
let host: string;

beforeAll(async () => {
  host = await mkdtemp(join(tmpdir(), 'podscope-host-'));
  podscope = await startWithoutPage({ runtime: 'docker', args: ['--allow-host-path'] });
  api = podscope.api;
  const metadata = (name: string) => ({ name, namespace: 'default' });
  await api.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata('settings'),
    data: { greeting: 'hello', other: 'bye' },
  });
  await api.create({ apiVersion: 'v1', kind: 'Secret', metadata: metadata('password'), stringData: { key: 's3cret' } });
});

afterAll(async () => {
  await podscope.stop();
  await rm(host, { recursive: true, force: true });
});

interface Volumes {
  readonly volume: Record<string, unknown>;
  readonly script: string;
  readonly mount?: Record<string, unknown>;
  readonly spec?: Record<string, unknown>;
  readonly metadata?: Record<string, unknown>;
}

/** Runs a script to its end in a container with a volume at /v; returns its output. */
async function output(name: string, { volume, script, mount, spec, metadata }: Volumes): Promise<string> {
  const volumeMounts = [{ name: 'v', mountPath: '/v', ...mount }];
  await api.createPod(
    name,
    {
      restartPolicy: 'Never',
      volumes: [{ name: 'v', ...volume }],
      containers: [{ name: 'app', image, command: ['sh', '-c', script], volumeMounts }],
      ...spec,
    },
    metadata,
  );
  const pod = await api.waitForPod(name, 'the end', (_, { phase }) => phase === 'Succeeded' || phase === 'Failed');
  expect(pod?.status?.phase).toBe('Succeeded');
  const logs = await api.logs(name);
  await api.deletePod({ name }, 0);
  return logs;
}

describe('a volume', () => {
  it.concurrent.each<[string, Volumes, string]>([
    ['emptydir', { volume: { emptyDir: {} }, script: 'touch /v/x && stat -c %a /v' }, '777\n'],
    [
      'configmap',
      {
        volume: { configMap: { name: 'settings', items: [{ key: 'greeting', path: 'dir/hi', mode: 0o400 }] } },
        script: 'cat /v/dir/hi; stat -Lc " %a" /v/dir/hi; ls /v',
      },
      'hello 400\ndir\n',
    ],
    [
      'secret',
      {
        volume: { secret: { secretName: 'password', defaultMode: 0o440 } },
        script: 'cat /v/key; stat -Lc " %a" /v/key',
      },
      's3cret 440\n',
    ],
    ['optional', { volume: { configMap: { name: 'nobody', optional: true } }, script: 'ls /v | wc -l' }, '0\n'],
    [
      'downward',
      {
        volume: { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        script: 'cat /v/labels',
        metadata: { labels: { tier: 'front' } },
      },
      'tier="front"\n',
    ],
    [
      'projected',
      {
        volume: {
          projected: {
            sources: [
              { configMap: { name: 'settings', items: [{ key: 'other', path: 'c' }] } },
              { secret: { name: 'password', items: [{ key: 'key', path: 's' }] } },
              { downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
            ],
          },
        },
        script: 'cat /v/c /v/s /v/n',
      },
      'byes3cretprojected\n',
    ],
    [
      'subpath',
      {
        volume: { emptyDir: {} },
        mount: { subPathExpr: '$(NAME)' },
        script: 'echo x > /v/f; ls /v',
        spec: {
          containers: [
            {
              name: 'app',
              image,
              command: ['sh', '-c', 'echo x > /v/f; ls /all/subpath'],
              env: [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
              volumeMounts: [
                { name: 'v', mountPath: '/v', subPathExpr: '$(NAME)' },
                { name: 'v', mountPath: '/all' },
              ],
            },
          ],
        },
      },
      'f\n',
    ],
  ])('of kind %s has the expected content', async (name, volumes, expected) => {
    expect(await output(name, volumes)).toBe(expected);
  });

  it('of kind token belongs to the user of its pod', { meta: { needs: ['local-docker'] } }, async () => {
    const serviceAccountToken = { path: 'token', audience: 'vault', expirationSeconds: 600 };
    const claims = 'cut -d. -f2 /v/token | tr _- /+ | base64 -d 2>/dev/null';
    const script = `${claims} | grep -o '"aud":."vault".\\|"name":"token"' && stat -Lc %u:%a /v/token`;
    const volume = { projected: { sources: [{ serviceAccountToken }] } };
    const spec = { securityContext: { runAsUser: user } };
    expect(await output('token', { volume, script, spec })).toBe(`"aud":["vault"]\n"name":"token"\n${user}:600\n`);
  });

  it('of kind hostPath is created, found or rejected according to its type', async () => {
    await writeFile(join(host, 'file'), 'from the host');
    const socket = createServer().listen(join(host, 'socket'));
    onTestFinished(() => void socket.close());
    if (isRoot) await promisify(execFile)('mknod', [join(host, 'block'), 'b', '7', '99']);
    const kinds: readonly (readonly [
      name: string,
      hostPath: { readonly path: string; readonly type?: string },
      seen: string,
    ])[] = [
      ['directory', { path: host, type: 'Directory' }, 'directory 700'],
      ['made', { path: join(host, 'made'), type: 'DirectoryOrCreate' }, 'directory 755'],
      ['file', { path: join(host, 'file'), type: 'File' }, 'regular file 644'],
      ['empty', { path: join(host, 'empty'), type: 'FileOrCreate' }, 'regular empty file 644'],
      ['socket', { path: join(host, 'socket'), type: 'Socket' }, 'socket 755'],
      ['null', { path: '/dev/null', type: 'CharDevice' }, 'character special file 666'],
      ...(isRoot
        ? ([['block', { path: join(host, 'block'), type: 'BlockDevice' }, 'block special file 644']] as const)
        : []),
      // Type `""` makes no check, so the engine creates a directory.
      ['any', { path: join(host, 'any') }, 'directory 755'],
    ];
    const script = kinds.map(([name]) => `stat -c "%F %a" /v/${name}`).join('; ');
    const volumeMounts = kinds.map(([name]) => ({ name, mountPath: `/v/${name}` }));
    const seen = await output('hostpath', {
      volume: {},
      script,
      spec: {
        volumes: kinds.map(([name, hostPath]) => ({ name, hostPath })),
        containers: [{ name: 'app', image, command: ['sh', '-c', script], volumeMounts }],
      },
    });
    expect(seen.trim().split('\n')).toEqual(kinds.map(([, , expected]) => expected));

    const wrong: readonly (readonly [type: string, path: string, complaint: string])[] = [
      ['Socket', join(host, 'file'), 'is not a socket file'],
      ['CharDevice', join(host, 'file'), 'is not a character device'],
      ['BlockDevice', '/dev/null', 'is not a block device'],
      ['File', host, 'is not a file'],
      ['FileOrCreate', host, 'is not a file'],
      ['Directory', join(host, 'file'), 'is not a directory'],
      ['DirectoryOrCreate', join(host, 'file'), 'is not a directory'],
      ['Directory', join(host, 'nowhere'), 'is not a directory'],
    ];
    await api.createPod('hostpath-bad', {
      volumes: wrong.map(([type, path], index) => ({ name: `v${index}`, hostPath: { path, type } })),
      containers: [
        {
          name: 'app',
          image,
          command: ['true'],
          volumeMounts: wrong.map((_, index) => ({ name: `v${index}`, mountPath: `/v${index}` })),
        },
      ],
    });
    await expect
      .poll(async () => (await api.events('hostpath-bad')).map(({ message }) => message))
      .toEqual(
        expect.arrayContaining(
          wrong.map(
            ([, path, complaint], index) =>
              `MountVolume.SetUp failed for volume "v${index}" : hostPath type check failed: ${path} ${complaint}`,
          ),
        ),
      );
    await api.deletePod({ name: 'hostpath-bad' }, 0);
  });

  it('of kind secret is a tmpfs', needsMounts, async () => {
    const script = 'grep " /v " /proc/mounts | cut -d" " -f3';
    expect(await output('in-memory', { volume: { secret: { secretName: 'password' } }, script })).toBe('tmpfs\n');
  });

  it('rejects a subPath that is a link out of the volume', async () => {
    const mount = { name: 'v', mountPath: '/v' };
    await api.createPod('escape', {
      terminationGracePeriodSeconds: 1,
      volumes: [{ name: 'v', emptyDir: {} }],
      initContainers: [{ name: 'link', image, command: ['ln', '-s', '/', '/v/out'], volumeMounts: [mount] }],
      containers: [{ name: 'app', image, command: ['ls', '/v'], volumeMounts: [{ ...mount, subPath: 'out' }] }],
    });
    const message = 'failed to prepare subPath for volumeMount "v" of container "app"';
    const waiting = (pod: Pod | undefined) => pod?.status?.containerStatuses?.[0]?.state?.waiting;
    const refused = await api.waitForPod(
      'escape',
      'refused',
      (pod) => waiting(pod)?.reason === 'CreateContainerConfigError',
    );
    expect(waiting(refused)?.message).toBe(message);
    await api.deletePod({ name: 'escape' }, 0);
  });

  it(
    'of kind emptyDir in memory is a tmpfs with its size limit, and is removed with the pod',
    needsMounts,
    async () => {
      const script = 'grep " /v " /proc/mounts | cut -d" " -f3; df -k /v | tail -1 | awk \'{print $2}\'';
      expect(await output('memory', { volume: { emptyDir: { medium: 'Memory', sizeLimit: '8Mi' } }, script })).toBe(
        'tmpfs\n8192\n',
      );
      await expect
        .poll(async () => (await import('node:fs/promises')).readFile('/proc/self/mountinfo', 'utf8'), {
          timeout: 120_000,
        })
        .not.toContain(podscope.stateDir);
    },
  );

  it('has the group of fsGroup', needsMounts, async () => {
    const spec = { securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 2000 } };
    const script = 'touch /v/x && stat -c "%g %a" /v && stat -c %g /v/x';
    expect(await output('fsgroup', { volume: { emptyDir: {} }, script, spec })).toBe('2000 2777\n2000\n');
  });

  it('is updated when its config map changes', async () => {
    const command = [
      'sh',
      '-c',
      'trap "exit 0" TERM; until grep -q changed /v/greeting; do sleep 0.2; done; echo seen; sleep 3600 & wait',
    ];
    await api.createPod('follows', {
      terminationGracePeriodSeconds: 1,
      volumes: [{ name: 'v', configMap: { name: 'settings' } }],
      containers: [{ name: 'app', image, command, volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    });
    await api.waitForPod('follows', 'running', (_, { phase }) => phase === 'Running');
    const patch = { data: { greeting: 'changed' } };
    await api.request('PATCH', '/api/v1/namespaces/default/configmaps/settings', patch, {
      'content-type': 'application/merge-patch+json',
    });
    // Change the pod to cause a sync, because only a sync updates the files.
    const touch = { metadata: { annotations: { touched: 'yes' } } };
    await api.request('PATCH', '/api/v1/namespaces/default/pods/follows', touch, {
      'content-type': 'application/merge-patch+json',
    });
    await expect.poll(() => api.logs('follows')).toContain('seen');
    await api.deletePod({ name: 'follows' }, 0);
  });
});
