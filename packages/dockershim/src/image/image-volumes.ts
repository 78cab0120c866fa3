/** Image volumes on an engine of this machine: the image's files are unpacked once into a directory of ours, which is then bound read-only. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CriError, type Mount } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { isNotFound } from '../docker/error.ts';
import type { DockerClient } from '../docker/port.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import { exists } from '../files.ts';
import { labelKeys } from '../labels.ts';
import { withImageContainer } from './image-container.ts';

const idPrefix = 'sha256:';

/** In the words that the kubelet looks for. Upstream: ErrImageVolumeMountFailed (cri-api, v1.36). */
const failure = (text: string, cause?: unknown): CriError => new CriError('FailedPrecondition', `ImageVolumeMountFailed: ${text}`, { cause });

/** Unpacked images, by id. */
export class ImageVolumes {
  readonly #docker: DockerClient;
  readonly #directory: string;
  readonly #instance: string;
  readonly #unpacking = new Map<string, Promise<string>>();

  constructor(docker: DockerClient, directory: string, instance: string) {
    this.#docker = docker;
    this.#directory = directory;
    this.#instance = instance;
  }

  /**
   * The directory to bind for a path in an image.
   * @throws CriError FailedPrecondition when the image cannot be unpacked, or has no such path.
   */
  async path(ctx: Context, imageId: string, subPath = ''): Promise<string> {
    const hex = imageId.replace(idPrefix, '');
    const unpacking = this.#unpacking.get(hex) ?? this.#unpack(ctx, hex).finally(() => this.#unpacking.delete(hex));
    this.#unpacking.set(hex, unpacking);
    const root = await unpacking;
    if (!subPath) return root;
    // Links in an image must not lead out of it.
    const [realRoot, found] = await Promise.all([realpath(root), realpath(join(root, subPath)).catch(() => undefined)]);
    if (found && (found === realRoot || found.startsWith(`${realRoot}${sep}`))) return found;
    throw failure(`image ${imageId} has no path ${goQuote(subPath)}`);
  }

  /** Which image, and which path in it, a bound directory is; undefined for a directory that is none of ours. */
  mountOf(source: string): Pick<Mount, 'image' | 'imageSubPath'> | undefined {
    if (!source.startsWith(this.#directory + sep)) return undefined;
    const [hex = '', ...rest] = source.slice(this.#directory.length + 1).split(sep);
    return { image: { image: idPrefix + hex, imageRef: idPrefix + hex }, ...(rest.length > 0 ? { imageSubPath: rest.join('/') } : {}) };
  }

  /** Removes what was unpacked of an image. @throws CriError FailedPrecondition while a container uses it. */
  async remove(ctx: Context, imageId: string): Promise<void> {
    const hex = imageId.replace(idPrefix, '');
    const directory = join(this.#directory, hex);
    if (!(await exists(directory))) return;
    const label = [`${labelKeys.instance}=${this.#instance}`];
    const containers = await this.#docker.listContainers(ctx, { all: true, filters: { label } });
    for (const { Id } of containers) {
      const Mounts = await this.#mountsOf(ctx, Id);
      if (Mounts.some(({ Source }) => Source === directory || Source.startsWith(directory + sep))) {
        throw new CriError('FailedPrecondition', `image ${imageId} is in use as a volume of container ${Id}`);
      }
    }
    await rm(directory, { recursive: true, force: true });
  }

  /** None of a container that was removed since it was listed. */
  async #mountsOf(ctx: Context, id: string): Promise<ContainerInspect['Mounts']> {
    return this.#docker.inspectContainer(ctx, { id }).then(
      ({ Mounts }) => Mounts,
      (error: unknown) => {
        if (isNotFound(error)) return [];
        throw error;
      },
    );
  }

  async #unpack(ctx: Context, hex: string): Promise<string> {
    const target = join(this.#directory, hex);
    if (await exists(target)) return target;
    await mkdir(this.#directory, { recursive: true, mode: 0o711 });
    await this.#removeHalfDone();
    const temporary = await mkdtemp(join(this.#directory, '.unpacking-'));
    try {
      const image = { imageId: idPrefix + hex, instance: this.#instance };
      await withImageContainer(this.#docker, ctx, image, (id) => extract(this.#docker.archive(ctx, { id, path: '/' }), temporary));
      await rename(temporary, target);
      return target;
    } catch (cause) {
      await rm(temporary, { recursive: true, force: true });
      throw failure(`image ${idPrefix}${hex} cannot be unpacked: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
    }
  }

  /** What a process left that ended in the middle. */
  async #removeHalfDone(): Promise<void> {
    if (this.#unpacking.size > 1) return;
    for (const name of await readdir(this.#directory)) if (name.startsWith('.')) await rm(join(this.#directory, name), { recursive: true, force: true });
  }
}

const maxErrorBytes = 4096;

/** Unpacks with the machine's own tar: owners, modes and links as they are. */
async function extract(archive: AsyncIterable<Uint8Array>, directory: string): Promise<void> {
  // The temporary directory is private; the image's root is for everybody who may enter the container.
  const child = spawn('tar', ['--extract', '--preserve-permissions', '--numeric-owner', '--directory', directory], { stdio: ['pipe', 'ignore', 'pipe'] });
  let problem = '';
  child.stderr.on('data', (data: Buffer) => {
    if (problem.length < maxErrorBytes) problem += data.toString();
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const copied = pipeline(archive, child.stdin).then(
    () => undefined,
    (error: unknown) => error,
  );
  const code = await ended;
  const copyFailure = await copied;
  if (code !== 0) throw new Error(`tar: ${problem.trim() || `exit code ${code}`}`);
  if (copyFailure) throw copyFailure as Error;
}
