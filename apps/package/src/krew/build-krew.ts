/** Builds the archive of the kubectl plugin and its krew manifest, and checks the results. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { productVersion } from '@podscope/server/version';
import { parse, stringify } from 'yaml';
import { stagePackage } from '../build-package.ts';
import { type Archive, archiveName, krewManifest, krewProblems, pluginName } from './manifest.ts';

const run = promisify(execFile);

const sha256Of = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

const manifestName = `${pluginName}.yaml`;

/**
 * Writes the archive and the manifest.
 * @param out the directory for both; created if necessary
 * @returns the paths of both
 */
export async function buildKrew(out: string, announce: (part: string) => void): Promise<readonly string[]> {
  await mkdir(out, { recursive: true });
  const stage = await mkdtemp(join(tmpdir(), 'podscope-krew-'));
  try {
    await stagePackage(stage, announce);
    const archive = join(out, archiveName(productVersion));
    // The same input must produce the same archive, because the manifest contains its checksum.
    await run('tar', [
      '--sort=name',
      '--mtime=@0',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '-czf',
      archive,
      '-C',
      stage,
      ...(await readdir(stage)).toSorted(),
    ]);
    const manifest = join(out, manifestName);
    await writeFile(manifest, stringify(krewManifest(productVersion, await sha256Of(archive))));
    return [archive, manifest];
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function readArchive(file: string): Promise<Archive> {
  const { stdout } = await run('tar', ['-tvzf', file], { maxBuffer: 16 * 1024 ** 2 });
  const entries = stdout.split('\n').flatMap((line) => {
    const { mode = '', path = '' } = /^(?<mode>-\S+)\s+.*?\d\d:\d\d (?<path>.+)$/.exec(line)?.groups ?? {};
    return path === '' ? [] : [{ isExecutable: mode[3] === 'x', path: path.replace(/^\.\//, '') }];
  });
  return {
    sha256: await sha256Of(file),
    files: entries.map(({ path }) => path),
    executables: entries.filter(({ isExecutable }) => isExecutable).map(({ path }) => path),
  };
}

/** Returns the problems for which krew would reject a directory that {@link buildKrew} wrote. */
export async function checkKrew(out: string): Promise<readonly string[]> {
  const names = await readdir(out).catch((): string[] => []);
  if (!names.includes(manifestName)) return [`${out} has no ${manifestName}: run build:krew first`];
  const archives = new Map<string, Archive>();
  for (const name of names)
    if (/^kubectl-.*\.tar\.gz$/.test(name)) archives.set(name, await readArchive(join(out, name)));
  return krewProblems(manifestName, parse(await readFile(join(out, manifestName), 'utf8')), archives);
}
