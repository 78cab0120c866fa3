import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRecordings, isCrashLoop, lastAction, nodeNameOf, removedAt } from './recording.ts';

const directory = fileURLToPath(new URL('../../recordings/v1.20', import.meta.url));

describe('findRecordings', () => {
  it('reads files that are recordings and lists the others as ignored', async () => {
    const { recordings, ignored } = await findRecordings(directory);
    expect(recordings).toHaveLength(10);
    expect(ignored).toEqual(['latency.json']);
    expect(new Set(recordings.map(nodeNameOf))).toEqual(new Set(['twin-node']));
    expect(recordings.filter(isCrashLoop).map(({ name }) => name)).toEqual(['10-crash-exit1', '16-liveness-exec']);
  });

  it('returns the times of the last action and of the removal', async () => {
    const { recordings } = await findRecordings(join(directory, '32-edit-in-place.json'));
    const [recording] = recordings;
    if (!recording) throw new Error('no recording');
    expect(lastAction(recording)).toBe(30_004);
    expect(removedAt(recording)).toBe(30_004);
    expect(removedAt({ ...recording, actions: recording.actions.slice(0, 2) })).toBeUndefined();
  });

  describe('findRecordings with other files', () => {
    let other: string;
    beforeEach(async () => {
      other = await mkdtemp(join(tmpdir(), 'podscope-recordings-'));
    });
    afterEach(() => rm(other, { recursive: true, force: true }));

    it('ignores malformed and foreign files', async () => {
      await writeFile(join(other, 'broken.json'), '{');
      await writeFile(join(other, 'list.json'), '[]');
      await writeFile(join(other, 'object.json'), '{"manifest": {}}');
      await writeFile(join(other, 'notes.md'), '# no');
      expect(await findRecordings(other)).toEqual({
        recordings: [],
        unreadable: new Map(),
        ignored: ['broken.json', 'list.json', 'object.json'],
      });
    });

    it('names recordings in subdirectories after their path and omits the directory with calls', async () => {
      const whole = await readFile(join(directory, '08-never-failure.json'), 'utf8');
      for (const below of ['v1.20/calls', 'empty', 'more/deep', 'odd.json'])
        await mkdir(join(other, below), { recursive: true });
      for (const file of ['v1.20/08.json', 'v1.20/calls/08.json', 'more/deep/08.json', 'top.json'])
        await writeFile(join(other, file), whole);
      await writeFile(join(other, 'v1.20', 'latency.json'), '{}');
      await writeFile(join(other, 'v1.20', 'torn.json'), JSON.stringify({ ...JSON.parse(whole), events: 1 }));
      const { recordings, unreadable, ignored } = await findRecordings(other);
      expect(recordings.map(({ name }) => name)).toEqual(['more/deep/08', '08-never-failure', 'v1.20/08']);
      expect([...unreadable.keys()]).toEqual(['v1.20/torn']);
      expect(ignored).toEqual(['v1.20/calls/08.json', 'v1.20/latency.json']);
    });

    it('accepts numbers as text and null for empty values, and reports what is wrong with a recording', async () => {
      const whole = JSON.parse(await readFile(join(directory, '08-never-failure.json'), 'utf8')) as Record<
        string,
        unknown
      >;
      const engineEvents = [{ t: 1, action: 'die', container: 'app', attempt: '0', exitCode: 3, signal: null }];
      await writeFile(join(other, 'odd.json'), JSON.stringify({ ...whole, engineEvents, layout: null, creates: null }));
      await writeFile(join(other, 'torn.json'), JSON.stringify({ ...whole, events: [{ t: 'soon' }] }));
      const { recordings, unreadable } = await findRecordings(other);
      expect(recordings[0]?.engineEvents).toEqual([
        { t: 1, action: 'die', container: 'app', attempt: 0, exitCode: '3' },
      ]);
      expect([...unreadable]).toEqual([['torn', expect.stringContaining('events.0.t: ')]]);
    });
  });
});
