/** Creates a dockershim on the in-memory engine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContainerRuntime } from '@podscope/cri';
import { background, type Context, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { onTestFinished } from 'vitest';
import { dockershimOver } from '../create-dockershim.ts';
import type { NetworkPlugin } from '../network/plugin.ts';
import type { DockershimOptions } from '../options.ts';
import { FakeDocker } from './fake-docker.ts';

/** The dockershim of a test and the objects below it. */
export interface FakeShim {
  readonly docker: FakeDocker;
  readonly runtime: ContainerRuntime;
  readonly ctx: Context;
  readonly clock: VirtualClock;
  readonly log: EventLog;
  readonly stateDirectory: string;
  /** Returns the outcomes of all decisions of a rule up to now. */
  readonly decisions: (rule: string) => readonly unknown[];
}

const fakeInstance = 'test';

/**
 * Creates a dockershim with the images `pause:1` (for sandboxes) and `busybox:1.36`. The dockershim is removed at the
 * end of the test.
 */
export async function fakeShim(
  options: Partial<DockershimOptions> = {},
  network?: NetworkPlugin,
  prepare?: (docker: FakeDocker) => void,
): Promise<FakeShim> {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'dockershim-'));
  onTestFinished(() => rm(stateDirectory, { recursive: true, force: true }));
  const docker = new FakeDocker();
  for (const image of ['pause:1', 'busybox:1.36']) docker.images.add(image);
  // Makes the engine look as if it ran on this machine and this process could write its files.
  docker.information = { Name: hostname(), DockerRootDir: stateDirectory };
  prepare?.(docker);
  const clock = new VirtualClock();
  const log = new EventLog(clock);
  const ctx = background(clock, new Tracer(log));
  const all: DockershimOptions = {
    stateDirectory,
    instance: fakeInstance,
    sandboxImage: 'pause:1',
    sandboxImageFallback: null,
    logFiles: false,
    ...options,
  };
  const runtime = await dockershimOver(ctx, docker, all, network);
  docker.takeCalls();
  const decisions = (rule: string): readonly unknown[] =>
    log.after(0).flatMap((event) => (event.type === 'decision' && event.rule === rule ? [event.outcome] : []));
  return { docker, runtime, ctx, clock, log, stateDirectory, decisions };
}
