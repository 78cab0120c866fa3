/** Provides a dockershim on a real engine for the contract suite. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectCri, serveCri } from '@podscope/cri/grpc';
import {
  type ContractEnvironment,
  type ContractFeatures,
  nothingBetween,
  type PlaceBetween,
} from '@podscope/cri/testing';
import { remoteStreams } from '@podscope/streaming';
import { busyboxImage, type RealShim, realShim } from './real-shim.ts';
import { waitUntil } from './wait.ts';

const timeoutMs = 90_000;

export interface DockershimEnvironment extends ContractEnvironment {
  readonly shim: RealShim;
}

/** Only root can enter the network namespace of a pod. */
export const dockershimFeatures: ContractFeatures = { loopbackNeeds: ['mounts'] };

/** Creates an environment on this machine's engine. Its cleanup removes all objects that it created. */
export async function dockershimEnvironment(): Promise<DockershimEnvironment> {
  const shim = await realShim();
  const disposable: string[] = [];
  return {
    shim,
    runtime: shim.runtime,
    image: busyboxImage,
    missingImage: '127.0.0.1:1/podscope/missing:1',
    async disposableImage() {
      const name = `podscope-test/disposable:${crypto.randomUUID().slice(0, 8)}`;
      const [repo = '', tag = ''] = name.split(':');
      const container = await shim.docker.createContainer({
        Image: busyboxImage,
        Labels: { 'io.podscope.instance': shim.instance },
      });
      await container.commit({ repo, tag, comment: name, changes: `LABEL io.podscope.test=${tag}` });
      await container.remove();
      disposable.push(name);
      return name;
    },
    async hostFile(name, content) {
      const path = join(shim.stateDirectory, name);
      await writeFile(path, content);
      return path;
    },
    readHostFile: (path) => readFile(path, 'utf8'),
    renameHostFile: rename,
    logDirectory: join(shim.stateDirectory, 'pod-logs'),
    waitFor: (condition, what = 'the condition') => waitUntil(condition, what, timeoutMs),
    ctx: () => shim.ctx,
    async cleanup() {
      await Promise.all(
        disposable.map((name) =>
          shim.docker
            .getImage(name)
            .remove()
            .catch(() => undefined),
        ),
      );
      await shim.cleanup();
    },
  };
}

/** Creates an environment that calls dockershim through gRPC. */
export async function dockershimOverGrpc(between: PlaceBetween = nothingBetween): Promise<ContractEnvironment> {
  const direct = await dockershimEnvironment();
  const { shim } = direct;
  const server = await serveCri(shim.runtime, {
    listen: `unix://${join(shim.stateDirectory, 'cri.sock')}`,
    ctx: shim.ctx,
  });
  const front = await between(server.endpoint);
  const runtime = await connectCri(shim.ctx, front.endpoint, { connectTimeout: 120_000 });
  return {
    ...direct,
    runtime: { ...runtime, streams: remoteStreams(runtime.runtime) },
    logDirectory: join(shim.stateDirectory, 'pod-logs'),
    async cleanup() {
      await runtime.close();
      await front.close();
      await server.close();
      await direct.cleanup();
    },
  };
}
