/**
 * Connects the kubelet to a dockershim in a separate process, with CRI over gRPC, as a kubelet is connected to any CRI
 * runtime. dockershim's spans belong to the kubelet's trace.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContainerRuntime } from '@podscope/cri';
import { connectCri } from '@podscope/cri/grpc';
import { dockershimFailures, dockershimPoints } from '@podscope/dockershim';
import { remoteStreams } from '@podscope/streaming';
import type { Context } from '@podscope/trace';
import type { DockershimOrder } from './messages.ts';
import { startDockershimProcess } from './process.ts';

/** A connection to a dockershim process. */
export interface DockershimOverGrpc {
  readonly containerRuntime: ContainerRuntime;
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
}

/**
 * Starts the process and connects to it. Closing the returned runtime ends the process.
 * @throws CriError Unavailable with the reason why dockershim can't serve
 */
export async function dockershimOverGrpc(
  ctx: Context,
  order: Omit<DockershimOrder, 'listen'>,
  notify: (message: string) => void,
): Promise<DockershimOverGrpc> {
  // Use a short path, because the path of a socket is limited to 107 bytes and a state directory often has a longer
  // one.
  const folder = await mkdtemp(join(tmpdir(), 'podscope-'));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const listen = `unix://${join(folder, 'dockershim.sock')}`;
    const dockershim = await startDockershimProcess({ ...order, listen }, ctx.clock, notify);
    try {
      const remote = await connectCri(ctx, listen, { trace: ctx });
      const containerRuntime: ContainerRuntime = {
        ...remote,
        streams: remoteStreams(remote.runtime),
        points: dockershimPoints,
        failures: dockershimFailures,
        deviations: () => [...new Set([...dockershim.deviations, ...remote.deviations()])],
        async close() {
          await remote.close();
          await dockershim.close();
          await removeFolder();
        },
      };
      return { containerRuntime, cgroupDriver: dockershim.cgroupDriver };
    } catch (error) {
      await dockershim.close();
      throw error;
    }
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
