/**
 * Checks every 5 s whether the runtime and its network are ready. Upstream: updateRuntimeUp (pkg/kubelet/kubelet.go,
 * v1.36).
 */
import type { Runtime } from '@podscope/kuberuntime';
import type { Context, Milliseconds } from '@podscope/trace';
import type { RuntimeState } from '../runtime/runtime-state.ts';
import { pause } from '../util/wait.ts';
import { withoutTracing } from '../util/without-tracing.ts';

const runtimeCheckPeriod: Milliseconds = 5000;

type RuntimeStatus = Awaited<ReturnType<Runtime['status']>>;
type RuntimeCondition = RuntimeStatus['conditions'][number];

const describe = ({ type, status, reason, message }: RuntimeCondition): string =>
  `${type}=${String(status)} reason:${reason} message:${message}`;

/**
 * Checks the runtime once. A failed call doesn't change the state, which expires if no later call succeeds.
 * @param networkNotReady the text of the release's error when the network isn't ready
 */
export async function updateRuntimeUp(
  ctx: Context,
  runtime: Runtime,
  state: RuntimeState,
  networkNotReady: string,
): Promise<void> {
  let current: RuntimeStatus;
  try {
    current = await runtime.status(withoutTracing(ctx));
  } catch {
    return;
  }
  const { conditions, features, handlers = [] } = current;
  state.features = features;
  state.handlers = handlers;
  const network = conditions.find(({ type }) => type === 'NetworkReady');
  const ready = conditions.find(({ type }) => type === 'RuntimeReady');
  state.setNetworkError(
    network?.status ? undefined : `${networkNotReady}: ${network ? describe(network) : 'no NetworkReady condition'}`,
  );
  if (!ready?.status) {
    state.setRuntimeError(`container runtime not ready: ${ready ? describe(ready) : 'no RuntimeReady condition'}`);
    return;
  }
  state.setRuntimeError(undefined);
  state.setRuntimeSync(ctx.clock.now());
}

/** Checks every 5 s until the context is aborted. */
export async function runtimeCheckLoop(
  ctx: Context,
  runtime: Runtime,
  state: RuntimeState,
  networkNotReady: string,
): Promise<void> {
  while (await pause(ctx, runtimeCheckPeriod)) await updateRuntimeUp(ctx, runtime, state, networkNotReady);
}
