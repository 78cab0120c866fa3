import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Pod } from '@podscope/k8s';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManifestDirectory, type ManifestDirectoryOptions } from './manifest-directory.ts';
import { parseStaticPod } from './static-pod.ts';

const manifest = (name: string, image = 'busybox:1.36'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: app, image: "${image}" }] }\n`;

/** A manifest whose beginning, up to the line of the image, is also a valid pod. */
const blockManifest = `apiVersion: v1
kind: Pod
metadata:
  name: a
spec:
  containers:
  - name: app
    image: busybox:1.36
    command: [sleep, "1"]
`;

const options = { path: '/manifests/web.yaml', nodeName: 'Node-1' };
const uid = (text: string, path = options.path): string => parseStaticPod(text, { ...options, path }).metadata.uid;

describe('parseStaticPod', () => {
  it('returns the pod that the kubelet runs', () => {
    const pod = parseStaticPod(manifest('web'), options);
    expect(pod).toMatchObject({
      metadata: {
        name: 'web-node-1',
        namespace: 'default',
        uid: expect.stringMatching(/^[0-9a-f]{32}$/),
        annotations: { 'kubernetes.io/config.hash': pod.metadata.uid },
      },
      spec: { nodeName: 'Node-1', restartPolicy: 'Always', tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] },
      status: { phase: 'Pending' },
    });
  });

  it('identifies a pod by its content and its file', () => {
    expect(uid(manifest('web'))).toBe(uid(`# a comment\n${manifest('web')}`));
    expect(uid(manifest('web'))).not.toBe(uid(manifest('web', 'busybox:2')));
    expect(uid(manifest('web'))).not.toBe(uid(manifest('web'), '/manifests/other.yaml'));
  });

  const asking = (fields: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: app, image: x }], ${fields} }`;
  const volume = (kind: string): string => asking(`volumes: [{ name: v, ${kind} }]`);
  const projected = (source: string): string =>
    volume(`projected: { sources: [{ downwardAPI: { items: [] } }, { ${source} }] }`);
  const references = [
    [asking('serviceAccountName: sa'), 'serviceaccounts'],
    [asking('imagePullSecrets: [{ name: s }]'), 'secrets'],
    [asking('initContainers: [{ name: i, image: x, envFrom: [{ configMapRef: { name: c } }] }]'), 'configmaps'],
    [volume('secret: { secretName: s }'), 'secrets'],
    [volume('configMap: { name: c }'), 'configmaps'],
    [asking('resourceClaims: [{ name: gpu, resourceClaimName: gpu }]'), 'resourceclaims'],
    [volume('persistentVolumeClaim: { claimName: disk }'), 'persistentvolumeclaims'],
    [volume('ephemeral: { volumeClaimTemplate: {} }'), 'persistentvolumeclaims (via ephemeral volumes)'],
    [projected('secret: { name: s }'), 'secrets'],
    [projected('serviceAccountToken: { path: t }'), 'serviceaccounts (via projected volumes)'],
    [projected('clusterTrustBundle: { name: b, path: ca.pem }'), 'clustertrustbundles'],
  ] as const;

  it.each(references)('rejects a reference to the API in v1.36, and accepts it in v1.20: %s', (text, kind) => {
    expect(() => parseStaticPod(text, options)).toThrow(new Error(`static pods may not reference ${kind}`));
    expect(parseStaticPod(text, { ...options, profile: 'v1.20' }).metadata.name).toBe('a-node-1');
  });

  it('accepts volumes that need no API', () => {
    expect(parseStaticPod(volume('hostPath: { path: /tmp }'), options).spec.volumes).toHaveLength(1);
    expect(parseStaticPod(projected('downwardAPI: { items: [] }'), options).spec.volumes).toHaveLength(1);
  });

  it('identifies a pod only by its content in v1.20, and sets its self link', () => {
    const read = (text: string, more: object = {}) =>
      parseStaticPod(text, { ...options, profile: 'v1.20', ...more }).metadata;
    expect(read(manifest('web')).uid).toBe(
      read(manifest('web'), { path: '/manifests/other.yaml', nodeName: 'node-2' }).uid,
    );
    expect(read(manifest('web')).uid).not.toBe(read(manifest('web', 'busybox:2')).uid);
    expect(read(manifest('web'))).toMatchObject({ selfLink: '/api/v1/namespaces/default/pods/web-node-1' });
    expect(parseStaticPod(manifest('web'), options).metadata).not.toHaveProperty('selfLink');
  });

  it('parses JSON', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'app', image: 'x' }] },
    };
    expect(parseStaticPod(JSON.stringify(pod), options).metadata.name).toBe('web-node-1');
  });

  it.each([
    ['', 'expected one Pod in the file, found 0 objects'],
    [`${manifest('a')}---\n${manifest('b')}`, 'expected one Pod in the file, found 2 objects'],
    ['apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }', 'expected a Pod, found a ConfigMap'],
    [
      'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: app }] }',
      'invalid pod: line 4: spec.containers[0].image: Required value',
    ],
    ['a: [', 'invalid pod: yaml: line'],
    [
      manifest('a').replace('name: a ', 'name: a, uid: ../../../../tmp '),
      'metadata.uid "../../../../tmp" is not made of',
    ],
    [manifest('a').replace('name: a ', 'name: a, uid: a_b '), 'metadata.uid "a_b" is not made of'],
  ])('rejects %j', (text, message) => {
    expect(() => parseStaticPod(text, options)).toThrow(message);
  });
});

describe('ManifestDirectory', () => {
  let directory: string;
  let delivered: (readonly Pod[])[];
  let problems: string[];
  let watched: ManifestDirectory;

  const watchOptions = (): ManifestDirectoryOptions => ({
    directory,
    nodeName: 'node',
    onPods: (pods) => delivered.push(pods),
    onProblem: (path, message) => problems.push(`${path.slice(directory.length + 1)}: ${message}`),
  });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'podscope-manifests-'));
    delivered = [];
    problems = [];
    watched = new ManifestDirectory(watchOptions());
  });

  afterEach(async () => {
    await watched.close();
    await rm(directory, { recursive: true, force: true });
  });

  const names = (): readonly string[] | undefined => delivered.at(-1)?.map(({ metadata }) => metadata.name);
  const put = async (name: string, text: string): Promise<void> => {
    await writeFile(join(directory, `.${name}`), text);
    await rename(join(directory, `.${name}`), join(directory, name));
  };

  it('delivers the existing pods, and each change', async () => {
    await put('a.yaml', manifest('a'));
    await watched.start();
    expect(names()).toEqual(['a-node']);
    await put('b.json', manifest('b'));
    await vi.waitFor(() => expect(names()).toEqual(['a-node', 'b-node']), { timeout: 120_000 });
    await rm(join(directory, 'a.yaml'));
    await vi.waitFor(() => expect(names()).toEqual(['b-node']), { timeout: 120_000 });
  });

  it('delivers an empty list first, so that the kubelet counts the source as seen', async () => {
    await watched.start();
    expect(delivered).toEqual([[]]);
  });

  it('reports an invalid file, keeps the other pods, and keeps the pod of a file that is being edited', async () => {
    await put('a.yaml', manifest('a'));
    await put('b.yaml', 'nonsense: [');
    await watched.start();
    expect(names()).toEqual(['a-node']);
    expect(problems).toEqual([expect.stringMatching(/^b\.yaml: invalid pod: yaml: line/)]);
    await put('a.yaml', 'kind: Pod');
    await vi.waitFor(() => expect(problems).toHaveLength(2), { timeout: 120_000 });
    expect(names()).toEqual(['a-node']);
    await put('b.yaml', manifest('b'));
    await vi.waitFor(() => expect(names()).toEqual(['a-node', 'b-node']), { timeout: 120_000 });
  });

  it('delivers a file within a few milliseconds after it is renamed into place', async () => {
    await watched.start();
    const took: number[] = [];
    for (let index = 0; index < 20 && !took.some((each) => each < 50); index++) {
      const name = `pod-${index}`;
      await writeFile(join(directory, `.${name}`), manifest(name));
      const begun = performance.now();
      await rename(join(directory, `.${name}`), join(directory, `${name}.yaml`));
      await vi.waitFor(() => expect(names()).toContain(`${name}-node`), { timeout: 120_000, interval: 1 });
      took.push(performance.now() - begun);
    }
    // Check only the fastest delivery, because the machine may be busy with other tests. If the directory waited for a
    // pause of the writer, every delivery would take at least 100 ms.
    expect(Math.min(...took)).toBeLessThan(50);
    expect(problems).toEqual([]);
  });

  it('delivers a file of JSON that is written in place within a few milliseconds', async () => {
    const json = (name: string): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { containers: [{ name: 'app', image: 'busybox' }] },
      });
    await put('pod.json', json('pod'));
    await watched.start();
    const took: number[] = [];
    for (let index = 0; index < 20 && !took.some((each) => each < 50); index++) {
      const begun = performance.now();
      await writeFile(join(directory, 'pod.json'), json(`pod-${index}`));
      await vi.waitFor(() => expect(names()).toEqual([`pod-${index}-node`]), { timeout: 120_000, interval: 1 });
      took.push(performance.now() - begun);
    }
    expect(Math.min(...took)).toBeLessThan(50);
    expect(problems).toEqual([]);
  });

  describe('with a manifest that is written in two halves', () => {
    const halves = (half: number): readonly [string, string] => [
      blockManifest.slice(0, half),
      blockManifest.slice(half),
    ];
    const [first, second] = halves(blockManifest.indexOf('    command'));
    let file: string;

    // A settle time of 1 s is long compared with the pauses of 50 ms between writes, also on a busy machine.
    beforeEach(() => {
      watched = new ManifestDirectory({ ...watchOptions(), settleTime: 1_000 });
      file = join(directory, 'a.yaml');
    });

    /** Waits for the whole manifest. Returns how often pods were delivered, and the errors. */
    const outcome = async (): Promise<readonly [number, readonly string[]]> => {
      await vi.waitFor(() => expect(delivered.at(-1)?.[0]?.spec.containers[0]?.command).toEqual(['sleep', '1']), {
        timeout: 120_000,
      });
      return [delivered.length, problems];
    };

    it.each([
      ['the first is invalid', blockManifest.indexOf('containers')],
      ['the first ends inside a line', blockManifest.indexOf('.36')],
      ['both are valid', blockManifest.indexOf('    command')],
    ])(
      'delivers one pod and reports no error when its file is closed between the halves and %s',
      async (_case, half) => {
        const [head, rest] = halves(half);
        await watched.start();
        await writeFile(file, head);
        await delay(50);
        await appendFile(file, rest);
        expect(await outcome()).toEqual([2, []]);
      },
    );

    it('delivers one pod and reports no error while its file stays open', async () => {
      await watched.start();
      const handle = await open(file, 'w');
      await handle.write(first);
      await delay(50);
      await handle.write(second);
      await handle.close();
      expect(await outcome()).toEqual([2, []]);
    });

    it('delivers one change and reports no error when it replaces another', async () => {
      await put('a.yaml', manifest('a'));
      await watched.start();
      await writeFile(file, first);
      await delay(50);
      await appendFile(file, second);
      expect(await outcome()).toEqual([2, []]);
    });

    it('delivers one pod and reports no error when a process of another user writes it', async () => {
      await chmod(directory, 0o777);
      await watched.start();
      const script = 'printf %s "$1" > "$0"; sleep 0.05; printf %s "$2" >> "$0"';
      const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
      await promisify(execFile)('sh', ['-c', script, file, first, second], user);
      expect(await outcome()).toEqual([2, []]);
    });
  });

  it("applies the rules of the node's release", async () => {
    const text = manifest('a').replace('spec: {', 'spec: { imagePullSecrets: [{ name: s }],');
    await put('a.yaml', text);
    await watched.start();
    expect(problems).toEqual(['a.yaml: static pods may not reference secrets']);
    const earlier = new ManifestDirectory({
      directory,
      nodeName: 'node',
      profile: 'v1.20',
      onPods: (pods) => delivered.push(pods),
      onProblem: () => undefined,
    });
    await earlier.start();
    await earlier.close();
    expect(names()).toEqual(['a-node']);
  });

  it('reports a missing directory and delivers no pods', async () => {
    await rm(directory, { recursive: true });
    await watched.start();
    expect(delivered).toEqual([[]]);
    expect(problems).toEqual([expect.stringContaining('cannot be read')]);
  });
});
