/**
 * Tests kubectl's streams on the real Docker Engine: exec, attach, cp, port-forward, debug, followed logs and watches.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { get, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Kubectl,
  type KubectlBench,
  kubectlPaths,
  type Output,
  type RunOptions,
  shellPod,
  startKubectlBench,
} from './testing/kubectl.ts';

let bench: KubectlBench;

const counting = 'trap "exit 0" TERM; i=0; while true; do i=$((i+1)); echo line $i; sleep 0.2; done';
const serving =
  'mkdir /www; echo served > /www/index.html; head -c 300000 /dev/urandom | base64 > /www/large; exec httpd -f -p 8080 -h /www';
const echoing = 'while read line; do echo "got $line"; [ "$line" = end ] && exit 0; done';

beforeAll(async () => {
  bench = await startKubectlBench(['--runtime', 'docker']);
  await bench.file('counting.yaml', shellPod('counting', counting));
  await bench.file(
    'serving.yaml',
    shellPod('serving', serving).replace(
      '      command:',
      '      ports: [{ name: http, containerPort: 8080 }]\n      command:',
    ),
  );
  const terminal = shellPod('terminal', 'exec sh').replace(
    '      command:',
    '      stdin: true\n      tty: true\n      command:',
  );
  await bench.file('terminal.yaml', terminal);
  await bench.file(
    'echoing.yaml',
    shellPod('echoing', echoing).replace('      command:', '      stdin: true\n      command:'),
  );
});
afterAll(() => bench.dispose());

const bodyOf = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      response.on('error', reject);
    }).on('error', reject);
  });

describe.each(kubectlPaths.map((path, index) => [path, index] as const))('%s', (_path, index) => {
  const kubectl = (): Kubectl => {
    const found = bench.kubectls[index];
    if (!found) throw new Error('there is no such kubectl');
    return found;
  };
  const run = (args: readonly string[], options?: RunOptions): Promise<Output> => kubectl().run(args, options);
  const ok = async (args: readonly string[], options?: RunOptions): Promise<string> => {
    const { code, stdout, stderr } = await run(args, options);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  };
  /** Starts a program and collects its output. The program is stopped with the test. */
  const follow = (
    args: readonly string[],
  ): { readonly text: () => string; readonly child: ChildProcessWithoutNullStreams; stop(): Promise<void> } => {
    const child = kubectl().start(args);
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    return {
      text: () => text,
      child,
      stop: () => {
        child.kill('SIGINT');
        return ended;
      },
    };
  };

  /** Starts kubectl in a terminal with a height of 33 lines. */
  const onTerminal = (
    args: string,
  ): {
    readonly child: ChildProcessWithoutNullStreams;
    readonly text: () => string;
    /** Asks the terminal for its size and returns the output so far. */
    readonly askedSize: () => string;
    readonly code: Promise<number | null>;
  } => {
    const { program, environment } = kubectl();
    const child = spawn('script', ['-qec', `stty rows 33 cols 111; '${program}' ${args}`, '/dev/null'], {
      env: environment,
    });
    child.stdin.on('error', () => undefined);
    const code = new Promise<number | null>((resolve) => child.once('close', resolve));
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    const askedSize = (): string => {
      child.stdin.write('stty size\r');
      return text;
    };
    return { child, text: () => text, askedSize, code };
  };

  beforeAll(async () => {
    const names = ['counting', 'serving', 'echoing', 'terminal'];
    for (const name of names) await ok(['apply', '-f', `${name}.yaml`]);
    await ok(['wait', '--for=condition=Ready', ...names.map((name) => `pod/${name}`), '--timeout=240s']);
  });

  describe('exec', () => {
    it('runs a command and returns its exit code', async () => {
      expect(await run(['exec', 'counting', '--', 'sh', '-c', 'echo out; echo err >&2; exit 7'])).toMatchObject({
        code: 7,
        stdout: 'out\n',
        stderr: expect.stringContaining('err\n'),
      });
    });

    it('sends all of its input', async () => {
      const text = randomBytes(200_000).toString('base64');
      expect(await ok(['exec', '-i', 'counting', '-c', 'app', '--', 'md5sum'], { stdin: text })).toMatch(
        /^[0-9a-f]{32} {2}-\n$/,
      );
      expect(await ok(['exec', '-i', 'counting', '--', 'cat'], { stdin: text })).toBe(text);
    });

    it('reports commands, pods and containers that do not exist', async () => {
      expect((await run(['exec', 'counting', '--', 'no-such-program'])).code).toBeGreaterThan(0);
      expect((await run(['exec', 'nobody', '--', 'true'])).stderr).toContain('pods "nobody" not found');
      expect((await run(['exec', 'counting', '-c', 'nobody', '--', 'true'])).stderr).toContain(
        'container nobody is not valid for pod counting',
      );
    });

    it('provides a terminal and its size', async () => {
      const { child, text, askedSize, code } = onTerminal('exec -it counting -- sh');
      await expect.poll(text).toContain('# ');
      // The engine sets the size with a request of its own.
      await expect.poll(askedSize).toMatch(/^33 111\r$/m);
      child.stdin.write('tty; exit 5\r');
      expect(await code).toBe(5);
      expect(text()).toMatch(/\/dev\/pts\/\d/);
    });
  });

  it('cp copies in both directions', async () => {
    const content = randomBytes(300_000);
    await writeFile(join(bench.folder, `there-${index}`), content);
    await ok(['cp', `there-${index}`, 'counting:/tmp/copied']);
    await ok(['cp', 'counting:/tmp/copied', `back-${index}`]);
    expect((await readFile(join(bench.folder, `back-${index}`))).equals(content)).toBe(true);
  });

  it('attach connects to the main process in both directions', async () => {
    const attached = follow(['attach', '-i', 'echoing']);
    attached.child.stdin.write('one\n');
    await expect.poll(attached.text).toContain('got one');
    attached.child.stdin.write('end\n');
    await expect.poll(attached.text).toContain('got end');
    await attached.stop();
    await expect
      .poll(() => ok(['get', 'pod', 'echoing', '-o', 'jsonpath={.status.containerStatuses[0].restartCount}']), {
        timeout: 120_000,
      })
      .not.toBe('0');
  });

  it('attach -it connects to the terminal of the main process with its size', async () => {
    const { child, askedSize, code } = onTerminal('attach -it terminal');
    await expect.poll(askedSize).toMatch(/^33 111\r$/m);
    child.stdin.write('exit\r');
    expect(await code).toBe(0);
  });

  it('run -i --rm attaches to the new pod and deletes it afterwards', async () => {
    const args = [
      'run',
      'once',
      '--image=busybox:1.36',
      '--image-pull-policy=IfNotPresent',
      '--restart=Never',
      '-i',
      '--rm',
      '--command',
      '--',
    ];
    expect(await ok([...args, 'sh', '-c', 'cat; echo done'], { stdin: 'typed\n' })).toMatch(
      /typed\n[^]*done\n[^]*pod "once" deleted/,
    );
    expect((await run(['get', 'pod', 'once'])).code).toBe(1);
  });

  it('port-forward carries several connections at a time', async () => {
    const forward = follow(['port-forward', 'pod/serving', ':http']);
    await expect.poll(forward.text).toMatch(/Forwarding from 127\.0\.0\.1:\d+ -> 8080/);
    const port = /127\.0\.0\.1:(\d+)/.exec(forward.text())?.[1];
    expect(await bodyOf(`http://127.0.0.1:${port}/`)).toBe('served\n');
    const sizes = await Promise.all(
      [1, 2, 3, 4].map(async () => (await bodyOf(`http://127.0.0.1:${port}/large`)).length),
    );
    expect(new Set(sizes).size).toBe(1);
    expect(sizes[0]).toBeGreaterThan(400_000);
    await forward.stop();
  });

  it('debug adds a container that sees the processes of its target', async () => {
    const command = kubectl().minor < 22 ? ['alpha', 'debug'] : ['debug'];
    const options = ['--image=busybox:1.36', '--image-pull-policy=IfNotPresent', '--target=app', '-c', 'looker'];
    await ok([...command, 'counting', ...options, '--', 'sh', '-c', 'ps; sleep 3600']);
    await expect.poll(async () => (await run(['logs', 'counting', '-c', 'looker'])).stdout).toContain('echo line');
    expect(
      await ok(['get', 'pod', 'counting', '-o', 'jsonpath={.spec.ephemeralContainers[0].targetContainerName}']),
    ).toBe('app');
  });

  it('debug --copy-to creates a copy of the pod', async () => {
    const command = kubectl().minor < 22 ? ['alpha', 'debug'] : ['debug'];
    const options = [
      '--copy-to=copied',
      '--image=busybox:1.36',
      '--image-pull-policy=IfNotPresent',
      '--share-processes',
      '-c',
      'looker',
    ];
    await ok([...command, 'counting', ...options, '--', 'sleep', '3600']);
    await ok(['wait', '--for=condition=Ready', 'pod/copied', '--timeout=240s']);
    expect(
      await ok(['get', 'pod', 'copied', '-o', 'jsonpath={.spec.containers[*].name} {.spec.shareProcessNamespace}']),
    ).toBe('app looker true');
    await ok(['delete', 'pod', 'copied', '--now']);
  });

  it('logs --since and --since-time omit older lines', async () => {
    const lines = async (...since: readonly string[]): Promise<readonly string[]> =>
      (await ok(['logs', 'counting', '-c', 'app', ...since])).split('\n');
    expect((await lines('--since=1h'))[0]).toBe('line 1');
    const [stamp = ''] = (await lines('--tail=5', '--timestamps'))[0]?.split(' ') ?? [];
    const later = await lines(`--since-time=${stamp}`);
    expect(later.length).toBeGreaterThan(3);
    expect(later).not.toContain('line 1');
    // On a busy machine the container writes few lines in two seconds.
    await expect.poll(async () => (await lines('--since=2s')).length).toBeGreaterThan(3);
    expect(await lines('--since=2s')).not.toContain('line 1');
  });

  it('logs -f follows until it is stopped', async () => {
    const logs = follow(['logs', '-f', 'counting', '-c', 'app', '--tail=1', '--timestamps']);
    await expect.poll(() => logs.text().split('\n').length).toBeGreaterThan(5);
    const numbers = [...logs.text().matchAll(/^\S+Z line (\d+)$/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, position) => (numbers[0] ?? 0) + position));
    await logs.stop();
  });

  it('logs -f ends with the container', async () => {
    await bench.file(
      `short-${index}.yaml`,
      shellPod('short', 'echo begin; sleep 1; echo end', '  restartPolicy: Never\n'),
    );
    await ok(['apply', '-f', `short-${index}.yaml`]);
    await expect.poll(async () => (await run(['logs', 'short'])).stdout).toContain('begin');
    expect(await ok(['logs', '-f', 'short'])).toBe('begin\nend\n');
  });

  it('get -w and wait receive every change', async () => {
    const watch = follow(['get', 'pod', 'watched', '-w', '--ignore-not-found']);
    const all = follow(['get', 'pods', '-w', '--output-watch-events', '-l', 'app=watched']);
    // The watch has begun when it shows a pod.
    const pod = shellPod('before', 'sleep 3600').replace('app: before', 'app: watched');
    await bench.file(`before-${index}.yaml`, pod);
    await ok(['create', '-f', `before-${index}.yaml`]);
    await expect.poll(all.text).toContain('before');
    await ok(['delete', 'pod', 'before', '--now']);
    await bench.file('watched.yaml', shellPod('watched', 'sleep 3600'));
    await ok(['create', '-f', 'watched.yaml']);
    await ok(['wait', '--for=condition=Ready', 'pod/watched', '--timeout=240s']);
    await ok(['label', 'pod', 'watched', 'app-']);
    await expect.poll(all.text).toMatch(/ADDED +watched[^]*MODIFIED +watched +1\/1 +Running[^]*DELETED +watched/);
    await Promise.all([all.stop(), watch.stop(), ok(['delete', 'pod', 'watched', '--now'])]);
  });

  it('get reports a deleted namespace as not found', async () => {
    // Running pods remain in the namespace when it is deleted.
    await ok(['delete', 'namespace', kubectl().namespace]);
    expect((await run(['get', 'namespace', kubectl().namespace])).stderr).toContain('not found');
    expect(await ok(['get', 'pods,configmaps,secrets', '-o', 'name'])).toBe('');
  });
});

describe('access checks of streams', () => {
  const upgrade = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port: bench.server.port,
        method: 'POST',
        path: '/api/v1/namespaces/default/pods/x/exec?command=id&stdout=1',
        headers: {
          Connection: 'Upgrade',
          Upgrade: 'SPDY/3.1',
          'X-Stream-Protocol-Version': 'v4.channel.k8s.io',
          ...headers,
        },
      });
      sent.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end();
    });

  it.each([
    ['no token', {}, 401],
    ['another origin', { Origin: 'http://evil.example' }, 403],
    ['another host', { Host: 'evil.example' }, 421],
  ])('rejects a stream with %s', async (_name, headers, status) => {
    const token: Record<string, string> = status === 401 ? {} : { Authorization: `Bearer ${bench.server.token}` };
    expect(await upgrade({ ...token, ...headers })).toBe(status);
  });
});
