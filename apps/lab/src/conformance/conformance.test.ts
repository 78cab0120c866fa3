/** Tests that the engine decides every recorded case as the kubelet did, and that the runner reports disagreements. */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { conformance } from './command.ts';
import { readLines } from './lines.ts';
import { parseConformanceOptions } from './options.ts';
import { projectVectors } from './vector-files.ts';

interface Run {
  readonly code: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

async function run(...args: readonly string[]): Promise<Run> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await conformance(parseConformanceOptions(args), {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
  });
  return { code, out, err };
}

/** Creates a directory with the given files; those named `.gz` are compressed. */
async function directoryOf(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files))
    await writeFile(join(directory, name), name.endsWith('.gz') ? gzipSync(content) : content);
  return directory;
}

/** Returns the first recorded cases of a file. */
async function recorded(name: string, count: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const { text } of readLines(join(projectVectors, name))) {
    if (text) lines.push(text);
    if (lines.length === count) break;
  }
  return lines;
}

/** Returns a case after changing part of it. */
function changed(text: string, change: (vector: Record<string, unknown>) => void): string {
  const vector = JSON.parse(text) as Record<string, unknown>;
  change(vector);
  return JSON.stringify(vector);
}

it('agrees with the kubelet in every public case', async () => {
  const { code, out, err } = await run();
  expect(err).toEqual([]);
  expect(out).toEqual([
    'compute-v1.20  1500/1500 agree',
    'compute-v1.36  2000/2000 agree',
    'sync-v1.20     400/400 agree',
    'sync-v1.36     500/500 agree',
    'status-v1.36   1000/1000 agree',
    'backoff        200/200 agree',
    'expansion      300/300 agree',
    'dockershim     200/200 agree',
    'total          6100/6100 agree',
  ]);
  expect(code).toBe(0);
});

it('with --profile, runs only the cases of that release and those of both', async () => {
  const [old, recent] = [await recorded('compute-v1.20.jsonl.gz', 2), await recorded('compute-v1.36.jsonl.gz', 2)];
  const backoff = await recorded('backoff.jsonl.gz', 1);
  const directory = await directoryOf({
    'compute-mixed.jsonl': [...old, ...recent].join('\n'),
    'sync-v1.20.jsonl.gz': '',
    'backoff-other-seed.jsonl.gz': backoff.join('\n'),
  });
  expect((await run(directory, '--profile', 'v1.36')).out).toEqual([
    'compute-mixed       2/2 agree',
    'backoff-other-seed  1/1 agree',
    'total               3/3 agree',
  ]);
});

describe('conformance with faulty input', () => {
  it('counts malformed lines as disagreements and continues', async () => {
    const [first = '', second = ''] = await recorded('compute-v1.36.jsonl.gz', 2);
    const lines = [first, '{ "id": "cut off', '', '{"id":"odd"}', second, '[]'];
    const { code, out } = await run(await directoryOf({ 'compute-v1.36-hidden.jsonl.gz': lines.join('\n') }));
    expect(code).toBe(1);
    expect(out.slice(0, 2)).toEqual(['compute-v1.36-hidden  2/5 agree', 'total                 2/5 agree']);
    expect(out.filter((line) => line.startsWith('✗'))).toEqual([
      expect.stringMatching(/^✗ compute-v1\.36-hidden, line 2: not JSON: /),
      expect.stringMatching(/^✗ compute-v1\.36-hidden, line 4: no compute case: .*gates/),
      expect.stringMatching(/^✗ compute-v1\.36-hidden, line 6: no compute case: /),
    ]);
  });

  it('reports files with unknown names and ignores them', async () => {
    const [line = ''] = await recorded('expansion.jsonl.gz', 1);
    const { code, out, err } = await run(
      await directoryOf({
        'expansion.jsonl': line,
        'computes.jsonl.gz': '',
        'notes.txt': '',
        'README.md': '',
        'node-v1.36.json': '{}',
      }),
    );
    expect(code).toBe(0);
    expect(out).toEqual(['expansion  1/1 agree', 'total      1/1 agree']);
    expect(err).toEqual([
      expect.stringContaining('computes.jsonl.gz is ignored'),
      expect.stringContaining('notes.txt is ignored'),
    ]);
  });

  it('reports a truncated compressed file', async () => {
    const packed = gzipSync((await recorded('backoff.jsonl.gz', 50)).join('\n'));
    const directory = await directoryOf({});
    await writeFile(join(directory, 'backoff.jsonl.gz'), packed.subarray(0, packed.length - 200));
    const { code, out } = await run(directory);
    expect(code).toBe(1);
    expect(out.at(-1)).toMatch(/^✗ backoff, line \d+: the file breaks off: unexpected end of file$/);
  });

  it('fails if no recorded case is found', async () => {
    expect(await run(await directoryOf({}))).toMatchObject({
      code: 1,
      err: [expect.stringContaining('no file of recordings')],
    });
    expect(await run('--only', 'v1.36/compute/none')).toMatchObject({
      code: 1,
      err: [expect.stringContaining('no case has the id "v1.36/compute/none"')],
    });
    await expect(run('/no/such/directory')).rejects.toThrow('there is no directory /no/such/directory');
  });

  it('reports a case whose release is unknown', async () => {
    const [line = ''] = await recorded('sync-v1.36.jsonl.gz', 1);
    const nameless = changed(line, (vector) => Object.assign(vector, { id: 'mine', gates: {} }));
    const { out } = await run(await directoryOf({ 'sync.jsonl': nameless }));
    expect(out.at(-1)).toContain("mine: neither the file's name nor the case says which release it is of");
  });

  it('shows the expected and the actual value and the previous rounds of a disagreement', async () => {
    const lines = await recorded('sync-v1.36.jsonl.gz', 3);
    const tampered = changed(lines.at(-1) ?? '', (vector) => {
      const rounds = vector.rounds as { do: string; expect?: { events: { reason: string }[] } }[];
      const last = rounds.findLast((round) => round.do === 'sync' && round.expect && round.expect.events.length > 0);
      const event = last?.expect?.events[0];
      if (event) event.reason = 'SomethingElse';
    });
    const { code, out } = await run(await directoryOf({ 'sync-v1.36.jsonl': tampered }));
    expect(code).toBe(1);
    const text = out.join('\n');
    expect(text).toMatch(/✗ v1\.36\/sync\/\d+ \(sync-v1\.36, line 1\) differs in round \d+, sync/);
    expect(text).toMatch(/events\[0\]\n {6}at reason\n {6}expected "SomethingElse"\n {6}got {6}"\w+"/);
  });

  it('shows five disagreements per file, and all of them with --verbose', async () => {
    const lines = (await recorded('expansion.jsonl.gz', 8)).map((line) =>
      changed(line, (vector) => Object.assign(vector, { expect: 'never' })),
    );
    const directory = await directoryOf({ 'expansion.jsonl': lines.join('\n') });
    const few = await run(directory);
    expect(few.out.filter((line) => line.startsWith('✗'))).toHaveLength(5);
    expect(few.out.at(-1)).toBe('… and 3 more in expansion (--verbose shows all)');
    expect((await run(directory, '--verbose')).out.filter((line) => line.startsWith('✗'))).toHaveLength(8);
  });
});

it("reads the node from the recordings' directory, and falls back to the project's", async () => {
  const [line = ''] = await recorded('sync-v1.36.jsonl.gz', 1);
  const directory = await directoryOf({ 'sync-v1.36-a.jsonl': line });
  expect((await run(directory)).code).toBe(0);
  await copyFile(join(projectVectors, 'node-v1.36.json'), join(directory, 'node-v1.36.json'));
  expect((await run(directory)).code).toBe(0);
  await writeFile(join(directory, 'node-v1.36.json'), '{"node":1}');
  const broken = await run(directory);
  expect(broken.code).toBe(1);
  expect(broken.out.at(-1)).toContain('node-v1.36.json does not describe a node');
});

it.each([
  [['--profile', 'v1.35'], '--profile "v1.35" is not v1.36 or v1.20'],
  [['--explain'], '--explain explains one case: choose it with --only ID'],
  [['a', 'b'], 'one directory at a time'],
  [['--colour'], "Unknown option '--colour'"],
])('throws a UsageError for %j', (args, message) => {
  expect(() => parseConformanceOptions(args)).toThrow(message);
});
