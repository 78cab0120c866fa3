import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
const pods = '/api/v1/namespaces/default/pods';

beforeAll(async () => {
  server = await startTestServer();
  const container = {
    name: 'app',
    image: 'busybox:1.36',
    command: ['sleep', '3600'],
    resources: { requests: { cpu: '10m' } },
    readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1 },
  };
  await server.request('POST', pods, {
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [container] } },
  });
  const isReady = async (): Promise<boolean> =>
    /"type":"Ready"[^}]*"status":"True"/.test((await server.request('GET', `${pods}/web`)).text);
  await vi.waitUntil(isReady, { timeout: 120_000, interval: 20 });
});
afterAll(() => server.dispose());

const allocatableSchema = z.object({ status: z.object({ allocatable: z.object({ cpu: z.string() }) }) });
const get = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers });

/** Creates pods that are rejected, a pod that exits, and a resize that doesn't fit beside another pod. */
async function other(): Promise<void> {
  const apply = (name: string, spec: object) =>
    server.request('POST', pods, {
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { containers: [{ name: 'app', image: 'busybox:1.36' }], ...spec },
      },
    });
  const requests = { memory: '4Ti' };
  await apply('elsewhere', { nodeSelector: { disk: 'none' } });
  await apply('too-large', { containers: [{ name: 'app', image: 'busybox:1.36', resources: { requests } }] });
  await apply('failing', {
    restartPolicy: 'Never',
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', 'exit 3'] }],
  });
  const small = { requests: { cpu: '100m' } };
  await apply('neighbor', { containers: [{ name: 'app', image: 'busybox:1.36', resources: small }] });
  const { cpu } = allocatableSchema.parse((await get('/api/v1/nodes/podscope')).json).status.allocatable;
  const body = { spec: { containers: [{ name: 'app', resources: { requests: { cpu } } }] } };
  await server.request('PATCH', `${pods}/web/resize`, {
    body,
    headers: { 'Content-Type': 'application/strategic-merge-patch+json' },
  });
}

describe('the kubelet', () => {
  it('returns its pods and the running pods', async () => {
    expect((await get('/pods')).json).toMatchObject({
      kind: 'PodList',
      items: [{ metadata: { name: 'web' }, status: { phase: 'Running' } }],
    });
    expect((await get('/runningpods/')).json).toMatchObject({
      kind: 'PodList',
      items: [{ metadata: { name: 'web', namespace: 'default' }, spec: { containers: [{ name: 'app' }] } }],
    });
  });

  it('returns its configuration', async () => {
    expect((await get('/configz')).json).toMatchObject({
      kubeletconfig: { kind: 'KubeletConfiguration', maxPods: 110, syncFrequency: '1m0s' },
    });
  });

  it('counts under the metric names of the kubelet', async () => {
    const lines = [
      /^kubelet_node_name\{node="podscope"\} 1$/m,
      /^kubelet_running_pods 1$/m,
      /^kubelet_running_containers\{container_state="running"\} 1$/m,
      /^kubelet_desired_pods\{static=""\} 1$/m,
      /^kubelet_active_pods\{static=""\} 1$/m,
      /^kubelet_active_pods\{static="true"\} 0$/m,
      /^kubelet_mirror_pods 0$/m,
      /^kubelet_working_pods\{lifecycle="sync",config="desired",static=""\} 1$/m,
      /^kubelet_working_pods\{lifecycle="terminating",config="runtime_only",static="unknown"\} 0$/m,
      /^kubelet_containers_per_pod_count_bucket\{le="2"\} 1$/m,
      /^kubelet_pod_start_total_duration_seconds_count 1$/m,
      /^kubelet_pod_start_sli_duration_seconds_count 1$/m,
      /^kubelet_pod_status_sync_duration_seconds_count [1-9]\d*$/m,
      /^kubelet_pleg_relist_interval_seconds_count [1-9]\d*$/m,
      /^kubelet_pleg_pod_relist_duration_seconds_count [1-9]\d*$/m,
      /^kubelet_pleg_last_seen_seconds \d+(\.\d+)?$/m,
      /^kubelet_pleg_discard_events 0$/m,
      /^kubelet_image_manager_ensure_image_requests_total\{pull_policy="ifnotpresent",present_locally="true",pull_required="false"\} 1$/m,
      /^kubelet_http_requests_total\{method="GET",path="pods",server_type="readwrite",long_running="false"\} [1-9]\d*$/m,
      /^kubelet_http_inflight_requests\{method="GET",path="metrics",server_type="readwrite",long_running="false"\} 1$/m,
      /^prober_probe_duration_seconds_count\{probe_type="Readiness",container="app",pod="web",namespace="default"\} [1-9]\d*$/m,
      /^kubelet_started_pods_total 1$/m,
      /^kubelet_started_containers_total\{container_type="container"\} 1$/m,
      /^kubelet_pod_start_duration_seconds_count 2$/m,
      /^kubelet_pod_worker_start_duration_seconds_count 1$/m,
      /^kubelet_pod_worker_duration_seconds_count\{operation_type="create"\} 1$/m,
      /^kubelet_pleg_relist_duration_seconds_count [1-9]\d*$/m,
      /^kubelet_runtime_operations_total\{operation_type="run_podsandbox"\} 1$/m,
      /^kubelet_runtime_operations_duration_seconds_bucket\{operation_type="create_container",le="\+Inf"\} 1$/m,
      /^prober_probe_total\{probe_type="Readiness",container="app",pod="web",namespace="default",pod_uid="[^"]+",result="successful"\} [1-9]\d*$/m,
      /^process_cpu_seconds_total /m,
    ];
    // The kubelet relists one second after its last relist, so the counts of relists appear last.
    const { text, headers } = await vi.waitFor(async () => {
      const answer = await get('/metrics');
      expect(lines.filter((line) => !line.test(answer.text))).toEqual([]);
      return answer;
    }, 120_000);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const types = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(types).size).toBe(types.length);
  });

  it('returns the usage of pods as metrics and as a summary', async () => {
    expect((await get('/metrics/resource')).text).toMatch(
      /^container_memory_working_set_bytes\{container="app",namespace="default",pod="web"\} \d+$/m,
    );
    expect((await get('/stats/summary')).json).toMatchObject({
      node: { nodeName: 'podscope', cpu: { usageNanoCores: expect.any(Number) } },
      pods: [
        { podRef: { name: 'web' }, containers: [{ name: 'app', memory: { workingSetBytes: expect.any(Number) } }] },
      ],
    });
  });

  it('serves the same paths through the proxy of its node, and of no other node', async () => {
    expect((await get('/api/v1/nodes/podscope/proxy/configz')).json).toHaveProperty('kubeletconfig');
    expect((await get('/api/v1/nodes/podscope/proxy/nothing')).status).toBe(404);
    expect((await get('/api/v1/nodes/other/proxy/configz')).status).toBe(404);
    expect((await server.request('POST', '/api/v1/nodes/podscope/proxy/configz')).status).toBe(404);
  });

  it('requires the token except for health checks', async () => {
    const paths = ['/pods', '/runningpods/', '/configz', '/metrics', '/metrics/resource', '/stats/summary'];
    const statuses = await Promise.all(paths.map(async (path) => (await get(path, { Authorization: '' })).status));
    expect(statuses).toEqual(paths.map(() => 401));
    expect(await get('/healthz', { Authorization: '' })).toMatchObject({ status: 200, text: 'ok' });
  });

  it('counts rejections, terminations and resizes', async () => {
    await other();
    const lines = [
      /^kubelet_admission_rejections_total\{reason="Other"\} 1$/m,
      /^kubelet_admission_rejections_total\{reason="OutOfmemory"\} 1$/m,
      /^kubelet_terminated_containers_total\{container_type="container",exit_code="3",reason="Error"\} 1$/m,
      /^kubelet_container_requested_resizes_total\{resource="cpu",requirement="requests",operation="increase"\} 1$/m,
      /^kubelet_pod_pending_resizes\{reason="deferred"\} 1$/m,
    ];
    const missing = async (): Promise<readonly RegExp[]> => {
      const { text } = await get('/metrics');
      return lines.filter((line) => !line.test(text));
    };
    await vi.waitFor(async () => expect(await missing()).toEqual([]), { timeout: 120_000, interval: 50 });
  });
});

it('exposes the v1.20 metrics, and no newer ones, in the v1.20 profile', async () => {
  const old = await startTestServer(['--profile', 'v1.20']);
  try {
    const { text } = await old.request('GET', '/metrics');
    const names = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    for (const name of [
      'docker_operations_total',
      'docker_operations_timeout_total',
      'network_plugin_operations_total',
      'pleg_relist_duration_seconds',
      'evictions',
    ]) {
      expect(names).toContain(`kubelet_${name}`);
    }
    for (const name of [
      'working_pods',
      'started_pods_total',
      'admission_rejections_total',
      'pod_start_sli_duration_seconds',
    ]) {
      expect(names).not.toContain(`kubelet_${name}`);
    }
    expect(names).not.toContain('prober_probe_duration_seconds');
  } finally {
    await old.dispose();
  }
});
