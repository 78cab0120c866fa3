import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
const pods = '/api/v1/namespaces/default/pods';

beforeAll(async () => {
  server = await startTestServer();
  const container = { name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'], readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1 } };
  await server.request('POST', pods, { body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [container] } } });
  const isReady = async (): Promise<boolean> => /"type":"Ready"[^}]*"status":"True"/.test((await server.request('GET', `${pods}/web`)).text);
  await vi.waitUntil(isReady, { timeout: 30_000, interval: 20 });
});
afterAll(() => server.dispose());

const get = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers });

describe('the kubelet', () => {
  it('shows its pods, and what runs', async () => {
    expect((await get('/pods')).json).toMatchObject({ kind: 'PodList', items: [{ metadata: { name: 'web' }, status: { phase: 'Running' } }] });
    expect((await get('/runningpods/')).json).toMatchObject({
      kind: 'PodList',
      items: [{ metadata: { name: 'web', namespace: 'default' }, spec: { containers: [{ name: 'app' }] } }],
    });
  });

  it('shows its settings', async () => {
    expect((await get('/configz')).json).toMatchObject({ kubeletconfig: { kind: 'KubeletConfiguration', maxPods: 110, syncFrequency: '1m0s' } });
  });

  it('counts under the kubelet’s names', async () => {
    const { text, headers } = await get('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const line of [
      /^kubelet_node_name\{node="podscope"\} 1$/m,
      /^kubelet_running_pods 1$/m,
      /^kubelet_running_containers\{container_state="running"\} 1$/m,
      /^kubelet_desired_pods\{static="false"\} 1$/m,
      /^kubelet_started_pods_total 1$/m,
      /^kubelet_started_containers_total\{container_type="container"\} 1$/m,
      /^kubelet_pod_start_duration_seconds_count 1$/m,
      /^kubelet_pod_worker_start_duration_seconds_count 1$/m,
      /^kubelet_pod_worker_duration_seconds_count\{operation_type="create"\} 1$/m,
      /^kubelet_pleg_relist_duration_seconds_count [1-9]\d*$/m,
      /^kubelet_runtime_operations_total\{operation_type="run_podsandbox"\} 1$/m,
      /^kubelet_runtime_operations_duration_seconds_bucket\{operation_type="create_container",le="\+Inf"\} 1$/m,
      /^prober_probe_total\{probe_type="Readiness",container="app",pod="web",namespace="default",pod_uid="[^"]+",result="successful"\} [1-9]\d*$/m,
      /^process_cpu_seconds_total /m,
    ]) {
      expect(text).toMatch(line);
    }
    const types = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(types).size).toBe(types.length);
  });

  it('tells what pods use, for scrapers and as a summary', async () => {
    expect((await get('/metrics/resource')).text).toMatch(/^container_memory_working_set_bytes\{container="app",namespace="default",pod="web"\} \d+$/m);
    expect((await get('/stats/summary')).json).toMatchObject({
      node: { nodeName: 'podscope', cpu: { usageNanoCores: expect.any(Number) } },
      pods: [{ podRef: { name: 'web' }, containers: [{ name: 'app', memory: { workingSetBytes: expect.any(Number) } }] }],
    });
  });

  it('answers below its node too, and only there', async () => {
    expect((await get('/api/v1/nodes/podscope/proxy/configz')).json).toHaveProperty('kubeletconfig');
    expect((await get('/api/v1/nodes/podscope/proxy/nothing')).status).toBe(404);
    expect((await get('/api/v1/nodes/other/proxy/configz')).status).toBe(404);
    expect((await server.request('POST', '/api/v1/nodes/podscope/proxy/configz')).status).toBe(404);
  });

  it('is behind the token, but for whether it lives', async () => {
    const paths = ['/pods', '/runningpods/', '/configz', '/metrics', '/metrics/resource', '/stats/summary'];
    const statuses = await Promise.all(paths.map(async (path) => (await get(path, { Authorization: '' })).status));
    expect(statuses).toEqual(paths.map(() => 401));
    expect(await get('/healthz', { Authorization: '' })).toMatchObject({ status: 200, text: 'ok' });
  });
});
