import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '@podscope/command-line';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptySiteDirectory, type Protected } from './site-directory.ts';

describe('emptySiteDirectory', () => {
  let base: string;
  let places: Protected;

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'site-'));
    places = { repository: join(base, 'home', 'work', 'podscope'), home: join(base, 'home') };
    await mkdir(places.repository, { recursive: true });
    await writeFile(join(places.repository, 'README.md'), 'kept');
    await symlink(places.home, join(base, 'link'));
  });
  afterAll(() => rm(base, { recursive: true }));

  const kept = (): boolean => existsSync(join(places.repository, 'README.md'));

  it('creates a missing directory and empties it again when it contains the marker', async () => {
    const directory = join(places.repository, 'new', 'site');
    await emptySiteDirectory(directory, places);
    await writeFile(join(directory, 'index.html'), 'old');
    await emptySiteDirectory(directory, places);
    expect(await readdir(directory)).toEqual(['.podscope-site']);
  });

  it('accepts an existing empty directory', async () => {
    const directory = join(base, 'empty');
    await mkdir(directory);
    await emptySiteDirectory(directory, places);
    expect(await readdir(directory)).toEqual(['.podscope-site']);
  });

  it.each([
    ['the repository', () => places.repository, 'is the repository or contains it'],
    ['a folder above the repository', () => dirname(places.repository), 'is the repository or contains it'],
    ['the home directory', () => places.home, 'or contains it, and would be replaced: choose another directory'],
    ['a link to the home directory', () => join(base, 'link'), 'or contains it'],
    ['the root directory', () => '/', 'or contains it'],
  ])('refuses %s', async (_, directory, message) => {
    const refused = emptySiteDirectory(directory(), places);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(message);
    expect(kept()).toBe(true);
  });

  it('refuses the home directory even if it is outside the repository and contains the marker', async () => {
    const home = join(base, 'other');
    await mkdir(home);
    await writeFile(join(home, '.podscope-site'), '');
    await expect(emptySiteDirectory(home, { ...places, home })).rejects.toThrow(
      'is your home directory or contains it',
    );
    expect(existsSync(home)).toBe(true);
  });

  it('refuses a directory with files that build:site did not create', async () => {
    const directory = join(places.repository, 'packages');
    await mkdir(directory);
    await writeFile(join(directory, 'work.ts'), 'kept');
    await expect(emptySiteDirectory(directory, places)).rejects.toThrow(
      'contains files that build:site did not create: choose a new or empty directory, or empty it yourself first',
    );
    await expect(emptySiteDirectory(join(directory, 'work.ts'), places)).rejects.toThrow('is not a folder');
    expect(await readdir(directory)).toEqual(['work.ts']);
  });
});
