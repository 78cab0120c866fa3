/** The real kubectl against a server on the real Docker engine: what a person types, and what comes back. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './testing/test-server.ts';

/** Paths of the kubectls to try, as the test command found them. */
const kubectls = (process.env.PODSCOPE_TEST_KUBECTL ?? 'kubectl').split(':');

interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let server: TestServer;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'podscope-kubectl-'));
  server = await startTestServer(['--runtime', 'docker']);
});
afterAll(async () => {
  await server.dispose();
  await rm(home, { recursive: true, force: true });
});

const manifest = (name: string, command: string, more = ''): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels: { app: ${name} }
spec:
  terminationGracePeriodSeconds: 2
${more}  containers:
    - name: app
      image: busybox:1.36
      imagePullPolicy: IfNotPresent
      command: [sh, -c, ${JSON.stringify(command)}]
`;

const file = async (name: string, text: string): Promise<string> => {
  const path = join(home, name);
  await writeFile(path, text);
  return path;
};

describe.each(kubectls)('%s', (program) => {
  /** Discovery is cached by address: each program has a home of its own. */
  const kubectl = (...args: string[]): Promise<Output> =>
    new Promise((resolve, reject) => {
      const environment = { ...process.env, KUBECONFIG: server.kubeconfigPath, HOME: join(home, String(kubectls.indexOf(program))) };
      execFile(program, args, { env: environment, timeout: 60_000 }, (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(error);
        else resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      });
    });
  const ok = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await kubectl(...args);
    expect(`${code} ${stderr.replace(/^(W\d|Warning:|warning:).*\n/gm, '')}`).toBe('0 ');
    return stdout;
  };

  const refusal = async (name: string, text: string): Promise<string> => (await kubectl('create', '-f', await file(name, text))).stderr;

  it('applies, watches, describes, reads the log of and deletes a pod', async () => {
    const path = await file('web.yaml', manifest('web', 'trap "exit 0" TERM; echo hello from the pod; while true; do sleep 0.1; done'));
    expect(await ok('apply', '-f', path)).toBe('pod/web created\n');
    expect(await ok('apply', '-f', path)).toBe('pod/web unchanged\n');
    await ok('wait', '--for=condition=Ready', 'pod/web', '--timeout=60s');
    expect(await ok('get', 'pod', 'web', '-o', 'wide')).toMatch(
      /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE .*\nweb +1\/1 +Running +0 +\d+s +\d+\.\d+\.\d+\.\d+ +podscope +<none> +<none>\n/,
    );
    expect(await ok('get', 'pod', 'web', '-o', 'jsonpath={.status.containerStatuses[0].containerID}')).toMatch(/^docker:\/\/[0-9a-f]{64}$/);
    expect(await ok('logs', 'web')).toBe('hello from the pod\n');
    expect(await ok('logs', 'web', '--timestamps', '--tail=1')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z hello from the pod\n$/);
    const described = await ok('describe', 'pod', 'web');
    expect(described).toMatch(/Status: +Running/);
    for (const reason of ['Created', 'Started']) expect(described).toMatch(new RegExp(`Normal +${reason} +.*kubelet`));
    expect(await ok('get', 'events', '--field-selector', 'involvedObject.name=web,reason=Started', '-o', 'name')).toMatch(/^event\/web\./);
    expect(await ok('delete', 'pod', 'web')).toMatch(/^pod "web" deleted/);
    expect((await kubectl('get', 'pod', 'web')).stderr).toBe('Error from server (NotFound): pods "web" not found\n');
  });

  it('shows a crash loop and the log of the instance before', async () => {
    await ok('create', '-f', await file('crash.yaml', manifest('crash', 'echo about to fail; exit 3')));
    await expect
      .poll(() => ok('get', 'pod', 'crash', '--no-headers'), { timeout: 90_000, interval: 500 })
      .toMatch(/^crash +0\/1 +CrashLoopBackOff +[1-9]\d* \(\d+s ago\)/);
    expect(await ok('logs', 'crash', '--previous')).toBe('about to fail\n');
    expect(await ok('get', 'pod', 'crash', '-o', 'jsonpath={.status.containerStatuses[0].lastState.terminated.exitCode}')).toBe('3');
    await ok('delete', 'pod', 'crash', '--grace-period=0', '--force');
  });

  it('labels, patches and edits, and is refused what may not change', async () => {
    await ok('create', '-f', await file('edit.yaml', manifest('edit', 'sleep 3600')));
    await ok('label', 'pod', 'edit', 'colour=red');
    await ok('annotate', 'pod', 'edit', 'note=kept');
    await ok('patch', 'pod', 'edit', '--type=merge', '-p', '{"metadata":{"labels":{"colour":null}}}');
    await ok('patch', 'pod', 'edit', '--type=json', '-p', '[{"op":"add","path":"/metadata/labels/shape","value":"round"}]');
    await ok('patch', 'pod', 'edit', '-p', '{"metadata":{"labels":{"size":"s"}}}');
    expect(await ok('get', 'pods', '-l', 'shape=round,size in (s),!colour', '-o', 'name')).toBe('pod/edit\n');
    const refused = await kubectl('patch', 'pod', 'edit', '-p', '{"spec":{"hostname":"other"}}');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The Pod "edit" is invalid: spec: Forbidden: pod updates may not change fields other than'),
    });
    await ok('delete', 'pods', '-l', 'app=edit', '--wait=false');
  });

  it('is told why a manifest is refused', async () => {
    expect(await refusal('image.yaml', manifest('image', 'true').replace('image: busybox:1.36', 'image: ""'))).toBe(
      'The Pod "image" is invalid: spec.containers[0].image: Required value\n',
    );
    expect(await refusal('field.yaml', manifest('field', 'true', '  colour: red\n'))).toContain('unknown field');
    expect(await refusal('host.yaml', manifest('host', 'true', '  hostNetwork: true\n'))).toMatch(
      /^Error from server \(Forbidden\): .*pods "host" is forbidden: violates PodSecurity .*--allow-host-namespaces/,
    );
  });

  it('handles config maps, secrets and namespaces', async () => {
    expect(await ok('create', 'configmap', 'settings', '--from-literal=a=b')).toBe('configmap/settings created\n');
    expect(await ok('create', 'secret', 'generic', 'login', '--from-literal=password=x')).toBe('secret/login created\n');
    expect(await ok('create', 'namespace', 'team')).toBe('namespace/team created\n');
    expect(await ok('get', 'configmaps,secrets')).toMatch(/configmap\/settings +1 .*\n[^]*secret\/login +Opaque +1 /);
    expect(await ok('get', 'nodes', '--no-headers')).toMatch(/^podscope +Ready /);
    await ok('delete', 'configmap/settings', 'secret/login', 'namespace/team');
    expect((await kubectl('get', 'namespace', 'team')).code).toBe(1);
  });
});
