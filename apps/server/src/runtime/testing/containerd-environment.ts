/** Starts Debian's containerd for the CRI contract suite, and lists the features that this containerd doesn't have. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { instrumentRuntimeService } from '@podscope/cri';
import { connectCri } from '@podscope/cri/grpc';
import {
  type ContractEnvironment,
  type ContractFeatures,
  nothingBetween,
  type PlaceBetween,
} from '@podscope/cri/testing';
import { startContainerd } from '@podscope/cri/testing/containerd';
import { systemClock } from '@podscope/node';
import { remoteStreams } from '@podscope/streaming';
import { background, Tracer } from '@podscope/trace';

const exec = promisify(execFile);
const docker = async (...args: readonly string[]): Promise<string> => (await exec('docker', args)).stdout.trim();

const image = 'busybox:1.36';
const timeoutMs = 90_000;
const pollMs = 50;

const testContext = (): ReturnType<typeof background> => background(systemClock(), new Tracer());

/**
 * Starts containerd with the test image.
 * @param between starts the program to which clients connect instead of containerd, such as a relay
 */
export async function containerdEnvironment(between: PlaceBetween = nothingBetween): Promise<ContractEnvironment> {
  const containerd = await startContainerd([image]);
  const front = await between(containerd.endpoint);
  const remote = await connectCri(testContext(), front.endpoint, { connectTimeout: 120_000 });
  const files = await mkdtemp(join(tmpdir(), 'contract-'));
  return {
    runtime: { ...remote, runtime: instrumentRuntimeService(remote.runtime), streams: remoteStreams(remote.runtime) },
    image,
    missingImage: '127.0.0.1:1/podscope/missing:1',
    logDirectory: join(containerd.directory, 'pod-logs'),
    cgroupParent: containerd.cgroup,
    async disposableImage() {
      const name = `podscope-test/disposable:${randomBytes(4).toString('hex')}`;
      // Create an image with its own id for the test, because containerd removes every name of an image id at once.
      const container = await docker('create', image);
      await docker('commit', '--change', `LABEL io.podscope.test=${name}`, container, name);
      await containerd.importImage(name);
      await docker('rm', container);
      await docker('rmi', name);
      return `docker.io/${name}`;
    },
    async hostFile(name, content) {
      const path = join(files, name);
      await writeFile(path, content);
      return path;
    },
    readHostFile: (path) => readFile(path, 'utf8'),
    renameHostFile: rename,
    async waitFor(condition, what = 'the condition') {
      const end = performance.now() + timeoutMs;
      while (!(await condition())) {
        if (performance.now() > end) throw new Error(`waited ${timeoutMs / 1000} s for ${what}`);
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    },
    ctx: testContext,
    async cleanup() {
      await remote.close();
      await front.close();
      await containerd.stop();
      await rm(files, { recursive: true });
    },
  };
}

/**
 * The features of Debian's containerd 1.6. The missing calls were added in 1.7 and 2.0, and idempotent stops in 1.7.
 * containerd also ignores the image filter.
 */
export const containerdFeatures: ContractFeatures = {
  events: false,
  runtimeConfig: false,
  stopsUnknown: false,
  completeLogs: false,
  imageFilter: false,
  streamingLists: false,
  sandboxResources: false,
  metrics: false,
  stopSignal: false,
};
