/**
 * Builds the image and runs the services of both compose files as `docker compose` would. The base image contains this
 * machine's Node.js, because the test can't pull an image.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chown, cp, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const exec = promisify(execFile);
const files = join(import.meta.dirname, '../../image');

const docker = async (...args: readonly string[]): Promise<string> =>
  (await exec('docker', [...args], { maxBuffer: 16 << 20 })).stdout.trim();

/** The fields of the compose files. Other fields are rejected, because this test would ignore them. */
const serviceSchema = z.strictObject({
  image: z.string(),
  command: z.array(z.string()),
  init: z.literal(true),
  user: z.string().optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  network_mode: z.string(),
  read_only: z.literal(true),
  tmpfs: z.array(z.string()),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  environment: z.record(z.string(), z.string()).optional(),
  healthcheck: z.strictObject({ test: z.tuple([z.literal('CMD')]).rest(z.string()), interval: z.string() }).optional(),
  volumes: z.array(z.string()),
});
type Service = z.infer<typeof serviceSchema>;
const composeSchema = z.strictObject({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.null()).optional(),
});

const id = randomUUID().slice(0, 8);
const base = `podscope-test/node:${id}`;
const tag = `podscope-test/image:${id}`;
const socket = (process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock').replace('unix://', '');
const owner = 65_532;

let directory: string;

/** Builds a base image with this process's Node.js, its libraries and a shell. */
async function makeBase(): Promise<void> {
  const root = join(directory, 'base');
  for (const name of ['bin', 'usr/bin', 'etc', 'tmp', 'var/lib', 'run', 'proc', 'sys', 'dev'])
    await mkdir(join(root, name), { recursive: true });
  await cp('/bin/busybox', join(root, 'bin/busybox'));
  for (const name of ['sh', 'mkdir', 'cat', 'touch']) await symlink('busybox', join(root, 'bin', name));
  await cp(process.execPath, join(root, 'usr/bin/node'));
  const { stdout } = await exec('ldd', [process.execPath]);
  for (const [library] of stdout.matchAll(/\/\S+/g)) {
    await mkdir(dirname(join(root, library)), { recursive: true });
    await cp(await realpath(library), join(root, library));
  }
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  const archive = join(directory, 'base.tar');
  await exec('tar', ['--numeric-owner', '--owner=0', '--group=0', '-C', root, '-cf', archive, '.']);
  await docker('import', '--change', 'ENV PATH=/usr/bin:/bin', archive, base);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-image-test-'));
  await makeBase();
  const main = join(import.meta.dirname, '../main.ts');
  await exec(process.execPath, [main, 'build:image', '--tag', tag, '--base', base], {
    maxBuffer: 16 << 20,
    // Keep npm's cache in the directory of this test.
    env: { ...process.env, TMPDIR: directory },
  });
}, 300_000);
afterAll(async () => {
  await docker('image', 'rm', '--force', tag, base);
  await docker('image', 'prune', '--force', '--filter', 'label=io.podscope.stage=package');
  await rm(directory, { recursive: true, force: true });
}, 60_000);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Replaces `${NAME:-default}` and `${NAME:?message}`, as compose does. */
const substitute = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{(\w+)(?::[-?][^}]*)?\}/g, (_, name: string) => values[name] ?? '');

/** Returns the arguments of `docker run` for a service. */
const runArguments = (name: string, service: Service): readonly string[] => [
  '--detach',
  '--init',
  '--read-only',
  '--name',
  name,
  '--network',
  service.network_mode,
  ...(service.user === undefined ? [] : ['--user', service.user]),
  ...service.tmpfs.flatMap((path) => ['--tmpfs', path]),
  ...service.cap_drop.flatMap((capability) => ['--cap-drop', capability]),
  ...service.security_opt.flatMap((option) => ['--security-opt', option]),
  ...Object.entries(service.environment ?? {}).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
  ...service.volumes.flatMap((volume) => ['--volume', volume]),
  ...(service.healthcheck
    ? [
        '--health-cmd',
        `node -e "${service.healthcheck.test.at(-1)}"`,
        '--health-interval',
        service.healthcheck.interval,
      ]
    : []),
];

const healthOf = (name: string): Promise<string> => docker('inspect', '--format', '{{.State.Health.Status}}', name);

interface Running {
  readonly podscope: string;
  readonly get: (path: string, init?: RequestInit) => Promise<Response>;
}

/** Runs the services of a compose file. */
async function up(file: string): Promise<Running> {
  const state = await mkdtemp(join(directory, 'state-'));
  await chown(state, owner, owner);
  const port = await freePort();
  const token = randomUUID();
  const values = { PODSCOPE_IMAGE: tag, PODSCOPE_TOKEN: token, DOCKER_GID: String((await stat(socket)).gid) };
  const text = substitute(await readFile(join(files, file), 'utf8'), values)
    .replaceAll('/var/run/docker.sock:/var/run/docker.sock', `${socket}:/var/run/docker.sock`)
    .replaceAll('/var/lib/podscope:/var/lib/podscope', `${state}:${state}`)
    .replaceAll(/\bsocket:\/run/g, `podscope-test-${id}:/run`);
  const { services } = composeSchema.parse(parse(text));
  const started: string[] = [];
  onTestFinished(async () => {
    for (const name of started.toReversed()) {
      await docker('stop', '--time', '30', name);
      await docker('rm', '--force', '--volumes', name);
    }
    await docker('volume', 'rm', '--force', `podscope-test-${id}`);
  });
  for (const [name, service] of Object.entries(services)) {
    const container = `podscope-test-${id}-${name}`;
    const own = name === 'podscope' ? ['--port', String(port), '--state-dir', state] : [];
    started.push(container);
    await docker(
      'run',
      ...runArguments(container, service),
      '--env',
      `PODSCOPE_HEALTH_PORT=${port}`,
      service.image,
      ...service.command,
      ...own,
    );
    await expect.poll(() => healthOf(container), { timeout: 60_000 }).toBe('healthy');
  }
  return {
    podscope: `podscope-test-${id}-podscope`,
    get: (path, init) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      }),
  };
}

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: {
    terminationGracePeriodSeconds: 1,
    volumes: [{ name: 'data', emptyDir: {} }],
    containers: [
      {
        name: 'app',
        image: 'busybox:1.36',
        command: ['sh', '-c', 'echo written > /data/file; sleep 600'],
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
    ],
  },
};

describe.each([
  { file: 'compose.yaml', engine: '/var/run/docker.sock', volumes: '200', hasEngineSocket: 'true' },
  { file: 'compose.proxy.yaml', engine: '/run/podscope/docker.sock', volumes: '403', hasEngineSocket: 'false' },
])('the image with $file', ({ file, engine, volumes, hasEngineSocket }) => {
  it('runs pods as an ordinary user with a read-only file system, and removes them at the end', async () => {
    const { podscope, get } = await up(file);
    const pods = '/api/v1/namespaces/default/pods';
    expect((await get(pods, { method: 'POST', body: JSON.stringify(pod) })).status).toBe(201);
    const phase = async (): Promise<string | undefined> =>
      ((await (await get(`${pods}/web`)).json()) as { readonly status?: { readonly phase?: string } }).status?.phase;
    await expect.poll(phase, { timeout: 60_000 }).toBe('Running');

    expect(await docker('exec', podscope, 'cat', '/proc/1/status')).toMatch(/^Uid:\s+65532\s+65532/m);
    await expect(docker('exec', podscope, 'touch', '/opt/podscope/x')).rejects.toThrow('Read-only file system');
    const evaluate = (code: string): Promise<string> => docker('exec', podscope, 'node', '-e', code);
    // The proxy rejects the request, because Podscope never lists volumes.
    const list =
      `require('http').get({ socketPath: '${engine}', path: '/volumes' }, ` +
      '(response) => response.resume().on("end", () => ' +
      'process.stdout.write(`${response.statusCode}`, () => process.exit())))';
    expect(await evaluate(list)).toBe(volumes);
    expect(await evaluate("console.log(require('fs').existsSync('/var/run/docker.sock'))")).toBe(hasEngineSocket);

    await docker('stop', '--time', '60', podscope);
    expect(await docker('inspect', '--format', '{{.State.ExitCode}}', podscope)).toBe('0');
  });
});

it('runs without Docker in the simulator, and reports its health', async () => {
  const container = `podscope-test-${id}-sim`;
  onTestFinished(async () => void (await docker('rm', '--force', '--volumes', container)));
  await docker(
    'run',
    '--detach',
    '--init',
    '--read-only',
    '--tmpfs',
    '/tmp',
    '--network',
    'none',
    '--name',
    container,
    tag,
  );
  await expect.poll(() => healthOf(container), { timeout: 60_000 }).toBe('healthy');
  expect(await docker('logs', container)).toContain('http://127.0.0.1:4400/?token=');
});
