/**
 * Runs image garbage collection every five minutes. Upstream: StartGarbageCollection (pkg/kubelet/kubelet.go, v1.36).
 */
import { errorText } from '@podscope/base';
import { kubeletPoints } from '@podscope/flow';
import type { EventRecorder } from '@podscope/kuberuntime';
import type { Context, Milliseconds } from '@podscope/trace';
import type { ImageGCManager } from '../images/image-gc-manager.ts';
import { pause } from '../util/wait.ts';

const imageGCPeriod: Milliseconds = 300_000;

/**
 * Collects images until the context is aborted. A first failure is only logged; each further failure in a row emits an
 * event.
 */
export async function imageGarbageCollectionLoop(
  ctx: Context,
  manager: ImageGCManager,
  recorder: EventRecorder,
): Promise<void> {
  let failing = false;
  await manager.detectImages(ctx).catch((error: unknown) => warn(ctx, error));
  if (!manager.collectsAtStart) await pause(ctx, imageGCPeriod);
  do {
    if (ctx.signal.aborted) return;
    try {
      await ctx.tracer.span(ctx, kubeletPoints.imageGarbageCollect, {}, (inner) => manager.garbageCollect(inner));
      failing = false;
    } catch (error) {
      if (ctx.signal.aborted) return;
      if (failing) recorder.nodeEvent(ctx, 'Warning', 'ImageGCFailed', errorText(error));
      else warn(ctx, error);
      failing = true;
    }
  } while (await pause(ctx, imageGCPeriod));
}

function warn(ctx: Context, error: unknown): void {
  if (!ctx.signal.aborted)
    ctx.tracer.emit(ctx, {
      type: 'output',
      level: 'warning',
      message: `Image garbage collection failed: ${errorText(error)}`,
    });
}
