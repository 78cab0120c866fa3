/** Provides the contract suite with a simulator behind gRPC and a streaming server, and with logs in files. */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connectCri, serveCri } from '@podscope/cri/grpc';
import { type ContractEnvironment, nothingBetween, type PlaceBetween } from '@podscope/cri/testing';
import { remoteStreams, streamedRuntime } from '@podscope/streaming';
import { background, sleep, Tracer } from '@podscope/trace';
import { AppendedLogFiles, MachineFiles } from '../on-disk/index.ts';
import { createSimulator } from '../simulator.ts';
import { FastClock } from './fast-clock.ts';

const realTime = new FastClock();
const podUid = '0f6b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d';

/** Creates an environment whose simulator is called through gRPC. */
export async function simulatorOverGrpc(between: PlaceBetween = nothingBetween): Promise<ContractEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  const ctx = () => background(realTime, new Tracer());
  const failures: unknown[] = [];
  const simulator = createSimulator({
    clock: new FastClock(20),
    hostFiles: new MachineFiles(),
    logFiles: new AppendedLogFiles((_path, error) => failures.push(error)),
  });
  const streamed = streamedRuntime(ctx(), simulator.runtime, simulator.streams);
  const server = await serveCri(
    { runtime: streamed.runtime, images: simulator.images },
    { listen: `unix://${join(folder, 'cri.sock')}`, ctx: ctx() },
  );
  const front = await between(server.endpoint);
  const remote = await connectCri(ctx(), front.endpoint, { connectTimeout: 120_000 });
  let lastFile = 0;
  return {
    ctx,
    runtime: { ...remote, streams: remoteStreams(remote.runtime) },
    image: 'busybox:1.36',
    missingImage: 'busybox:does-not-exist',
    disposableImage: () => {
      simulator.addImage('alpine:3.20');
      return Promise.resolve('alpine:3.20');
    },
    hostFile: async (name, content) => {
      // The file is at the place where a kubelet keeps the files that it mounts.
      const path = join(folder, 'pods', podUid, 'containers', String(++lastFile), name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    logDirectory: join(folder, 'pod-logs'),
    readHostFile: (path) => readFile(path, 'utf8'),
    renameHostFile: rename,
    waitFor: async (condition, what = 'the condition') => {
      const deadline = realTime.now() + 60_000;
      while (!(await condition())) {
        if (realTime.now() > deadline) throw new Error(`gave up waiting for ${what}`);
        await sleep(realTime, 10);
      }
    },
    async cleanup() {
      await remote.close();
      await front.close();
      await server.close();
      await streamed.close();
      await simulator.close();
      await rm(folder, { recursive: true });
      if (failures.length > 0) throw new AggregateError(failures, 'log files could not be written');
    },
  };
}
