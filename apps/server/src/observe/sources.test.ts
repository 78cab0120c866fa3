import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { credentials, makeGenericClientConstructor } from '@grpc/grpc-js';
import type { ObservedSpan } from '@podscope/observer';
import { RunFold } from '@podscope/trace';
import protobuf from 'protobufjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KubeletSource, probeCountsIn } from './kubelet-source.ts';
import { ObservedHost } from './observed-host.ts';
import { OtlpReceiver } from './otlp/receiver.ts';

const soon = { timeout: 120_000, interval: 20 };
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Returns an exporter's request that contains one span of a sync. */
function exportRequest(): Uint8Array {
  const writer = protobuf.Writer.create();
  const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
  const nanoseconds = (ms: number): string => `${ms}000000`;
  writer.uint32(10).fork().uint32(18).fork();
  writer.uint32(10).fork().uint32(10).string('k8s.io/kubernetes/pkg/kubelet').ldelim();
  writer.uint32(18).fork();
  writer.uint32(10).bytes(bytes('0af7651916cd43dd8448eb211c80319c')).uint32(18).bytes(bytes('b7ad6b7169203331'));
  writer.uint32(42).string('syncPod');
  writer.uint32(57).fixed64(nanoseconds(1_700_000_000_000)).uint32(65).fixed64(nanoseconds(1_700_000_000_250));
  writer.uint32(74).fork().uint32(10).string('k8s.pod.uid');
  writer.uint32(18).fork().uint32(10).string('u1').ldelim().ldelim();
  writer.uint32(122).fork().uint32(18).string('failed').uint32(24).int32(2).ldelim();
  return writer.ldelim().ldelim().ldelim().finish();
}

const expected: ObservedSpan = {
  t: 1_700_000_000_000,
  end: 1_700_000_000_250,
  name: 'syncPod',
  trace: '0af7651916cd43dd8448eb211c80319c',
  id: 'b7ad6b7169203331',
  parent: '',
  scope: 'k8s.io/kubernetes/pkg/kubelet',
  attributes: { 'k8s.pod.uid': 'u1' },
  error: 'failed',
};

describe('the OTLP receiver', () => {
  async function receiver() {
    const spans: ObservedSpan[] = [];
    const notices: string[] = [];
    const address = '127.0.0.1:0';
    const otlp = new OtlpReceiver({
      grpc: address,
      http: address,
      onSpans: (received) => spans.push(...received),
      notify: (message) => notices.push(message),
    });
    cleanups.push(() => otlp.stop());
    return { spans, notices, ports: await otlp.start() };
  }

  it('receives spans over HTTP with protobuf', async () => {
    const { spans, ports } = await receiver();
    const url = `http://127.0.0.1:${ports.http}/v1/traces`;
    const headers = { 'content-type': 'application/x-protobuf' };
    const response = await fetch(url, { method: 'POST', headers, body: Buffer.from(exportRequest()) });
    expect(response.status).toBe(200);
    expect(spans).toEqual([expected]);
  });

  it('receives spans over gRPC', async () => {
    const { spans, ports } = await receiver();
    const same = (bytes: Buffer): Buffer => bytes;
    const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
    const Client = makeGenericClientConstructor({}, 'TraceService');
    const client = new Client(`127.0.0.1:${ports.grpc}`, credentials.createInsecure());
    cleanups.push(() => client.close());
    const request = Buffer.from(exportRequest());
    await new Promise<void>((resolve, reject) => {
      client.makeUnaryRequest(path, same, same, request, (error) => (error ? reject(error) : resolve()));
    });
    expect(spans).toEqual([expected]);
  });

  it('reports bytes that are not a message and keeps listening', async () => {
    const { spans, notices, ports } = await receiver();
    const url = `http://127.0.0.1:${ports.http}/v1/traces`;
    const headers = { 'content-type': 'application/x-protobuf' };
    await fetch(url, { method: 'POST', headers, body: Buffer.from([10, 200, 1, 1]) });
    expect(notices).toHaveLength(1);
    await fetch(url, { method: 'POST', headers, body: Buffer.from(exportRequest()) });
    expect(spans).toHaveLength(1);
  });
});

describe('a kubelet as a source', () => {
  const pod = {
    metadata: { name: 'web', namespace: 'default', uid: 'u1' },
    spec: { containers: [{ name: 'app', image: 'busybox' }] },
    status: { phase: 'Running' },
  };

  it('shows the pods of /pods and the gates of /configz', async () => {
    const kubelet = createServer(({ url }, response) => {
      const body = url === '/pods' ? { items: [pod] } : { kubeletconfig: { featureGates: { ImageVolume: false } } };
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((listening) => kubelet.listen(0, '127.0.0.1', listening));
    cleanups.push(() => kubelet.close());
    const host = new ObservedHost();
    cleanups.push(() => host.stop());
    const { port } = kubelet.address() as AddressInfo;
    const source = new KubeletSource(host.observer, {
      url: `http://127.0.0.1:${port}`,
      every: 20,
      notify: (message) => expect.fail(message),
    });
    cleanups.push(() => source.stop());
    await vi.waitFor(() => expect(host.observer.facts.featureGates).toEqual({ ImageVolume: false }), soon);
    const fold = new RunFold();
    fold.applyAll(host.log.after(0));
    expect(fold.pods().map(({ name, phases }) => [name, phases.at(-1)?.phase])).toEqual([['web', 'Running']]);
    expect(host.nodeInfo().observed).toMatchObject({ sources: ['pods', 'configz'], missing: ['cri', 'otlp', 'api'] });
  });

  it('reads the attempts of probes if a probe is not a command', async () => {
    const probed = { ...pod.spec.containers[0], livenessProbe: { httpGet: { port: 80 } } };
    let isProbed = false;
    const asked: string[] = [];
    const probesAskedAt: number[] = [];
    const kubelet = createServer(({ url = '' }, response) => {
      asked.push(url);
      const spec = isProbed ? { containers: [probed] } : pod.spec;
      const at = Date.now();
      const answer = (): unknown => (Date.now() < at + 5 ? setImmediate(answer) : response.end(''));
      if (url !== '/metrics/probes')
        return response.end(JSON.stringify({ items: [{ ...pod, spec }], kubeletconfig: {} }));
      probesAskedAt.push(at);
      return answer();
    });
    await new Promise<void>((listening) => kubelet.listen(0, '127.0.0.1', listening));
    cleanups.push(() => kubelet.close());
    const host = new ObservedHost();
    cleanups.push(() => host.stop());
    const url = `http://127.0.0.1:${(kubelet.address() as AddressInfo).port}`;
    const source = new KubeletSource(host.observer, { url, every: 1, notify: (message) => expect.fail(message) });
    cleanups.push(() => source.stop());
    await vi.waitFor(() => expect(asked.filter((path) => path === '/pods').length).toBeGreaterThan(2), soon);
    expect(asked).not.toContain('/metrics/probes');
    const counts = vi.spyOn(host.observer, 'probeCounts');
    isProbed = true;
    await vi.waitFor(() => expect(counts).toHaveBeenCalled(), soon);
    // An answer shows the attempts until its request, and may lack a later one.
    expect(counts.mock.calls[0]?.[0]).toBeLessThanOrEqual(probesAskedAt[0] ?? 0);
  });

  it('passes the pods with the time of their answer, and soon, if the attempts of probes have no answer', async () => {
    const probed = { ...pod.spec.containers[0], livenessProbe: { httpGet: { port: 80 } } };
    const items = [{ ...pod, spec: { containers: [probed] } }];
    let askedAt = Number.POSITIVE_INFINITY;
    const kubelet = createServer(({ url }, response) => {
      if (url === '/metrics/probes') askedAt = Date.now();
      else response.end(JSON.stringify({ items, kubeletconfig: {} }));
    });
    await new Promise<void>((listening) => kubelet.listen(0, '127.0.0.1', listening));
    cleanups.push(() => kubelet.close());
    const host = new ObservedHost();
    cleanups.push(() => host.stop());
    const answers: { readonly t: number; readonly passedAt: number }[] = [];
    vi.spyOn(host.observer, 'pods').mockImplementation(({ t }) => {
      answers.push({ t, passedAt: Date.now() });
    });
    const url = `http://127.0.0.1:${(kubelet.address() as AddressInfo).port}`;
    const source = new KubeletSource(host.observer, { url, every: 1, notify: (message) => expect.fail(message) });
    cleanups.push(() => source.stop());
    await vi.waitFor(() => expect(answers.length).toBeGreaterThan(2), soon);
    const [, during] = answers;
    expect((during?.t ?? Number.NaN) - askedAt).toBeLessThan(900);
    expect((during?.passedAt ?? Number.NaN) - askedAt).toBeLessThan(3_000);
  });

  it('counts the attempts of each probe by result', () => {
    const labels = 'container="app",namespace="default",pod="web",pod_uid="u1",probe_type="Liveness"';
    const metrics = [
      '# TYPE prober_probe_total counter',
      `prober_probe_total{${labels},result="failed"} 3`,
      `prober_probe_total{${labels},result="successful"} 12`,
      `prober_probe_total{${labels},result="unknown"} 1`,
      'prober_probe_duration_seconds_count{container="app",probe_type="Liveness"} 16',
    ].join('\n');
    expect(probeCountsIn(metrics)).toEqual([
      { probe: 'liveness', uid: 'u1', container: 'app', successful: 12, failed: 3 },
    ]);
  });

  it('reports a kubelet that does not answer only once', async () => {
    const host = new ObservedHost();
    cleanups.push(() => host.stop());
    const notices: string[] = [];
    const source = new KubeletSource(host.observer, {
      url: 'http://127.0.0.1:1',
      every: 1,
      notify: (message) => notices.push(message),
    });
    cleanups.push(() => source.stop());
    await vi.waitFor(() => expect(notices).toHaveLength(1), soon);
    expect(notices[0]).toMatch(/^http:\/\/127\.0\.0\.1:1: /);
  });
});
