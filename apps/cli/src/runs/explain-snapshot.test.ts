/**
 * Tests the command `podscope explain` on kubectl output of real runs. Other tests cover the forecasts of the
 * individual pods.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseManifests } from '@podscope/k8s';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { podscope } from './testing/in-process.ts';

const corpus = join(import.meta.dirname, '../../../../packages/pod-snapshot/src/testing');
const golden = readFileSync(join(corpus, 'forecasts.golden.txt'), 'utf8');
const fileOf = (name: string): string => join(corpus, 'snapshots', name);
const names = readdirSync(join(corpus, 'snapshots')).filter((name) => /\.(?:yaml|json)$/.test(name));
/** Returns the time at which the snapshot was taken. A file next to the snapshot contains it. */
const takenAt = (name: string): string =>
  readFileSync(fileOf(name.replace(/\.\w+$/, '.next.txt')), 'utf8')
    .split('\n')[0]
    ?.replace('taken ', '') ?? '';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-explain-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const isWait = /^(?<container>\S+) waits (?<seconds>\d+) s for its (?<kind>container|image), until \+(?<ahead>\d+) s$/;

/** Returns the lines of the golden text about a file, and the waits among them. */
function expectedOf(name: string): {
  readonly headline: string;
  readonly diagnoses: readonly string[];
  readonly waits: readonly RegExp[];
} {
  const [section = ''] = (golden.split(`## ${name}\n`)[1] ?? '').split('\n\n');
  const lines = section.split('\n');
  const waits = lines.flatMap((line) => {
    const { container, seconds, kind, ahead } = isWait.exec(line)?.groups ?? {};
    const what = kind === 'image' ? 'pull for' : 'start of';
    return container === undefined
      ? []
      : [
          new RegExp(
            `^ {4}next ${what} ${container} not before \\d\\d:\\d\\d:\\d\\d \\(\\+${ahead} s\\): back-off ` +
              `${seconds} s$`,
            'm',
          ),
        ];
  });
  return {
    headline: lines.find((line) => line.startsWith('default/')) ?? 'a headline in the golden text',
    diagnoses: lines.filter((line) => line.startsWith('diagnosis: ')).map((line) => line.slice('diagnosis: '.length)),
    waits,
  };
}

describe('podscope explain FILE.yaml', () => {
  it('covers at least 15 snapshots, at least 6 of them with a wait ahead', () => {
    expect(names.length).toBeGreaterThanOrEqual(15);
    expect(names.filter((name) => expectedOf(name).waits.length > 0).length).toBeGreaterThanOrEqual(6);
  });

  // Use half of the files, because the tests of the forecast cover all of them.
  it.each(names.filter((_, index) => index % 2 === 0))(
    '%s: prints the diagnosis and what comes next with its time',
    async (name) => {
      const { headline, diagnoses, waits } = expectedOf(name);
      const { code, stdout } = await podscope('explain', fileOf(name), '--at', takenAt(name));
      expect(code).toBe(0);
      expect(stdout.split('\n')[0]).toBe(headline);
      for (const diagnosis of diagnoses) expect(stdout).toContain(`\n  ${diagnosis}\n`);
      for (const wait of waits) expect(stdout).toMatch(wait);
      expect(stdout).toMatch(
        /^(?: {2}What comes next, seen from \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$| {4}What happens next: )/m,
      );
    },
  );

  it('explains all pods of a List with their events, as JSON too, or one pod by name', async () => {
    const items = ['crash-loop.yaml', 'missing-image.yaml'].flatMap((name) =>
      parseManifests(readFileSync(fileOf(name), 'utf8')).objects.map(({ object }) => object),
    );
    expect(items.some(({ kind }) => kind === 'Event')).toBe(true);
    const file = join(directory, 'list.json');
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));

    const { code, stdout } = await podscope('explain', file, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        explanation: { headline: expectedOf('crash-loop.yaml').headline },
        waits: [{ container: 'app', kind: 'container', seconds: 10 }],
      },
      {
        explanation: { headline: expectedOf('missing-image.yaml').headline },
        waits: [{ container: 'app', kind: 'image', seconds: 40 }],
      },
    ]);

    const one = await podscope('explain', file, '--pod', 'missing-image');
    expect(one.stdout).toContain('default/missing-image is ImagePullBackOff');
    expect(one.stdout).not.toContain('default/crash-loop is');
    expect(await podscope('explain', file, '--pod', 'nobody')).toMatchObject({
      code: 1,
      stderr: `podscope: there is no pod "nobody" in ${file}\n`,
    });
  });

  it('looks ahead from the time of --at, with the kubelet of --profile', async () => {
    const later = await podscope(
      'explain',
      fileOf('crash-loop.yaml'),
      '--at',
      '2036-01-01T00:00:00Z',
      '--profile',
      'v1.20',
    );
    expect(later.stdout).toContain('What comes next, seen from 2036-01-01T00:00:00Z');
    expect(await podscope('explain', fileOf('crash-loop.yaml'), '--at', 'soon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a time'),
    });
    expect(await podscope('explain', fileOf('crash-loop.yaml'), '--profile', 'v1.30')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('v1.36 or v1.20'),
    });
  });

  it('reports the line of an invalid file and prints no secrets', async () => {
    const broken = join(directory, 'broken.yaml');
    await writeFile(broken, 'apiVersion: v1\nkind: Pod\nmetadata: {name: web\n');
    const { code, stderr } = await podscope('explain', broken);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^podscope: ${broken}:\\d+: `));

    const secret = join(directory, 'secret.yaml');
    const pod = readFileSync(fileOf('happy.yaml'), 'utf8').replace(
      '    - image:',
      '    - env: [{ name: DB_PASSWORD, value: hunter2-hunter2 }, { name: CRED, value: hunter2-too }]\n      image:',
    );
    await writeFile(
      secret,
      `${pod}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData: {key: hunter2-hunter2}\n`,
    );
    for (const format of [[], ['--json']]) {
      const reported = await podscope('explain', secret, ...format);
      expect(reported.code).toBe(0);
      expect(`${reported.stdout}${reported.stderr}`).not.toContain('hunter2');
    }
  });

  it('reads events from a separate file and names the file that has an error', async () => {
    const events = join(directory, 'events.txt');
    const uid = /uid: (\S+)/.exec(readFileSync(fileOf('happy.yaml'), 'utf8'))?.[1];
    const involvedObject = `{kind: Pod, namespace: default, name: happy, uid: ${uid}}`;
    const event =
      `apiVersion: v1\nkind: Event\nmetadata: {name: e, namespace: default}\ninvolvedObject: ${involvedObject}\n` +
      'reason: FailedMount\nmessage: MountVolume.SetUp failed\ntype: Warning\ncount: 3\nlastTimestamp: ' +
      '"2026-11-22T02:11:52Z"\n';
    await writeFile(events, `${event}---\nkind: Pod\n`);
    const { code, stdout, stderr } = await podscope('explain', fileOf('happy.yaml'), events, '--json');
    expect([code, stdout.includes('MountVolume.SetUp failed')]).toEqual([0, true]);
    expect(stderr).toMatch(new RegExp(`^podscope: ${events}:11: `));
    expect(await podscope('explain', fileOf('happy.yaml'), 'a-run')).toMatchObject({ code: 2 });
  });

  it('reads a snapshot from standard input', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), 'explain', '-'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(readFileSync(fileOf('oom.yaml')));
    expect(await text(child.stdout)).toContain(expectedOf('oom.yaml').headline);
  });
});
