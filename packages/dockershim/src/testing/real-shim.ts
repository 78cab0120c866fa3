/** A dockershim over the engine of this machine, with an instance of its own; removes everything it made. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type ContainerRuntime, instrumentRuntimeService } from '@podscope/cri';
import { background, type Context, EventLog, Tracer } from '@podscope/trace';
import Docker from 'dockerode';
import { createDockershim } from '../create-dockershim.ts';
import { labelKeys } from '../labels.ts';
import type { DockershimOptions } from '../options.ts';
import { realClock } from './real-clock.ts';

export const busyboxImage = 'busybox:1.36';
const pauseImage = 'podscope/pause:local';

/** What a test works with. */
export interface RealShim {
  readonly runtime: ContainerRuntime;
  readonly docker: Docker;
  readonly ctx: Context;
  readonly log: EventLog;
  readonly instance: string;
  readonly stateDirectory: string;
  /** What is left of all that was made: containers, checkpoints, notes, network results. Empty when every pod was removed. */
  leaks(): Promise<readonly string[]>;
  cleanup(): Promise<void>;
}

/** @param engine the engine's socket, for looking past dockershim; this machine's when left out. @throws Error that names the command to run when the engine lacks the images. */
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
  // Told from those of other test runs by the directory that a run has for temporary files.
  const instance = `test-${basename(tmpdir())}-${crypto.randomUUID()}`;
  const stateDirectory = await mkdtemp(join(tmpdir(), 'dockershim-'));
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
      const containers = await docker.listContainers({ all: true, filters: { label: [`${labelKeys.instance}=${instance}`] } });
      const files = await Promise.all(
        ['sandbox', 'logs', 'cni/results'].map(async (name) => (await readdir(join(stateDirectory, name)).catch(() => [])).map((file) => `${name}/${file}`)),
      );
      return [...containers.map(({ Names, Id }) => `container ${Names[0] ?? Id}`), ...files.flat()];
    },
    async cleanup() {
      const left = await docker.listContainers({ all: true, filters: { label: [`${labelKeys.instance}=${instance}`] } });
      await Promise.all(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
      await shim.close();
      await rm(stateDirectory, { recursive: true, force: true });
    },
  };
}
