/** ImageFsInfo: how much of the disk images and containers take. */
import { statfs } from 'node:fs/promises';
import type { FilesystemUsage, ImageFsInfoResponse } from '@podscope/cri';
import { type Context, toNanoseconds } from '@podscope/trace';
import type { Shim } from '../shim.ts';

/** Upstream: ImageFsInfo (dockershim, v1.20), which sums up a directory that holds no layers; here the engine is asked. */
export async function imageFsInfo(shim: Shim, ctx: Context): Promise<ImageFsInfoResponse> {
  const { rootDirectory, hasLocalFiles } = shim.engine;
  const { LayersSize, Containers } = await shim.docker.diskUsage(ctx, {});
  const inodes = hasLocalFiles ? await usedInodes(rootDirectory) : undefined;
  const usage = (bytes: number): FilesystemUsage => ({
    timestamp: toNanoseconds(ctx.clock.now()),
    fsId: { mountpoint: rootDirectory },
    usedBytes: { value: bytes },
    ...(inodes === undefined ? {} : { inodesUsed: { value: inodes } }),
  });
  const writable = Containers.reduce((sum, { SizeRw }) => sum + SizeRw, 0);
  return { imageFilesystems: [usage(LayersSize)], containerFilesystems: [usage(writable)] };
}

async function usedInodes(path: string): Promise<number | undefined> {
  const { files, ffree } = await statfs(path).catch(() => ({ files: 0, ffree: 0 }));
  return files > 0 ? files - ffree : undefined;
}
