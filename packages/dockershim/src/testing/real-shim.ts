/**
 * Creates a dockershim on this machine's engine with its own instance label, and removes all objects that it created.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type ContainerRuntime, instrumentRuntimeService } from '@podscope/cri';
import { background, type Context, EventLog, Tracer } from '@podscope/trace';
import Docker from 'dockerode';
import { createDockershim } from '../create-dockershim.ts';
import { labelKeys } from '../objects/labels.ts';
import type { DockershimOptions } from '../options.ts';
import { realClock } from './real-clock.ts';
import { waitUntil } from './wait.ts';

export const busyboxImage = 'busybox:1.36';
const pauseImage = 'podscope/pause:local';

/**
 * Removes a directory. The engine creates missing sources of mounts as root. This process may be unable to remove them,
 * so the engine does.
 */
async function removeAll(docker: Docker, directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 10 }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error;
    const script = 'rm -rf /left/..?* /left/.[!.]* /left/*';
    const HostConfig = { AutoRemove: true, NetworkMode: 'none', Binds: [`${directory}:/left`] };
    await docker.run(busyboxImage, ['sh', '-c', script], process.stderr, { HostConfig });
    await rm(directory, { recursive: true });
  });
}

/** Removes a container, unless it has been removed or is being removed. */
async function removeContainer(docker: Docker, id: string): Promise<void> {
  await docker
    .getContainer(id)
    .remove({ force: true, v: true })
    .catch((error: { readonly statusCode?: number }) => {
      if (error.statusCode !== 404 && error.statusCode !== 409) throw error as Error;
    });
}

/** The dockershim of a test and the objects below it. */
export interface RealShim {
  readonly runtime: ContainerRuntime;
  readonly docker: Docker;
  readonly ctx: Context;
  readonly log: EventLog;
  readonly instance: string;
  readonly stateDirectory: string;
  /** Returns which containers, checkpoints, positions and network results are left. Empty if every pod was removed. */
  leaks(): Promise<readonly string[]>;
  cleanup(): Promise<void>;
}

/**
 * Creates a dockershim.
 * @param engine the engine's socket for direct access; default: that of this machine
 * @throws Error that names the command to run if the engine lacks the images
 */
export async function realShim(options: Partial<DockershimOptions> = {}, engine?: string): Promise<RealShim> {
  const docker = engine ? new Docker({ socketPath: engine.replace('unix://', '') }) : new Docker();
  for (const image of [busyboxImage, pauseImage]) {
    await docker
      .getImage(image)
      .inspect()
      .catch((cause: unknown) => {
        throw new Error(`The tests need the image ${image}: run "npx -y pnpm@12 local-images"`, { cause });
      });
  }
  // The name of the temporary directory differs between test runs, so their instances differ, too.
  const instance = `test-${basename(tmpdir())}-${crypto.randomUUID()}`;
  const stateDirectory = await mkdtemp(join(tmpdir(), 'dockershim-'));
  const containers = (): Promise<readonly Docker.ContainerInfo[]> =>
    docker.listContainers({ all: true, filters: { label: [`${labelKeys.instance}=${instance}`] } });
  const log = new EventLog(realClock);
  const ctx = background(realClock, new Tracer(log));
  const shim = await createDockershim(ctx, { stateDirectory, instance, sandboxImage: pauseImage, ...options });
  return {
    runtime: { ...shim, runtime: instrumentRuntimeService(shim.runtime) },
    docker,
    ctx,
    log,
    instance,
    stateDirectory,
    async leaks() {
      const left = await containers();
      const files = await Promise.all(
        ['sandbox', 'logs', 'cni/results'].map(async (name) =>
          (await readdir(join(stateDirectory, name)).catch(() => [])).map((file) => `${name}/${file}`),
        ),
      );
      return [...left.map(({ Names, Id }) => `container ${Names[0] ?? Id}`), ...files.flat()];
    },
    async cleanup() {
      await waitUntil(async () => {
        const left = await containers();
        await Promise.all(left.map(({ Id }) => removeContainer(docker, Id)));
        return left.length === 0;
      }, 'the removal of the containers');
      await shim.close();
      await removeAll(docker, stateDirectory);
    },
  };
}
