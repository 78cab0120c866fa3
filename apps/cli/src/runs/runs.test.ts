import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { protocolVersion } from '@podscope/protocol';
import { EventStore } from '@podscope/server/runs';
import { type TraceEvent, toJson } from '@podscope/trace';
import { bytesOf, loadTraceFile, type RunInfo, traceFileVersion, writeTraceFile } from '@podscope/trace/file';
import { crashLoop } from '@podscope/trace/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { shortRun } from './run-source.ts';
import { podscope } from './testing/in-process.ts';

const actionsSchema = z.object({ pods: z.record(z.string(), z.object({ manifest: z.unknown() })) });
const oneStep = z.object({ action: z.string(), attempt: z.number(), reason: z.string().optional() }).nullish();
const stepSchema = z.object({ before: oneStep, after: oneStep, difference: z.string().nullish() });
const main = join(import.meta.dirname, '..', 'main.ts');
let directory: string;
const cwd = process.cwd();

const info = (id: string, title?: string): RunInfo => ({
  id,
  title,
  tags: [],
  notes: [],
  startedAt: Date.UTC(2026, 0, 5, 9),
  nodeName: 'node',
  runtime: { name: 'docker', version: '20.10', kind: 'docker' },
  profile: 'v1.36',
  engine: 'v1.36.2',
  steps: [],
});

async function writeFileOf(path: string, run: RunInfo, events: readonly TraceEvent[]): Promise<void> {
  const file = writeTraceFile(
    { format: 'podscope-trace', version: traceFileVersion, createdBy: 'test', createdAt: 0, run },
    events,
  );
  await pipeline(Readable.from(bytesOf(file)), createWriteStream(path));
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-cli-runs-'));
  process.chdir(directory);
  await writeFileOf(join(directory, 'three.podscope'), info('three', 'Three failures'), crashLoop(3).events);
  await writeFileOf(join(directory, 'four.podscope'), info('four'), crashLoop(4).events);
  const store = EventStore.open({
    file: join(directory, 'runs.db'),
    limits: { maxBytes: 1e12, maxAge: 1e15 },
    notify: () => undefined,
  });
  const run = store.beginRun(info('0ldrun00-0000', 'An old one'));
  store.append(run, 1, crashLoop(2).events.map(toJson));
  store.endRun(run, 'ended', Date.UTC(2026, 0, 5, 10));
  // Simulate a running server, which has the store open while the commands use it.
  const current = store.beginRun(info('current0-0000'));
  store.append(current, 1, crashLoop(1).events.map(toJson));
  store.close();
});
afterAll(async () => {
  process.chdir(cwd);
  await rm(directory, { recursive: true, force: true });
});

const stateDir = (): string[] => ['--state-dir', directory];

describe('podscope export', () => {
  it.each([
    ['file', 'Three-failures.podscope'],
    ['perfetto', 'Three-failures.perfetto.json'],
    ['otlp', 'Three-failures.otlp.json'],
  ])('exports a trace file as %s', async (format, name) => {
    expect(await podscope('export', 'three.podscope', '--format', format)).toEqual({
      code: 0,
      stdout: '',
      stderr: `Wrote ${name}\n`,
    });
    expect((await stat(join(directory, name))).size).toBeGreaterThan(1_000);
  });

  it('exports a run of the store to a given path', async () => {
    expect(await podscope('export', 'An old one', '-o', 'old.podscope', ...stateDir())).toMatchObject({ code: 0 });
    const { header, events } = await loadTraceFile(Readable.from([await readFile(join(directory, 'old.podscope'))]));
    expect(header.run).toMatchObject({ id: '0ldrun00-0000', title: 'An old one' });
    expect(events).toHaveLength(crashLoop(2).events.length);
    expect(await podscope('export', '0ldr', '--format', 'perfetto', '-o', 'old.json', ...stateDir())).toMatchObject({
      code: 0,
    });
    expect(JSON.parse(await readFile(join(directory, 'old.json'), 'utf8'))).toMatchObject({ displayTimeUnit: 'ms' });
  });

  it('prints an error as one line', async () => {
    await writeFile(join(directory, 'no.podscope'), 'nonsense');
    expect(await podscope('export', 'no.podscope')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^podscope: no\.podscope: this is not a Podscope trace file .*\n$/),
    });
    expect(await podscope('export', 'missing.podscope')).toMatchObject({
      code: 1,
      stderr: 'podscope: missing.podscope does not exist\n',
    });
    expect(await podscope('export', 'nothing', ...stateDir())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no run "nothing"'),
    });
    expect(await podscope('export', 'three.podscope', '--format', 'zip')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not file, perfetto, otlp'),
    });
    expect(await podscope('export')).toMatchObject({ code: 2 });
  });

  it('exports the complete part of a truncated file and reports that it is incomplete', async () => {
    await writeFileOf(join(directory, 'torn.podscope'), info('torn'), crashLoop(4).events);
    await truncate(join(directory, 'torn.podscope'), 2_000);
    const { code, stderr } = await podscope('export', 'torn.podscope', '-o', 'saved.podscope');
    expect(code).toBe(0);
    expect(stderr).toContain('torn.podscope is not complete: it was cut short after event');
    expect(
      (await loadTraceFile(Readable.from([await readFile(join(directory, 'saved.podscope'))]))).report.complete,
    ).toBe(true);
  });
});

describe('podscope runs', () => {
  it('lists, renames, tags, annotates, imports and deletes runs', async () => {
    expect((await podscope('runs', 'import', 'three.podscope', ...stateDir())).code).toBe(0);
    expect(await podscope('runs', 'rename', 'three', 'A', 'new', 'name', ...stateDir())).toMatchObject({
      code: 0,
      stdout: 'A new name\n',
    });
    expect(await podscope('runs', 'tag', 'three', 'one', 'two', ...stateDir())).toMatchObject({
      code: 0,
      stdout: 'one two\n',
    });
    expect(await podscope('runs', 'tag', 'three', ...stateDir(), '--', '-one')).toMatchObject({
      code: 0,
      stdout: 'two\n',
    });
    expect((await podscope('runs', 'note', 'three', 'look', 'here', ...stateDir())).code).toBe(0);
    const { stdout } = await podscope('runs', ...stateDir());
    expect(stdout).toMatch(/^RUN +STARTED \(UTC\) +STATE/);
    expect(stdout).toMatch(/three +2026-01-05 09:00:00 +ended, imported +docker +\d+ +\d+ KiB +A new name #two/);
    expect(stdout).toMatch(/0ldrun00 .* ended/);
    expect(JSON.parse((await podscope('runs', '--json', ...stateDir())).stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'three', notes: [expect.objectContaining({ text: 'look here' })] }),
      ]),
    );
    expect(await podscope('runs', 'delete', 'three', ...stateDir())).toMatchObject({
      code: 0,
      stdout: 'deleted three\n',
    });
    expect(await podscope('runs', 'delete', 'current', ...stateDir())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it is still being recorded'),
    });
    expect(await podscope('runs', 'frobnicate', 'x', ...stateDir())).toMatchObject({ code: 2 });
  });

  it('reports an error when there are no recorded runs', async () => {
    expect(await podscope('runs', '--state-dir', join(directory, 'elsewhere'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there are no recorded runs'),
    });
  });
});

describe('podscope diff', () => {
  it('returns 0 for identical runs', async () => {
    expect(await podscope('diff', 'three.podscope', 'three.podscope')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('0 missing, 0 extra'),
    });
  });

  it('prints the differences and returns 1', async () => {
    const { code, stdout } = await podscope('diff', 'three.podscope', 'four.podscope');
    expect(code).toBe(1);
    expect(stdout).toContain('+ default/web-0 CreateContainer app (attempt 3): ok\n');
    expect(stdout).toContain('+ default/web-0 exit app (attempt 3): exit code 1: Error\n');
    expect(stdout).toContain('0 missing, 3 extra');
  });

  it('prints the reason and returns 2 if a run can’t be read', async () => {
    expect(await podscope('diff', 'three.podscope', 'absent.podscope')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'podscope: absent.podscope does not exist\n',
    });
    expect(await podscope('diff', 'nosuchrun', 'three.podscope', ...stateDir())).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('there is no run "nosuchrun"'),
    });
  });

  it('compares a run of the store with a file and prints JSON', async () => {
    const { code, stdout } = await podscope('diff', '0ldrun', 'three.podscope', '--json', ...stateDir());
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ alike: false, counts: { missing: 0 } });
  });
});

describe('podscope explain', () => {
  it('explains the pods of a trace file', async () => {
    const { code, stdout } = await podscope('explain', 'three.podscope');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^default\/web-0 is CrashLoopBackOff: 1 of 2 containers ready/);
    expect(stdout).toContain('StartContainer app: CrashLoopBackOff');
  });

  it('explains a pod of a recorded run at a given event', async () => {
    expect(await podscope('explain', 'default/web-0', '--run', '0ldrun', '--at', '2', ...stateDir())).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('default/web-0 is PodInitializing'),
    });
    expect(await podscope('explain', 'nobody', '--run', '0ldrun', ...stateDir())).toMatchObject({
      code: 1,
      stderr: 'podscope: this run has no pod "nobody"\n',
    });
  });
});

describe('shortRun', () => {
  it('returns different names for a run and its reruns', () => {
    const id = '4d0716d6-1c1e-4c3a-9b1c-0d1f5a8e7b21';
    expect([id, `${id}-2`, `${id}-13`, 'three', '0ldrun00-0000'].map(shortRun)).toEqual([
      '4d0716d6',
      '4d0716d6-2',
      '4d0716d6-13',
      'three',
      '0ldrun00',
    ]);
  });
});

describe('the same pod under a genuine kubelet and under ours', () => {
  const recordings = join(import.meta.dirname, '../../../../packages/observer/recordings');

  /** Runs the manifest of a recorded pod on the simulator. Returns the path of the trace file. */
  async function ownRun(session: string, key: string): Promise<string> {
    const actions: unknown = JSON.parse(await readFile(join(recordings, `actions-${session}.json`), 'utf8'));
    const { pods } = actionsSchema.parse(actions);
    const manifest = join(directory, `${key}.json`);
    await writeFile(manifest, JSON.stringify(pods[key]?.manifest));
    const path = join(directory, `${key}.podscope`);
    await podscope('run', manifest, '--runtime', 'sim', '--timeout', '55s', '--until', 'failed', '--record', path);
    return path;
  }

  it('diff finds the same calls, exits and back-offs in each attempt that both made', async () => {
    const ours = await ownRun('b', '10-crash-exit1');
    const pod = 'default/crash-exit1';
    const { stdout } = await podscope('diff', recordings, ours, '--session', 'b', '--pod', pod, '--json');
    const { steps } = z.object({ steps: z.array(stepSchema) }).parse(JSON.parse(stdout));
    const same = (action: string) =>
      steps
        .filter((step) => step.before?.action === action && step.after?.action === action)
        .map(({ before, after }) => [before?.attempt, before?.reason, after?.reason]);
    expect(same('RunPodSandbox')).toHaveLength(1);
    const attempts = same('CreateContainer').map(([attempt]) => attempt);
    expect(attempts.slice(0, 3)).toEqual([0, 1, 2]);
    expect(same('exit').slice(0, 3)).toEqual([0, 1, 2].map((attempt) => [attempt, 'exit code 1', 'exit code 1']));
    expect(same('backOff').slice(0, 2)).toEqual([10, 20].map((seconds) => [0, `${seconds} s`, `${seconds} s`]));
    expect(steps.filter(({ difference }) => difference === 'outcome')).toEqual([]);
  });

  it('diff accepts the name of the static pod as well, and the exported file of the session', async () => {
    const ours = await ownRun('b', '10-crash-exit1');
    const genuine = join(directory, 'genuine.podscope');
    expect(await podscope('export', recordings, '--session', 'b', '-o', genuine)).toMatchObject({ code: 0 });
    const last = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';
    const of = async (pod: string, ...runs: string[]) => last((await podscope('diff', ...runs, '--pod', pod)).stdout);
    const counts = await of('default/crash-exit1', recordings, ours, '--session', 'b');
    expect(counts).toMatch(/^[1-9]\d* the same, .* 0 with another outcome/);
    expect(await of('default/crash-exit1-twin-node', genuine, ours)).toBe(counts);
  });

  it('rejects a session that the directory lacks', async () => {
    expect(await podscope('export', recordings, '--session', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has the sessions a, b, c, d, not x'),
    });
  });
});

describe('podscope open', () => {
  it('serves a file until Ctrl+C', async () => {
    const child = spawn(process.execPath, [main, 'open', 'three.podscope', '--no-build', '--no-open'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<URL>((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
        const found = /http:\S+/.exec(text);
        if (found && text.includes('Ctrl+C')) resolve(new URL(found[0]));
      });
      child.on('close', () => reject(new Error(`it ended: ${text}`)));
    });
    const headers = { Authorization: `Bearer ${url.searchParams.get('token')}` };
    const page = (await (await fetch(new URL('/runs/three/events?limit=2', url), { headers })).json()) as {
      run: { title: string };
      events: unknown[];
      next: number;
    };
    expect(page).toMatchObject({ run: { title: 'Three failures' }, next: 2 });
    expect((await fetch(new URL('/runs/three', url), { method: 'DELETE', headers })).status).toBe(403);
    expect((await fetch(new URL('/runs', url))).status).toBe(401);
    // The viewer accepts commands about its own breakpoints, at which stepping back stops. It rejects all other
    // commands.
    const messages: { type: string; id?: number; reason?: string; debug?: unknown; result?: unknown }[] = [];
    const socket = new WebSocket(new URL('/stream', url).href.replace('http', 'ws'), { headers });
    socket.on('message', (data: Buffer) =>
      messages.push(JSON.parse(data.toString('utf8')) as (typeof messages)[number]),
    );
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion }));
    const commands = [
      {
        command: 'setBreakpoints',
        breakpoints: [{ point: 'cri.CreateContainer', condition: 'request.config.metadata.attempt == 1' }],
      },
      { command: 'reverseContinue' },
      { command: 'setDebugOptions', options: {} },
    ];
    for (const [id, body] of commands.entries()) socket.send(JSON.stringify({ type: 'command', id, body }));
    await vi.waitFor(() => expect(messages.filter(({ id }) => id !== undefined)).toHaveLength(3), { timeout: 120_000 });
    expect(messages.find(({ type }) => type === 'welcome')?.debug).toMatchObject({ breakpoints: [], stopped: [] });
    expect(messages.find(({ id }) => id === 0)?.result).toMatchObject({ breakpoints: [{ verified: true }] });
    expect(messages.find(({ id }) => id === 1)?.result).toMatchObject({
      hit: true,
      point: 'cri.CreateContainer',
      breakpoints: [1],
      run: 'three',
    });
    expect(messages.find(({ id }) => id === 2)).toMatchObject({ type: 'failure' });
    socket.close();
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});
