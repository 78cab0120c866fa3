/** Image garbage collection every five minutes. Upstream: StartGarbageCollection (pkg/kubelet/kubelet.go, v1.36). */
import type { EventRecorder } from '@podscope/kuberuntime';
import type { Context, Milliseconds } from '@podscope/trace';
import type { ImageGCManager } from '../images/image-gc-manager.ts';
import { kubeletPoints } from '../points.ts';
import { errorText } from '../util/error-text.ts';
import { pause } from '../util/wait.ts';

const imageGCPeriod: Milliseconds = 300_000;

/** Collects until the context is aborted. One failure may pass, two in a row are told. */
export async function imageGarbageCollectionLoop(ctx: Context, manager: ImageGCManager, recorder: EventRecorder): Promise<void> {
  let failing = false;
  await manager.detectImages(ctx).catch((error: unknown) => warn(ctx, error));
  while (await pause(ctx, imageGCPeriod)) {
    try {
      await ctx.tracer.span(ctx, kubeletPoints.imageGarbageCollect, {}, (inner) => manager.garbageCollect(inner));
      failing = false;
    } catch (error) {
      if (ctx.signal.aborted) return;
      if (failing) recorder.nodeEvent(ctx, 'Warning', 'ImageGCFailed', errorText(error));
      else warn(ctx, error);
      failing = true;
    }
  }
}

function warn(ctx: Context, error: unknown): void {
  if (!ctx.signal.aborted) ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `Image garbage collection failed: ${errorText(error)}` });
}
