/**
 * Runs the package as users do: from an empty directory without a repository, and with a home directory that can't be
 * written. Uses the tests' own Node.js; the long tests also use the oldest supported version.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stagePackage } from './build-package.ts';

const run = promisify(execFile);

let directory: string;
/** The directory into which npm unpacked the package, and an empty working directory. */
let installed: string;
let empty: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-package-test-'));
  installed = join(directory, 'node_modules/podscope');
  empty = join(directory, 'empty');
  await mkdir(empty);
  await stagePackage(installed, () => undefined);
}, 300_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

/** `/dev/null` as the home directory, because no directory can be created below a device. */
const environment = { PATH: process.env['PATH'], HOME: '/dev/null', TMPDIR: tmpdir() };

const oldest = process.env['PODSCOPE_OLDEST_NODE'];
const versions = [process.execPath, ...(oldest === undefined ? [] : [oldest])];

const pod = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { restartPolicy: Never, containers: [{ name: app, image: 'busybox:1.36', command: [sh, -c, exit 3] }] }
`;

describe.each(versions)('the package on %s', (node) => {
  const podscope = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    run(node, [join(installed, 'bin/podscope.cjs'), ...args], { cwd: empty, env: environment });

  it('prints its commands as npx calls them, and its version', async () => {
    const { stdout } = await podscope('--help');
    expect(stdout).toContain('Usage: npx podscope COMMAND');
    expect(stdout).not.toContain('pnpm');
    expect((await podscope('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('prints help with examples for every command', async () => {
    const { stdout } = await podscope('--help');
    const names = [...stdout.matchAll(/^ {2}(?<name>[a-z:-]+)/gm)].map(({ groups }) => groups?.['name'] ?? '');
    expect(names).toContain('start');
    const texts = await Promise.all(names.map(async (name) => (await podscope(name, '--help')).stdout));
    for (const text of texts) {
      expect(text).toContain('Examples:\n  #');
      expect(text).not.toContain('pnpm');
    }
  });

  it('loads the client of a cluster, and reports a missing kubeconfig in one line', async () => {
    await expect(podscope('why', 'web', '--kubeconfig', join(empty, 'nowhere'))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^kubectl podscope: --kubeconfig \S+nowhere: [^\n]+\n$/) as string,
    });
  });

  it('runs a pod in the simulator and explains what it recorded', async () => {
    const manifest = join(directory, 'pod.yaml');
    const recording = join(directory, 'run.podscope');
    await writeFile(manifest, pod);
    const { stdout } = await podscope('run', manifest, '--runtime', 'sim', '--until', 'failed', '--record', recording);
    expect(stdout).toContain('container app 0 exited with code 3');
    expect((await podscope('explain', recording)).stdout).toContain('web');
  });

  it('serves the page, whose files are all in the package, without a home directory', async () => {
    const server = spawn(node, [join(installed, 'bin/podscope.cjs'), '--runtime', 'sim', '--port', '0'], {
      cwd: empty,
      env: environment,
    });
    let output = '';
    let errors = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    try {
      const address = await new Promise<URL>((found, fail) => {
        server.stdout.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          const [url] = /http:\S+/.exec(stripVTControlCharacters(output)) ?? [];
          if (url !== undefined && output.includes('Ctrl+C')) found(new URL(url));
        });
        server.once('exit', (code: number | null) => fail(new Error(`exit code ${code}: ${errors}`)));
      });
      const token = address.searchParams.get('token') ?? '';
      const get = (path: string): Promise<Response> =>
        fetch(new URL(path, address), { headers: { Authorization: `Bearer ${token}` } });
      const page = await (await get('/')).text();
      // The static site has its own engine, but a server's page must not start an engine.
      expect(page).not.toContain('engine.js');
      const files = [...page.matchAll(/(?:src|href)="(?<file>\.\/[^"]+)"/g)].map(
        ({ groups }) => groups?.['file'] ?? '',
      );
      expect(files.length).toBeGreaterThan(3);
      for (const file of files) expect({ file, status: (await get(file)).status }).toEqual({ file, status: 200 });
    } finally {
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
      const [, state] = /state is kept in (\S+)/.exec(errors) ?? [];
      if (state !== undefined) await rm(state, { recursive: true, force: true });
    }
    expect(errors).toMatch(/cannot be written: state is kept in/);
    expect(server.exitCode).toBe(0);
  });

  it('checks lessons, also those that show a recording, and reports a mistake with its line', async () => {
    const text = await readFile(join(installed, 'lessons/en/dockershim-and-cri.md'), 'utf8');
    expect(text).toContain('recording: one-container-on-docker');
    const file = join(directory, 'own.md');
    await writeFile(file, text);
    expect((await podscope('lessons', 'check', file)).stdout).toBe('1 file is correct.\n');
    await writeFile(file, text.replace('recording: one-container-on-docker', 'recording: nowhere'));
    await expect(podscope('lessons', 'check', file)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/own\.md:\d+: .*nowhere/) as string,
    });
  });

  it('copies the static site for build:site', async () => {
    const site = join(directory, `site-${versions.indexOf(node)}`);
    await podscope('build:site', '--out', site);
    expect(await readdir(site)).toEqual(expect.arrayContaining(['index.html', 'sw.js', 'assets']));
  });
});

it('rejects an old Node with one line', async () => {
  const program = await readFile(join(installed, 'bin/podscope.cjs'), 'utf8');
  const old = join(directory, 'old.cjs');
  await writeFile(old, program.replace(/^#!.*/, "Object.defineProperty(process, 'version', { value: 'v20.11.1' });"));
  await expect(run(process.execPath, [old])).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'podscope: Node v20.11.1 is not supported: install Node 22.13 or newer\n',
  });
});

it('has no dependencies, contains licenses and notices, and of sources only those of the engine', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).toMatchObject({ name: 'podscope', license: 'Apache-2.0', engines: { node: '>=22.13' } });
  // Check that `files` in package.json names everything in the package, because npm packs only these files.
  const entries = (await readdir(installed)).filter((name) => name !== 'package.json');
  expect(manifest['files']).toEqual(expect.arrayContaining(entries));
  const files = await readdir(installed, { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'NOTICE', 'THIRD-PARTY-NOTICES.txt', 'README.md']));
  // The engine's source files must be included, because editors show them at a stop.
  const isEngine = (file: string): boolean => /^engine\/packages\/\w[\w-]*\/src\/.*(?<!\.test)\.ts$/.test(file);
  const unwanted = files.filter((file) => /\.(?:map|ts|tsx)$|\.test\.|(?:^|\/)\./.test(file));
  expect(unwanted.filter((file) => !isEngine(file))).toEqual([]);
  const notices = await readFile(join(installed, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const name of ['express', 'dockerode', 'react', 'ws', 'zod'])
    expect(notices).toMatch(new RegExp(`^${name}@`, 'm'));
});
