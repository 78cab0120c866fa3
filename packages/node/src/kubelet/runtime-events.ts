/** Watches the runtime's container events, so that the PLEG relists at once. */
import { errorMessage } from '@podscope/base';
import { type ContainerEventResponse, isCriError, type RuntimeService } from '@podscope/cri';
import { type Context, isCanceled, type Milliseconds, sleep } from '@podscope/trace';

const firstRetry: Milliseconds = 500;
const longestRetry: Milliseconds = 30_000;

/**
 * Calls `onEvent` for every event until the context is canceled. A broken stream is opened again with increasing
 * delays; `onEvent` is then called once, because events may have been missed. Returns if the runtime has no event
 * stream. Upstream: EventedPLEG (v1.36).
 */
export async function watchContainerEvents(
  ctx: Context,
  runtime: RuntimeService,
  onEvent: (event?: ContainerEventResponse) => void,
): Promise<void> {
  let retry = firstRetry;
  while (!ctx.signal.aborted) {
    try {
      for await (const event of runtime.getContainerEvents(ctx, {})) {
        retry = firstRetry;
        onEvent(event);
      }
    } catch (error) {
      if (isCanceled(error, ctx.signal)) return;
      if (isCriError(error, 'Unimplemented')) return;
      const message = `The runtime's event stream broke and is opened again: ${errorMessage(error)}`;
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });
    }
    try {
      await sleep(ctx.clock, retry, ctx.signal);
    } catch {
      return;
    }
    retry = Math.min(retry * 2, longestRetry);
    onEvent();
  }
}
