import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UsageError } from '@podscope/command-line';
import { loadTraceFile } from '@podscope/trace/file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command } from './command.ts';
import { parseDuration, parseRunOptions } from './options.ts';
import { runManifest } from './run-manifest.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-run-test-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const pod = (container: object, spec: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { ...spec, containers: [{ name: 'app', image: 'busybox:1.36', ...container }] },
  });
const server = pod({ command: ['sleep', '3600'] });
const job = (code: number): string =>
  pod({ command: ['sh', '-c', `sleep 2; exit ${code}`] }, { restartPolicy: 'Never' });
const crashing = pod({ command: ['sh', '-c', 'exit 1'] });

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly reported: string;
}

/** Runs a manifest in the simulator. */
async function run(
  manifest: string,
  args: readonly string[] = [],
  {
    typed,
    colour = false,
    live = false,
  }: { readonly typed?: string; readonly colour?: boolean; readonly live?: boolean } = {},
): Promise<Ran> {
  const file = join(directory, 'pod.yaml');
  await writeFile(file, manifest);
  let out = '';
  let reported = '';
  const output = new PassThrough();
  const answers = text(output);
  const code = await runManifest(parseRunOptions([file, '--runtime', 'sim', ...args]), {
    terminal: { write: (line) => void (out += line), colour, live },
    print: (message) => void (reported += `${message}\n`),
    stdin: Readable.from([]),
    prompt: typed === undefined ? undefined : { input: Readable.from([typed]), output },
    signal: new AbortController().signal,
  });
  output.end();
  out += await answers;
  return { code, out, reported: reported.replaceAll(directory, 'DIR') };
}

describe('podscope run in the simulator', () => {
  it('prints the same flow of a starting pod on every run', async () => {
    const first = await run(server, ['--until', 'running']);
    expect(first.code).toBe(0);
    expect(first.reported).toBe('simulator, on virtual time, v1.36\nreached: default/web Running\n');
    await expect(first.out).toMatchFileSnapshot('golden/running.txt');
    expect((await run(server, ['--until', 'running'])).out).toBe(first.out);
  });

  it('continues until every pod has reached the step of --until', async () => {
    const later = server.replace('"web"', '"later"').replace('busybox:1.36', 'nginx:1.27');
    const { code, out, reported } = await run(`${server}\n---\n${later}\n`, ['--until', 'step:cri.StartContainer']);
    expect(out.match(/StartContainer app /g)).toHaveLength(2);
    expect({ code, reported }).toMatchObject({
      code: 0,
      reported: expect.stringContaining('reached: cri.StartContainer is done for default/web, default/later\n'),
    });
  });

  it('shows the progress of a pull on a terminal and clears it at the end', async () => {
    const { code, out } = await run(pod({ image: 'nginx:1.27' }), ['--until', 'running'], { live: true });
    expect(code).toBe(0);
    const shares = [...out.matchAll(/pulling nginx:1\.27 \[(#*) *\] (\d+) %/g)].map(
      ([, bar = '', share]) => [bar.length, Number(share)] as const,
    );
    expect(shares.length).toBeGreaterThan(2);
    expect(shares).toEqual(shares.toSorted(([, a], [, b]) => a - b));
    for (const [bar, share] of shares) expect(Math.abs(bar - (share * 24) / 100)).toBeLessThanOrEqual(1);
    expect(out.split('\r\u001b[2K').at(-1)).not.toContain('pulling');
    expect(out).toMatch(/StartContainer app /);
  });

  it('prints a crash loop until its container waits in back-off', async () => {
    const { code, out, reported } = await run(crashing);
    expect([code, reported]).toEqual([
      0,
      'simulator, on virtual time, v1.36\nreached: settled: default/web app CrashLoopBackOff ↻1\n',
    ]);
    await expect(out).toMatchFileSnapshot('golden/crash-loop.txt');
  });

  it('accepts the step of --until that the help shows', async () => {
    const shown = command.examples.flatMap(([call]) => / --until (\S+)/.exec(call)?.[1] ?? []);
    expect(shown).toHaveLength(1);
    expect((await run(job(0), ['--until', shown[0] ?? ''])).code).toBe(0);
  });

  it.each([
    ['succeeded', 0, 0],
    ['succeeded', 3, 1],
    ['failed', 3, 0],
    ['failed', 0, 1],
    ['running', 0, 0],
    ['step:createPodSandbox', 0, 0],
    ['step:cri.StartContainer', 0, 0],
    ['step:killPod', 0, 0],
    ['step:cri.StopPodSandbox', 0, 0],
  ])('with --until %s and a container that exits with %i, returns %i', async (until, exit, code) => {
    expect((await run(job(exit), ['--until', until])).code).toBe(code);
  });

  it('returns 1 when the step of --until can no longer happen', async () => {
    const { code, reported } = await run(job(0), ['--until', 'step:kuberuntime.doBackOff']);
    expect(code).toBe(1);
    expect(reported).toContain('not reached: default/web Succeeded without kuberuntime.doBackOff');
  });

  it('returns 3 at the timeout, measured on the node’s clock', async () => {
    const { code, reported } = await run(crashing, ['--until', 'succeeded', '--timeout', '15m']);
    expect([code, reported.split('\n')[1]]).toEqual([3, 'not reached within 900 s']);
  });

  it('returns 2 and names the field and line for an invalid manifest', async () => {
    const manifest =
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: app\n      ' +
      'imagePullPolicy: Sometimes\n';
    expect(await run(manifest)).toMatchObject({
      code: 2,
      out: '',
      reported: expect.stringMatching(/^podscope: DIR\/pod\.yaml:\d+:\d+: spec\.containers\[0\]\.\w+/) as unknown,
    });
    expect((await run('a: [')).reported).toMatch(/^podscope: DIR\/pod\.yaml:\d+:\d+: /);
    expect((await run('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n')).reported).toContain(
      'there is no pod in the manifest',
    );
  });

  it.each([
    [['--break', 'cri.NoSuchCall'], 'this node has no point cri.NoSuchCall'],
    [['--until', 'step:noSuchStep'], 'there is no such step: '],
    [['--break', 'anyError if ('], '--break'],
  ])('returns 2 before anything runs for %j', async (args, said) => {
    const { code, out, reported } = await run(server, args);
    expect([code, out]).toEqual([2, '']);
    expect(reported).toContain(said);
  });

  it('applies a fault plan, and reports the errors of an invalid one', async () => {
    const plan = join(directory, 'plan.yaml');
    await writeFile(
      plan,
      'name: disk\nfaults:\n  - { at: cri.CreateContainer, times: 1, fail: { grpc: Internal, message: disk full } }\n',
    );
    const { code, out } = await run(server, ['--until', 'running', '--faults', plan]);
    expect(code).toBe(0);
    expect(out).toContain('⚡ CreateContainer fails with Internal: disk full');
    await writeFile(
      plan,
      'name: disk\nfaults:\n  - { at: cri.CreateContainer, fail: { grpc: Infernal, message: x } }\n',
    );
    expect(await run(server, ['--faults', plan])).toMatchObject({
      code: 2,
      reported: expect.stringMatching(/^podscope: DIR\/plan\.yaml:3:\d+: faults/) as unknown,
    });
  });

  it('applies a simulation document, and reports the errors of an invalid one', async () => {
    const file = join(directory, 'node.yaml');
    await writeFile(
      file,
      'ipRange: 10.9.0.0/29\nseed: other\nscripts: {web/app: exit=5 after=2s}\nlatencies: {CNI ADD: 10s}\n',
    );
    const { code, out } = await run(job(0), ['--until', 'failed', '--simulation', file]);
    expect([code, out]).toEqual([0, expect.stringContaining('sandbox 0 ready at 10.9.0.2')]);
    expect(out).toContain('app Error(5)');
    expect(out).not.toBe((await run(job(0), ['--until', 'failed', '--simulation', file, '--seed', '1'])).out);
    await writeFile(file, 'ipRange: 10.9.0.0\nregistry: []\n');
    await expect(run(server, ['--simulation', file])).rejects.toThrow(
      new UsageError(
        `${file}:1: ipRange: Invalid value: "10.9.0.0": must be an IPv4 range of /8 to /30 such as ` +
          `10.244.0.0/24\n${file}:2: unknown field "registry"`,
      ),
    );
  });

  it('prints stack and variables at a breakpoint, and returns 4 without a terminal', async () => {
    const { code, out, reported } = await run(server, [
      '--break',
      'cri.CreateContainer pod=web if request.config.metadata.attempt == 0',
    ]);
    expect([code, reported.split('\n')[1]]).toEqual([4, 'stopped: Breakpoint 1: before CreateContainer']);
    expect(out).toMatch(/#0 CreateContainer +packages\/kuberuntime\/src\/container\/start-container\.ts:\d+/);
    expect(out).toContain('  Arguments\n    request = ');
  });

  it('continues after stops with --continue, and explains why a breakpoint was never hit', async () => {
    const args = [
      '--until',
      'running',
      '--continue',
      '--break',
      'kind:syncStep once',
      '--break',
      'cri.StartContainer if request.nonsense == 1',
    ];
    const { code, out, reported } = await run(server, args);
    expect(code).toBe(0);
    expect(out).toContain('■ stopped before syncPod.');
    expect(reported).toMatch(
      /--break cri\.StartContainer if request\.nonsense == 1 was not hit: the condition could not be judged/,
    );
  });

  it.each(['cri.PullImage', 'cri.CreateContainer', 'cri.StartContainer'])(
    'stops at %s of the second attempt',
    async (point) => {
      const always = pod({ command: ['sh', '-c', 'exit 1'], imagePullPolicy: 'Always' });
      const { code, out } = await run(always, ['--break', `${point} if attempt == 1`]);
      expect(code).toBe(4);
      expect(out.match(/container app \d running/g)).toEqual(['container app 0 running']);
    },
  );

  it('refuses a breakpoint whose condition names an unknown variable', async () => {
    const { code, reported } = await run(server, ['--break', 'cri.StartContainer if nonsense == 1']);
    expect(code).toBe(2);
    expect(reported).toContain('nonsense');
  });

  it('opens a prompt on a terminal that shows variables, fails the call, steps and continues', async () => {
    const typed = [
      'stack',
      'p request.config.metadata.name',
      'v podA',
      'p nonsense',
      'dance',
      'fail ResourceExhausted no space left',
      'n',
      'c',
      '',
    ].join('\n');
    const { code, out } = await run(
      server,
      ['--until', 'running', '--break', 'cri.CreateContainer once', '--break', 'error cri.CreateContainer once'],
      {
        typed,
      },
    );
    expect(out).toMatch(/\(podscope\) +"app"/);
    expect(out).toContain('containersToStart = [0]');
    expect(out).toContain('there is no command "dance"');
    expect(out).toContain('⚡ CreateContainer fails with ResourceExhausted: no space left');
    expect(code).toBe(0);
  });

  it('returns 4 when the user quits the prompt or its input ends', async () => {
    expect((await run(server, ['--break', 'cri.*'], { typed: 'quit\n' })).code).toBe(4);
    expect((await run(server, ['--break', 'cri.*'], { typed: '' })).code).toBe(4);
  });

  it('writes events as JSON lines and the whole run to a trace file', async () => {
    const file = join(directory, 'run.podscope');
    const { out, reported } = await run(server, ['--until', 'running', '--json', '--record', file, '--seed', '7']);
    const lines = out.trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { readonly seq: number });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const loaded = await loadTraceFile(createReadStream(file));
    expect(loaded.events).toEqual(events);
    expect(loaded.header.run).toMatchObject({ title: 'pod.yaml', runtime: { kind: 'sim' } });
    expect(reported).toContain(`recorded ${lines.length} events`);
  });

  it('redacts secrets in its output', async () => {
    const secret = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'login' },
      stringData: { password: 'correct horse battery' },
    });
    const env = [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'login', key: 'password' } } }];
    const manifest = `${secret}\n---\n${pod({ command: ['sleep', '9'], env })}`;
    for (const args of [
      ['--json'],
      ['--break', 'cri.CreateContainer log {request.config.envs}', '--break', 'cri.StartContainer'],
    ])
      expect((await run(manifest, ['--until', 'running', ...args])).out).not.toContain('correct horse');
  });

  it('prints colours only on a terminal that shows them', async () => {
    expect((await run(server, ['--until', 'running'])).out).not.toContain('\u001b[');
    expect((await run(server, ['--until', 'running'], { colour: true })).out).toContain('\u001b[32m');
  });
});

describe('parseRunOptions', () => {
  it.each([
    [[], 'run takes one manifest'],
    [['a', 'b'], 'run takes one manifest'],
    [['a', '--until', 'tea'], '--until "tea" is not one of'],
    [['a', '--runtime', 'podman'], '--runtime "podman"'],
    [['a', '--profile', 'v1.0'], '--profile "v1.0"'],
    [['a', '--timeout', 'soon'], '--timeout "soon" is not a duration'],
    [['a', '--seed', '1', '--runtime', 'docker'], '--seed is for the simulator'],
    [['a', '--simulation', 'b', '--runtime', 'docker'], '--simulation is for the simulator'],
    [['a', '--break', 'cri.* twice'], '"twice" is unknown'],
    [['a', '--nonsense'], '--nonsense'],
  ])('throws a UsageError for %j', (args, said) => {
    expect(() => parseRunOptions(args)).toThrow(UsageError);
    expect(() => parseRunOptions(args)).toThrow(said);
  });

  it('reads Go durations in milliseconds', () => {
    expect(['90s', '1m30s', '250ms', '1.5h'].map((each) => parseDuration(each, '--timeout'))).toEqual([
      90_000, 90_000, 250, 5_400_000,
    ]);
  });
});
