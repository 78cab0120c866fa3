import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TraceEvent } from '../events/event.ts';
import type { RunInfo } from '../file/run-info.ts';
import { crashLoop, EventScript } from '../folds/testing/index.ts';
import { randomRun } from '../folds/testing/random-run.ts';
import { otlpSpanName, writeOtlp } from './otlp.ts';

const info: RunInfo = {
  id: 'run-1',
  tags: [],
  notes: [],
  startedAt: 0,
  nodeName: 'node',
  runtime: { name: 'docker', version: '20.10', kind: 'docker' },
  profile: 'v1.36',
  engine: 'v1.36.2',
  steps: [],
};

// The messages of opentelemetry/proto/trace/v1/trace.proto as JSON: ids are hexadecimal, 64-bit numbers are texts,
// enums are numbers.
interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly AnyValue[] };
  readonly kvlistValue?: { readonly values: readonly { readonly key: string; readonly value: AnyValue }[] };
}
const anyValue: z.ZodType<AnyValue> = z.lazy(() =>
  z
    .strictObject({
      stringValue: z.string().optional(),
      boolValue: z.boolean().optional(),
      intValue: z
        .string()
        .regex(/^-?\d+$/)
        .optional(),
      doubleValue: z.number().optional(),
      arrayValue: z.strictObject({ values: z.array(anyValue) }).optional(),
      kvlistValue: z.strictObject({ values: z.array(keyValue) }).optional(),
    })
    .refine((value) => Object.keys(value).length <= 1, 'one value'),
);
const keyValue = z.strictObject({ key: z.string().min(1), value: anyValue });
const attributes = z
  .array(keyValue)
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'keys are unique');
const time = z.string().regex(/^\d{1,20}$/);
const span = z
  .strictObject({
    traceId: z.string().regex(/^(?!0{32})[0-9a-f]{32}$/),
    spanId: z.string().regex(/^(?!0{16})[0-9a-f]{16}$/),
    parentSpanId: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes,
    events: z.array(z.strictObject({ timeUnixNano: time, name: z.string().min(1), attributes: z.array(keyValue) })),
    status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
  })
  .refine(
    ({ startTimeUnixNano, endTimeUnixNano }) => BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano),
    'a span ends after it starts',
  );
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({ scope: z.strictObject({ name: z.string(), version: z.string() }), spans: z.array(span) }),
      ),
    }),
  ),
});

async function exported(events: readonly TraceEvent[]) {
  let text = '';
  for await (const piece of writeOtlp(info, events)) text += piece;
  const [resource] = request.parse(JSON.parse(text)).resourceSpans;
  if (!resource) throw new Error('no resource');
  return { resource: resource.resource, spans: resource.scopeSpans.flatMap(({ spans }) => spans) };
}

const attribute = (all: readonly z.infer<typeof keyValue>[], key: string): unknown =>
  Object.values(all.find((entry) => entry.key === key)?.value ?? {})[0];

describe('OTLP export', () => {
  it('is valid for any run', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun(), async (events) => {
        const { spans } = await exported(events);
        expect(spans).toHaveLength(events.filter(({ type }) => type === 'spanStarted').length);
        const ids = new Set(spans.map(({ spanId }) => spanId));
        expect(ids.size).toBe(spans.length);
        for (const { parentSpanId, traceId } of spans) {
          if (parentSpanId === undefined) continue;
          // The parent of each span is in the same trace.
          expect(spans.find(({ spanId }) => spanId === parentSpanId)?.traceId).toBe(traceId);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('uses the span names of the kubelet', () => {
    expect(
      [
        'kubelet.SyncPod',
        'cri.RunPodSandbox',
        'cri.PullImage',
        'kubelet.SyncTerminatingPod',
        'kuberuntime.SyncPod',
      ].map(otlpSpanName),
    ).toEqual([
      'syncPod',
      'runtime.v1.RuntimeService/RunPodSandbox',
      'runtime.v1.ImageService/PullImage',
      'syncTerminatingPod',
      'kuberuntime.SyncPod',
    ]);
  });

  it('gives CRI calls the attributes of otelgrpc, and syncs those of the kubelet', async () => {
    const { resource, spans } = await exported(crashLoop(2).events);
    expect(attribute(resource.attributes, 'service.name')).toBe('kubelet');
    expect(attribute(resource.attributes, 'k8s.node.name')).toBe('node');
    const call = spans.find(({ name }) => name === 'runtime.v1.RuntimeService/RunPodSandbox');
    expect(call?.kind).toBe(3);
    expect(
      Object.fromEntries(
        ['rpc.system', 'rpc.service', 'rpc.method', 'rpc.grpc.status_code'].map((key) => [
          key,
          attribute(call?.attributes ?? [], key),
        ]),
      ),
    ).toEqual({
      'rpc.system': 'grpc',
      'rpc.service': 'runtime.v1.RuntimeService',
      'rpc.method': 'RunPodSandbox',
      'rpc.grpc.status_code': '0',
    });
    const sync = spans.find(({ name }) => name === 'syncPod');
    expect(
      ['k8s.pod', 'k8s.pod.name', 'k8s.namespace.name'].map((key) => attribute(sync?.attributes ?? [], key)),
    ).toEqual(['default/web-0', 'web-0', 'default']);
    // A sync of the pod worker is one trace.
    const pass = spans.find(({ spanId }) => spanId === sync?.parentSpanId);
    expect(pass).toMatchObject({ name: 'kubelet.podWorkerLoop', traceId: call?.traceId });
    expect(pass?.parentSpanId).toBeUndefined();
    expect(spans.flatMap(({ events }) => events.map(({ name }) => name))).toEqual(
      expect.arrayContaining(['decision computePodActions.sandboxChanged', 'BackOff']),
    );
  });

  it('records the error of a failed call, and marks open calls as unfinished', async () => {
    const log = new EventScript('pod');
    log.open('cri.StartContainer');
    log.failingCall('CreateContainer', 5, {}, { reason: 'NotFound', message: 'no such image' });
    const { spans } = await exported(log.events);
    const failed = spans.find(({ name }) => name.endsWith('CreateContainer'));
    expect(failed?.status).toEqual({ code: 2, message: 'NotFound: no such image' });
    expect(attribute(failed?.attributes ?? [], 'rpc.grpc.status_code')).toBe('5');
    const open = spans.find(({ name }) => name.endsWith('StartContainer'));
    expect(attribute(open?.attributes ?? [], 'podscope.unfinished')).toBe(true);
  });

  it('is the same for each export of a run', async () => {
    const { events } = crashLoop(1);
    expect(await exported(events)).toEqual(await exported(events));
  });
});
