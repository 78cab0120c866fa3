/** Builds the container image of Podscope from its npm package. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productVersion } from '@podscope/server/version';
import { buildPackage } from '../build-package.ts';

const files = join(import.meta.dirname, '../../image');

export interface ImageOptions {
  /** The name of the image, such as `podscope:0.1.0`. */
  readonly tag: string;
  /** The base image. It contains Node.js 22.13 or newer as `node`, and a shell. */
  readonly base: string;
  /** Called before each part that takes longer than a second. */
  readonly announce: (part: string) => void;
}

/**
 * Builds the image with `docker build`. The output of the command goes to stderr.
 * @throws Error if the build fails
 */
export async function buildImage({ tag, base, announce }: ImageOptions): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), 'podscope-image-'));
  try {
    const [program] = await buildPackage(context, announce);
    if (program === undefined) throw new Error('the package was not built');
    await rename(program.path, join(context, 'podscope.tgz'));
    for (const name of ['Dockerfile', 'healthcheck.cjs']) await cp(join(files, name), join(context, name));
    announce('Building the image…');
    const args = ['build', '--tag', tag, '--build-arg', `BASE=${base}`, '--build-arg', `VERSION=${productVersion}`];
    const child = spawn('docker', [...args, context], { stdio: ['ignore', 2, 2] });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`docker build ended with exit code ${code}`);
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}
