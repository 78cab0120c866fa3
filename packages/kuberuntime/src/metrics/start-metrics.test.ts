import { kuberuntimePoints, syncPodPoints } from '@podscope/flow';
import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { formatMetrics } from './format-metrics.ts';
import { StartMetrics } from './start-metrics.ts';

/** Runs `emit` and returns the metrics of its events, one line per series. */
async function linesOf(emit: (ctx: ReturnType<typeof background>) => Promise<void>): Promise<readonly string[]> {
  const clock = new VirtualClock();
  const log = new EventLog(clock);
  await emit(background(clock, new Tracer(log)));
  const metrics = new StartMetrics((_pod, container) => (container === 'first' ? 'init_container' : 'container'));
  for (const event of log.after(0)) metrics.observe(event);
  return formatMetrics(metrics.families())
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

describe('StartMetrics', () => {
  it('starts at zero', async () => {
    expect(await linesOf(() => Promise.resolve())).toEqual([
      'kubelet_started_pods_total 0',
      'kubelet_started_pods_errors_total 0',
    ]);
  });

  it('counts a pod and a container before the attempt, by container type', async () => {
    const lines = await linesOf(async (ctx) => {
      await ctx.tracer.span(ctx, syncPodPoints.createPodSandbox, {}, () => undefined);
      for (const container of ['first', 'app', 'app'])
        await ctx.tracer.span(ctx, kuberuntimePoints.startContainer, { container }, () => undefined);
    });
    expect(lines).toEqual([
      'kubelet_started_pods_total 1',
      'kubelet_started_pods_errors_total 0',
      'kubelet_started_containers_total{container_type="init_container"} 1',
      'kubelet_started_containers_total{container_type="container"} 2',
    ]);
  });

  it('counts errors with their code, and no attempt for a container in back-off', async () => {
    const lines = await linesOf(async (ctx) => {
      await ctx.tracer.span(ctx, kuberuntimePoints.startContainer, { container: 'app' }, () => undefined);
      const result = { type: 'syncResult', action: 'StartContainer', target: 'app' } as const;
      ctx.tracer.emit(ctx, { ...result, error: 'ErrImagePull' });
      ctx.tracer.emit(ctx, { ...result, error: 'CrashLoopBackOff' });
      ctx.tracer.emit(ctx, { type: 'syncResult', action: 'CreatePodSandbox', target: 'web', error: 'failed' });
    });
    expect(lines).toEqual([
      'kubelet_started_pods_total 0',
      'kubelet_started_pods_errors_total 1',
      'kubelet_started_containers_total{container_type="container"} 1',
      'kubelet_started_containers_errors_total{container_type="container",code="ErrImagePull"} 1',
    ]);
  });

  it('counts an attempt that failed before startContainer, but no error of it', async () => {
    const lines = await linesOf(async (ctx) => {
      ctx.tracer.emit(ctx, { type: 'syncResult', action: 'StartContainer', target: 'app', error: 'ErrImageVolume' });
    });
    expect(lines).toEqual([
      'kubelet_started_pods_total 0',
      'kubelet_started_pods_errors_total 0',
      'kubelet_started_containers_total{container_type="container"} 1',
    ]);
  });
});
