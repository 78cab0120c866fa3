import { kubeletPoints } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import { startTestNode } from '@podscope/node/testing';
import type { SpanContext } from '@podscope/trace';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { KubeletMetrics } from './kubelet-metrics.ts';
import { createMeters } from './meters.ts';

const web = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: app, image: 'busybox:1.36', command: [sleep, '3600'] }] }
`;
const counted = (text: string, metric: string): string | undefined =>
  new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\d+)$`, 'm').exec(text)?.[1];

it('counts a started pod and a started container before the attempt ends', async () => {
  const node = await startTestNode();
  const metrics = new KubeletMetrics(node.nodeHost);
  const { debugger: debug, commandTable } = node.nodeHost;
  const proceed = (): unknown => commandTable.run({ command: 'continue' }, { signal: new AbortController().signal });
  debug.attach();
  debug.setBreakpoints('', [{ point: 'cri.RunPodSandbox' }, { point: 'cri.StartContainer' }]);
  const isStopped = (): boolean => debug.state().stopped.length > 0;
  await node.apply(web);
  await node.until(isStopped);
  let { text } = await metrics.text();
  expect(counted(text, 'kubelet_started_pods_total')).toBe('1');
  expect(counted(text, 'kubelet_started_containers_total')).toBeUndefined();

  await proceed();
  await node.until(isStopped);
  ({ text } = await metrics.text());
  expect(counted(text, 'kubelet_started_containers_total')).toBe('1');

  await proceed();
  await node.until(() => node.pod('web')?.status?.phase === 'Running');
  ({ text } = await metrics.text());
  expect(counted(text, 'kubelet_started_pods_total')).toBe('1');
  expect(counted(text, 'kubelet_started_containers_total')).toBe('1');
  metrics.close();
  await node.nodeHost.stop();
});

it('counts an eviction with the signal of the exceeded limit', async () => {
  const node = await startTestNode();
  const metrics = new KubeletMetrics(node.nodeHost);
  const ctx = node.nodeHost.context('eviction');
  for (const message of [
    'Usage of EmptyDir volume "cache" exceeds the limit "1Ki". ',
    'Pod ephemeral local storage usage exceeds the total limit of containers 2Ki. ',
    'Container app exceeded its local ephemeral storage limit "1Ki". ',
  ])
    ctx.tracer.emit(ctx, { type: 'kubernetesEvent', eventType: 'Warning', reason: 'Evicted', message, count: 1 });
  const { text } = await metrics.text();
  expect(text.match(/(?<=^kubelet_evictions\{eviction_signal=")[^"]+"\} \d+$/gm)).toEqual([
    'emptydirfs.limit"} 1',
    'ephemeralpodfs.limit"} 1',
    'ephemeralcontainerfs.limit"} 1',
  ]);
  metrics.close();
  await node.nodeHost.stop();
});

it('counts each attempt to start a pod and a container, also when it fails', async () => {
  const node = await startTestNode();
  const metrics = new KubeletMetrics(node.nodeHost);
  const read = async (): Promise<readonly (string | undefined)[]> => {
    const { text } = await metrics.text();
    return ['pods', 'pods_errors', 'containers', 'containers_errors'].map((name) =>
      counted(text, `kubelet_started_${name}_total`),
    );
  };
  node.simulator.failNext('RunPodSandbox', 'no network', { times: 2 });
  node.simulator.failNext('StartContainer', 'no such file');
  await node.apply(web);
  await node.until(() => node.pod('web')?.status?.phase === 'Running');
  // Two sandboxes fail. The third sandbox has two containers, of which the first fails.
  expect(await read()).toEqual(['3', '2', '2', '1']);
  metrics.close();
  await node.nodeHost.stop();
});

it('counts a preemption with the missing resource', async () => {
  const node = await startTestNode();
  const metrics = new KubeletMetrics(node.nodeHost);
  node.nodeHost.kubelet.measures.take({ of: 'preemption', resource: 'memory' });
  const { text } = await metrics.text();
  expect(text).toContain('kubelet_preemptions{preemption_signal="memory"} 1');
  expect(text).toContain('# HELP kubelet_started_pods_total [ALPHA] Cumulative number of pods started');
  metrics.close();
  await node.nodeHost.stop();
});

it.each([
  ['kubelet_image_pull_duration_seconds', '1 5 10 20 30 60 120 180 240 300 360 480 600 900 1200 1800 2700 3600'],
  [
    'kubelet_pod_resize_duration_milliseconds',
    '10 50 100 500 1000 2000 5000 10000 20000 30000 60000 120000 300000 600000',
  ],
])('%s has the buckets of v1.36', async (name, expected) => {
  const registry = new Registry();
  const { imagePull, resizeDuration } = createMeters(registry, 'v1.36');
  imagePull.observe({ image_size_in_bytes: '0-10MB' }, 1);
  resizeDuration.observe({ success: 'true' }, 1);
  const text = await registry.metrics();
  const bounds = [...text.matchAll(new RegExp(`^${name}_bucket\\{le="(\\d+)"`, 'gm'))].map(([, bound]) => bound);
  expect(bounds.join(' ')).toBe(expected);
});

it.each([
  ['v1.36', '[BETA]', 'Duration in seconds from kubelet seeing a pod to starting a worker.'],
  ['v1.20', '[ALPHA]', 'Duration in seconds from seeing a pod to starting a worker.'],
] as const)('the help texts of %s are those of the release', async (release, stability, help) => {
  const registry = new Registry();
  createMeters(registry, release);
  const text = await registry.metrics();
  expect(text).toContain(`# HELP prober_probe_total ${stability} Cumulative number of a liveness`);
  expect(text).toContain(`# HELP kubelet_pod_worker_start_duration_seconds [ALPHA] ${help}`);
});

it('removes the series of a probe whose worker has ended', async () => {
  const node = await startTestNode();
  const metrics = new KubeletMetrics(node.nodeHost);
  const metadata = { name: 'web', namespace: 'default', uid: 'u1' };
  const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] } };
  const others = { container: 'app', pod: 'web', namespace: 'default' };
  for (const probe_type of ['Liveness', 'Readiness']) {
    for (const result of ['successful', 'failed'])
      metrics.meters.probes.inc({ ...others, probe_type, pod_uid: 'u1', result });
    metrics.meters.probeDuration.observe({ ...others, probe_type }, 1);
  }
  node.nodeHost.kubelet.measures.take({ of: 'probeEnd', pod, container: 'app', type: 'liveness' });
  const { text } = await metrics.text();
  const series = text.split('\n').filter((line) => /^prober_probe_(total|duration_seconds_count)\{/.test(line));
  expect(series.map((line) => /probe_type="(\w+)"/.exec(line)?.[1])).toEqual(['Readiness', 'Readiness', 'Readiness']);
  metrics.close();
  await node.nodeHost.stop();
});

it('counts failed probes without a duration, and no probe that could not run', async () => {
  const node = await startTestNode();
  const metrics = new KubeletMetrics(node.nodeHost);
  const ctx = node.nodeHost.context('probe');
  const attempt = (type: string, body: (inner: SpanContext) => void): Promise<unknown> =>
    ctx.tracer.span(ctx, kubeletPoints.probe, { type, container: 'app' }, body).catch(() => undefined);
  await attempt('liveness', ({ span }) => span.set({ result: 'success' }));
  await attempt('liveness', ({ span }) => span.set({ result: 'failure' }));
  await attempt('readiness', () => {
    throw new Error('no connection to the runtime');
  });
  const { text } = await metrics.text();
  const series = text.split('\n').filter((line) => /^prober_probe_(total|duration_seconds_count)\{/.test(line));
  expect(series.map((line) => /probe_type="(\w+)".*?(?:result="(\w+)")?\} (\d+)$/.exec(line)?.slice(1))).toEqual([
    ['Liveness', 'successful', '1'],
    ['Liveness', 'failed', '1'],
    ['Liveness', undefined, '1'],
  ]);
  metrics.close();
  await node.nodeHost.stop();
});
