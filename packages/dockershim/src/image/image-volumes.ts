/**
 * Mounts image volumes if the engine runs on this machine: unpacks each image once into a directory and binds that
 * directory read-only.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '@podscope/base';
import { CriError, type Mount } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import { isNotFound } from '../docker/error.ts';
import type { DockerClient } from '../docker/port.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import { exists } from '../engine/local-files.ts';
import { labelKeys } from '../objects/labels.ts';
import { withImageContainer } from './image-container.ts';

const idPrefix = 'sha256:';

/**
 * Returns an error that begins with the text by which the kubelet recognizes it. Upstream: ErrImageVolumeMountFailed
 * (cri-api, v1.36).
 */
const failure = (text: string, cause?: unknown): CriError =>
  new CriError('FailedPrecondition', `ImageVolumeMountFailed: ${text}`, { cause });

/** Manages the unpacked images by id. */
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
   * Returns the directory to bind for a path in an image.
   * @throws CriError FailedPrecondition if the image can't be unpacked or doesn't contain the path
   */
  async path(ctx: Context, imageId: string, subPath = ''): Promise<string> {
    const hex = imageId.replace(idPrefix, '');
    const unpacking = this.#unpacking.get(hex) ?? this.#unpack(ctx, hex).finally(() => this.#unpacking.delete(hex));
    this.#unpacking.set(hex, unpacking);
    const root = await unpacking;
    if (!subPath) return root;
    // Rejects a path that leads out of the image through a symbolic link.
    const [realRoot, found] = await Promise.all([realpath(root), realpath(join(root, subPath)).catch(() => undefined)]);
    if (found && (found === realRoot || found.startsWith(`${realRoot}${sep}`))) return found;
    throw failure(`image ${imageId} has no path ${goQuote(subPath)}`);
  }

  /** Returns the image and the path to which a bound directory belongs; undefined for other directories. */
  mountOf(source: string): Pick<Mount, 'image' | 'imageSubPath'> | undefined {
    if (!source.startsWith(this.#directory + sep)) return undefined;
    const [hex = '', ...rest] = source.slice(this.#directory.length + 1).split(sep);
    return {
      image: { image: idPrefix + hex, imageRef: idPrefix + hex },
      ...(rest.length > 0 ? { imageSubPath: rest.join('/') } : {}),
    };
  }

  /**
   * Removes the unpacked files of an image.
   * @throws CriError FailedPrecondition while a container uses them
   */
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

  /** Returns the container's mounts; empty if the container has been removed meanwhile. */
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
      await withImageContainer(ctx, this.#docker, image, (id) =>
        extract(this.#docker.archive(ctx, { id, path: '/' }), temporary),
      );
      await rename(temporary, target);
      return target;
    } catch (cause) {
      await rm(temporary, { recursive: true, force: true });
      throw failure(`image ${idPrefix}${hex} cannot be unpacked: ${errorMessage(cause)}`, cause);
    }
  }

  /** Removes the temporary directories of processes that were killed. */
  async #removeHalfDone(): Promise<void> {
    if (this.#unpacking.size > 1) return;
    for (const name of await readdir(this.#directory))
      if (name.startsWith('.')) await rm(join(this.#directory, name), { recursive: true, force: true });
  }
}

const maxErrorBytes = 4096;

/** Unpacks an archive with the machine's tar program, which keeps owners, modes and links. */
async function extract(archive: AsyncIterable<Uint8Array>, directory: string): Promise<void> {
  // mkdtemp creates a directory that only its owner can read, but users in the container must be able to read it.
  const child = spawn('tar', ['--extract', '--preserve-permissions', '--numeric-owner', '--directory', directory], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
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
