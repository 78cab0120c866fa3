import { CriError, instrumentRuntimeService, UnimplementedRuntimeService } from '@podscope/cri';
import { background, EventLog, sleep, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { formatMetrics } from './format-metrics.ts';
import { operationType, RuntimeMetrics } from './runtime-metrics.ts';

class SlowRuntime extends UnimplementedRuntimeService {
  override async runPodSandbox(ctx: Parameters<UnimplementedRuntimeService['runPodSandbox']>[0]) {
    await sleep(ctx.clock, 300);
    return { podSandboxId: 's' };
  }
  override startContainer(): Promise<never> {
    return Promise.reject(new CriError('NotFound', 'no such container'));
  }
}

async function countedRun(): Promise<RuntimeMetrics> {
  const clock = new VirtualClock();
  const log = new EventLog(clock);
  const ctx = background(clock, new Tracer(log));
  const runtime = instrumentRuntimeService(new SlowRuntime());
  const config = { metadata: { name: 'a', namespace: 'b', uid: 'c', attempt: 0 } };
  const running = runtime.runPodSandbox(ctx, { config, runtimeHandler: 'gvisor' });
  await clock.advance(1000);
  await running;
  await expect(runtime.startContainer(ctx, { containerId: 'x' })).rejects.toThrow('no such container');
  const metrics = new RuntimeMetrics();
  for (const event of log.after(0)) metrics.observe(event);
  return metrics;
}

describe('metrics of CRI calls', () => {
  it.each([
    ['Version', 'version'],
    ['RunPodSandbox', 'run_podsandbox'],
    ['CreateContainer', 'create_container'],
    ['UpdateContainerResources', 'update_container'],
    ['ImageFsInfo', 'image_fs_info'],
    ['ReopenContainerLog', 'reopen_container_log'],
  ] as const)('give the method %s the operation_type %s', (method, operation) => {
    expect(operationType(method)).toBe(operation);
  });

  it('count calls, errors and durations', async () => {
    const text = formatMetrics((await countedRun()).families());
    const lines = text.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '# TYPE kubelet_runtime_operations_total counter',
        'kubelet_runtime_operations_total{operation_type="run_podsandbox"} 1',
        'kubelet_runtime_operations_total{operation_type="start_container"} 1',
        'kubelet_runtime_operations_errors_total{operation_type="start_container"} 1',
        'kubelet_runtime_operations_duration_seconds_bucket{operation_type="run_podsandbox",le="0.1953125"} 0',
        'kubelet_runtime_operations_duration_seconds_bucket{operation_type="run_podsandbox",le="0.48828125"} 1',
        'kubelet_runtime_operations_duration_seconds_sum{operation_type="run_podsandbox"} 0.3',
        'kubelet_run_podsandbox_duration_seconds_bucket{runtime_handler="gvisor",le="0.25"} 0',
        'kubelet_run_podsandbox_duration_seconds_count{runtime_handler="gvisor"} 1',
      ]),
    );
    expect(text).not.toContain('errors_total{operation_type="run_podsandbox"}');
  });

  it('escape label values', () => {
    const samples = [{ name: 'x', labels: { a: 'quote " back \\ line\n' }, value: 1 }];
    expect(formatMetrics([{ name: 'x', help: 'h', type: 'counter', samples }])).toContain(
      String.raw`x{a="quote \" back \\ line\n"} 1`,
    );
  });
});
