import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { type Line, readLines } from './lines.ts';

async function all(lines: AsyncIterable<Line>): Promise<Line[]> {
  const found: Line[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

async function linesOf(name: string, content: Uint8Array | string): Promise<Line[]> {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, name);
  await writeFile(path, content);
  return all(readLines(path));
}

it('reads plain and compressed files, with and without a final newline', async () => {
  const expected = [
    { number: 1, text: 'one' },
    { number: 2, text: '' },
    { number: 3, text: 'thrée' },
  ];
  expect(await linesOf('a.jsonl', 'one\n\nthrée')).toEqual(expected);
  expect(await linesOf('a.jsonl.gz', gzipSync('one\n\nthrée\n'))).toEqual(expected);
});

it('joins lines that are longer than a chunk of the file', async () => {
  const long = 'é'.repeat(200_000);
  expect(await linesOf('a.jsonl', `${long}\n${long}x\n`)).toEqual([
    { number: 1, text: long },
    { number: 2, text: `${long}x` },
  ]);
});

it('yields the lines before the end of a truncated compressed file, then throws', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'a.jsonl.gz');
  const packed = gzipSync(`first\n${Array.from({ length: 50_000 }, () => Math.random()).join('\n')}\n`);
  await writeFile(path, packed.subarray(0, packed.length / 2));
  const seen: Line[] = [];
  const reading = (async () => {
    for await (const line of readLines(path)) seen.push(line);
  })();
  await expect(reading).rejects.toThrow('unexpected end of file');
  expect(seen[0]).toEqual({ number: 1, text: 'first' });
});

it('throws for a missing file', async () => {
  await expect(all(readLines('/no/such/file.jsonl.gz'))).rejects.toThrow('ENOENT');
});
