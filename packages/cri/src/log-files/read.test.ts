import { appendFile, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTime, withSignal } from '@podscope/trace';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CriError } from '../error.ts';
import { testContext } from '../grpc/testing/fake-runtime.ts';
import type { ContainerState, ContainerStatus } from '../messages.ts';
import type { ContainerLogLine, ContainerLogOptions } from '../runtime/container-logs.ts';
import { fileContainerLogs } from './read.ts';

let folder: string;
let path: string;
let state: ContainerState;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logs-'));
  path = join(folder, '0.log');
  state = 'CONTAINER_EXITED';
});
afterEach(() => rm(folder, { recursive: true }));

const logs = () =>
  fileContainerLogs({
    containerStatus: (_, { containerId }) =>
      containerId === 'c'
        ? Promise.resolve({ status: { logPath: path, state } as ContainerStatus })
        : Promise.reject(new CriError('NotFound', 'no container')),
  });

async function read(options: ContainerLogOptions = {}): Promise<ContainerLogLine[]> {
  const lines: ContainerLogLine[] = [];
  for await (const line of logs().containerLogs(testContext(), 'c', options)) lines.push(line);
  return lines;
}
const texts = async (options?: ContainerLogOptions): Promise<string[]> => (await read(options)).map(({ text }) => text);

const time = '2026-01-02T15:04:05.123456789Z';
const line = (text: string, tag = 'F', stream = 'stdout'): string => `${time} ${stream} ${tag} ${text}\n`;

/** Follows the log until the test stops it. */
function follow(options: ContainerLogOptions = {}): {
  readonly texts: string[];
  readonly ended: Promise<void>;
  stop(): void;
} {
  const controller = new AbortController();
  const seen: string[] = [];
  const ended = (async () => {
    const source = logs().containerLogs(withSignal(testContext(), controller.signal), 'c', {
      ...options,
      follow: true,
    });
    for await (const { text } of source) seen.push(text);
  })();
  return { texts: seen, ended, stop: () => controller.abort(new DOMException('enough', 'AbortError')) };
}

describe('log files in CRI’s format', () => {
  it('are parsed into time, stream and text', async () => {
    await writeFile(path, line('out') + line('err  with blanks', 'F', 'stderr') + line(''));
    expect(await read()).toEqual([
      { time: parseTime(time), stream: 'stdout', text: 'out' },
      { time: parseTime(time), stream: 'stderr', text: 'err  with blanks' },
      { time: parseTime(time), stream: 'stdout', text: '' },
    ]);
  });

  it('mark parts of a line and join a character split between them', async () => {
    const [first, second] = [Buffer.from('ä').subarray(0, 1), Buffer.from('ä').subarray(1)];
    await writeFile(
      path,
      Buffer.concat([
        Buffer.from(`${time} stdout P a`),
        first,
        Buffer.from(`\n${time} stdout F:tag `),
        second,
        Buffer.from('z\n'),
      ]),
    );
    expect((await read()).map(({ text, partial }) => [text, partial])).toEqual([
      ['a', true],
      ['äz', undefined],
    ]);
  });

  it('are read from their last lines, even many', async () => {
    const all = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    await writeFile(path, all.map((text) => line(text)).join(''));
    expect(await texts({ tailLines: 3 })).toEqual(['line 19997', 'line 19998', 'line 19999']);
    expect(await texts({ tailLines: 15_000 })).toEqual(all.slice(5000));
    expect(await texts({ tailLines: 99_999 })).toEqual(all);
    expect(await texts({ tailLines: 0 })).toEqual([]);
  });

  it('are read from a given time', async () => {
    await writeFile(path, `2026-01-02T15:04:05Z stdout F early\n2026-01-02T15:04:07+00:00 stdout F late\n`);
    expect(await texts({ since: parseTime('2026-01-02T15:04:06Z') })).toEqual(['late']);
  });

  it('ignore invalid lines and wait for incomplete ones', async () => {
    await writeFile(path, `nonsense\n${line('good')}${time} stdout F half`);
    expect(await texts()).toEqual(['good']);
  });

  it("are empty if they don't exist; an unknown container is NotFound", async () => {
    expect(await texts()).toEqual([]);
    path = '';
    expect(await texts()).toEqual([]);
    const unknown = logs().containerLogs(testContext(), 'other', {})[Symbol.asyncIterator]();
    await expect(unknown.next()).rejects.toMatchObject({ code: 'NotFound' });
  });
});

describe('log files in Docker’s format', () => {
  it("are read through dockershim's link", async () => {
    const entry = (log: string, stream = 'stdout'): string => `${JSON.stringify({ log, stream, time })}\n`;
    await writeFile(
      join(folder, 'json.log'),
      entry('one\n') + entry('long, ') + entry('rest\n') + entry('err\n', 'stderr'),
    );
    await symlink(join(folder, 'json.log'), path);
    expect((await read()).map(({ stream, text, partial }) => [stream, text, partial])).toEqual([
      ['stdout', 'one', undefined],
      ['stdout', 'long, ', true],
      ['stdout', 'rest', undefined],
      ['stderr', 'err', undefined],
    ]);
  });
});

describe('a log that is followed', () => {
  it("continues until the container's last line", async () => {
    state = 'CONTAINER_RUNNING';
    const reader = follow();
    await writeFile(path, line('first'));
    await vi.waitFor(() => expect(reader.texts).toEqual(['first']), { timeout: 120_000 });
    await appendFile(path, `${time} stdout F sec`);
    await appendFile(path, 'ond\n');
    await vi.waitFor(() => expect(reader.texts).toEqual(['first', 'second']), { timeout: 120_000 });
    await appendFile(path, line('last words'));
    state = 'CONTAINER_EXITED';
    await reader.ended;
    expect(reader.texts).toEqual(['first', 'second', 'last words']);
  });

  it('continues in the new file after a rotation without losing lines', async () => {
    state = 'CONTAINER_RUNNING';
    await writeFile(path, line('old'));
    const reader = follow({ tailLines: 1 });
    await vi.waitFor(() => expect(reader.texts).toEqual(['old']), { timeout: 120_000 });
    await appendFile(path, line('last of the old'));
    await rename(path, `${path}.1`);
    await writeFile(path, line('new'));
    await vi.waitFor(() => expect(reader.texts).toEqual(['old', 'last of the old', 'new']), { timeout: 120_000 });
    reader.stop();
    await expect(reader.ended).rejects.toMatchObject({ name: 'AbortError' });
  });
});
