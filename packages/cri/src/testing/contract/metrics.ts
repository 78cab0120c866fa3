/** Defines the CRI contract tests of pod and container metrics. */
import { describe, expect, it } from 'vitest';
import type { ContractFeatures } from '../environment.ts';
import { criError, type Scene } from '../scene.ts';

/** The metrics that every runtime must provide. */
const required = [
  'container_cpu_usage_seconds_total',
  'container_memory_usage_bytes',
  'container_memory_working_set_bytes',
  'container_network_receive_bytes_total',
  'container_fs_usage_bytes',
  'container_processes',
  'container_spec_memory_limit_bytes',
  'container_start_time_seconds',
];

const memoryLimitInBytes = 64 * 1024 * 1024;

export function describeMetrics(scene: () => Scene, features: ContractFeatures): void {
  describe('metrics', () => {
    const declare = features.metrics === false ? describeNone : describeAll;
    declare();
  });

  function describeNone(): void {
    it('are Unimplemented', async () => {
      await expect(scene().runtime.listMetricDescriptors(scene().ctx(), {})).rejects.toMatchObject(
        criError('Unimplemented'),
      );
    });
  }

  function describeAll(): void {
    it('have descriptors, and each pod has every described metric', async () => {
      const sandbox = await scene().sandbox();
      const id = await scene().start(sandbox, 'echo hi > /new; sleep 3600', {
        linux: { resources: { memoryLimitInBytes } },
      });
      const { descriptors } = await scene().runtime.listMetricDescriptors(scene().ctx(), {});
      const { podMetrics } = await scene().runtime.listPodSandboxMetrics(scene().ctx(), {});
      const pod = podMetrics.find(({ podSandboxId }) => podSandboxId === sandbox.id);
      const own = pod?.containerMetrics.find(({ containerId }) => containerId === id)?.metrics ?? [];
      expect(own.find(({ name }) => name === 'container_spec_memory_limit_bytes')?.value.value).toBe(
        memoryLimitInBytes,
      );

      const keys = new Map(descriptors.map(({ name, labelKeys }) => [name, labelKeys.length]));
      const reported = [...(pod?.metrics ?? []), ...own];
      expect([...keys.keys()]).toEqual(expect.arrayContaining(required));
      for (const { name, labelValues } of reported) expect([name, labelValues.length]).toEqual([name, keys.get(name)]);
      // A device without I/O has no counters, so these metrics may be missing.
      const silent = new Set(['container_blkio_device_usage_total']);
      expect(
        [...keys.keys()].filter((name) => !silent.has(name) && !reported.some((metric) => metric.name === name)),
      ).toEqual([]);
    });
  }
}
