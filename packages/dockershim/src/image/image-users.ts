/**
 * Reads the users that an image defines. To exclude the image's supplementary groups, Docker must receive the user's
 * primary group.
 */
import { posix } from 'node:path';
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { Context } from '@podscope/trace';
import { isNotFound } from '../docker/error.ts';
import type { DockerClient } from '../docker/port.ts';
import { withImageContainer } from './image-container.ts';
import { readTarFile } from './tar-file.ts';

const userFile = '/etc/passwd';
const maxLinks = 8;
const maxImages = 100;

/** Finds users in images. The content of an image never changes, so each image is read once. */
export class ImageUsers {
  readonly #docker: DockerClient;
  readonly #instance: string;
  readonly #files = new Map<string, Promise<string>>();

  constructor(docker: DockerClient, instance: string) {
    this.#docker = docker;
    this.#instance = instance;
  }

  /**
   * Returns the number of the user's primary group; 0 for a numeric user that the image doesn't define.
   * @param user name or number; empty for root
   * @throws CriError InvalidArgument for a name that the image doesn't define
   */
  async primaryGroup(ctx: Context, imageId: string, user: string): Promise<number> {
    const wanted = user || '0';
    const lines = (await this.#users(ctx, imageId)).split('\n').map((line) => line.split(':'));
    const found = lines.find(([name]) => name === wanted) ?? lines.find(([, , uid]) => uid === wanted);
    const group = Number(found?.[3] ?? Number.NaN);
    if (Number.isInteger(group)) return group;
    if (/^\d+$/.test(wanted)) return 0;
    throw new CriError(
      'InvalidArgument',
      `unable to find user ${goQuote(wanted)}: no matching entries in ${userFile} of image ${imageId}`,
    );
  }

  #users(ctx: Context, imageId: string): Promise<string> {
    const known = this.#files.get(imageId);
    if (known) return known;
    if (this.#files.size >= maxImages) this.#files.clear();
    const reading = withImageContainer(ctx, this.#docker, { imageId, instance: this.#instance }, (id) =>
      this.#read(ctx, id),
    );
    this.#files.set(imageId, reading);
    // A failed read isn't cached, so the next call reads again.
    reading.catch(() => this.#files.delete(imageId));
    return reading;
  }

  /** Returns the content of the image's user file; an empty text if the image has no such file. */
  async #read(ctx: Context, id: string): Promise<string> {
    let path = userFile;
    for (let links = 0; links < maxLinks; links += 1) {
      const file = await readTarFile(this.#docker.archive(ctx, { id, path })).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      if (!file) return '';
      if ('content' in file) return new TextDecoder().decode(file.content);
      path = posix.resolve(posix.dirname(path), file.link);
    }
    return '';
  }
}
