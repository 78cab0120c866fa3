/**
 * Builds the npm package as a tarball: program, page and static site, with licenses and notices. Also builds the
 * tarball of the Playwright kit.
 */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeSite } from '@podscope/cli/write-site';
import { pointSources } from '@podscope/debugger/point-sources';
import { lessonsDirectory, recordingsDirectory, repositoryRoot } from '@podscope/server/repository';
import { productVersion } from '@podscope/server/version';
import { z } from 'zod';
import { bundle, programs } from './bundle.ts';
import { packageManifest } from './manifest.ts';
import { packagesOf, thirdPartyNotices } from './notices.ts';

const run = promisify(execFile);

const packedSchema = z.array(z.object({ filename: z.string(), size: z.number(), entryCount: z.number() }));

/** A tarball that was written. */
export interface Tarball {
  readonly path: string;
  /** Size of the file, in bytes. */
  readonly size: number;
}

/** The engine's source files that contain a point or a rule. */
const engineFiles: ReadonlySet<string> = new Set(
  [...Object.values(pointSources.points).flat(), ...Object.values(pointSources.decisions)].map(({ path }) => path),
);

/** Packs a directory with npm. */
async function pack(directory: string, out: string): Promise<Tarball> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', out], {
    cwd: directory,
    env: { ...process.env, npm_config_update_notifier: 'false' },
  });
  const [packed] = packedSchema.parse(JSON.parse(stdout));
  if (packed === undefined) throw new Error(`npm packed nothing in ${directory}`);
  return { path: join(out, packed.filename), size: packed.size };
}

/**
 * Writes the files of the npm package to a directory.
 * @param announce called before each part that takes longer than a second
 */
export async function stagePackage(directory: string, announce: (part: string) => void): Promise<void> {
  announce('Bundling the program…');
  const modules = await bundle(join(directory, 'dist'));
  announce('Building the page…');
  const siteModules = await writeSite(join(directory, 'site'));
  await mkdir(join(directory, 'bin'), { recursive: true });
  const starter = await readFile(join(import.meta.dirname, '../files/podscope.cjs'), 'utf8');
  for (const name of Object.keys(programs)) {
    const program = join(directory, `bin/${name}.cjs`);
    await writeFile(program, starter.replace('dist/podscope.js', `dist/${name}.js`));
    await chmod(program, 0o755);
  }
  // Include these files as text, because debuggers set breakpoints in them.
  for (const path of engineFiles)
    await cp(join(repositoryRoot, path), join(directory, 'engine', path), { recursive: true });
  // Include lessons and their recordings, which `lessons check` and the class server need.
  await cp(lessonsDirectory, join(directory, 'lessons'), { recursive: true });
  await cp(recordingsDirectory, join(directory, 'recordings'), { recursive: true });
  for (const name of ['LICENSE', 'NOTICE']) await cp(join(repositoryRoot, name), join(directory, name));
  await cp(join(import.meta.dirname, '../files/README.md'), join(directory, 'README.md'));
  await writeFile(
    join(directory, 'THIRD-PARTY-NOTICES.txt'),
    await thirdPartyNotices(packagesOf([...modules, ...siteModules])),
  );
  await writeFile(
    join(directory, 'package.json'),
    `${JSON.stringify(packageManifest(productVersion), undefined, 2)}\n`,
  );
}

/**
 * Builds `podscope-VERSION.tgz` and the tarball of the Playwright kit.
 * @param out the directory for the tarballs; created if necessary
 * @returns both tarballs, the npm package first
 */
export async function buildPackage(out: string, announce: (part: string) => void): Promise<readonly Tarball[]> {
  await mkdir(out, { recursive: true });
  const stage = await mkdtemp(join(tmpdir(), 'podscope-package-'));
  try {
    await stagePackage(stage, announce);
    const program = await pack(stage, out);
    announce('Packing the Playwright kit…');
    return [program, await packKit(out)];
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/**
 * Returns the command that runs pnpm. If pnpm runs this process, it is the same pnpm, because npx would need the
 * registry, which a test machine can't reach.
 */
function pnpm(): readonly [string, ...string[]] {
  const running = process.env['npm_execpath'] ?? '';
  if (/pnpm(?:\.exe)?$/.test(running)) return [running];
  return /pnpm\.[cm]?js$/.test(running) ? [process.execPath, running] : ['npx', '-y', 'pnpm@12'];
}

/** Packs the Playwright kit as it would be published: pnpm replaces workspace versions and applies `publishConfig`. */
async function packKit(out: string): Promise<Tarball> {
  const kit = join(repositoryRoot, 'packages/playwright');
  const [program, ...args] = pnpm();
  const { stdout } = await run(program, [...args, 'pack', '--json', '--pack-destination', out], { cwd: kit });
  const { filename } = z.object({ filename: z.string() }).parse(JSON.parse(stdout.slice(stdout.indexOf('{'))));
  return { path: filename, size: (await stat(filename)).size };
}
