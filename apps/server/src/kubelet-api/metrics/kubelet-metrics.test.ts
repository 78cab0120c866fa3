import { startTestNode } from '@podscope/node/testing';
import { expect, it } from 'vitest';
import { KubeletMetrics } from './kubelet-metrics.ts';

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
