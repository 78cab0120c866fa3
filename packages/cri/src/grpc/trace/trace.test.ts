import {
  background,
  type Clock,
  type Context,
  EventLog,
  type Gate,
  openGate,
  type Point,
  type SpanResult,
  type TraceEvent,
  Tracer,
  VirtualClock,
} from '@podscope/trace';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { instrumentRuntimeService } from '../../decorators/instrumented.ts';
import { CriError } from '../../error.ts';
import type { RuntimeService } from '../../services.ts';
import { connectCri, type RemoteRuntime } from '../client/connect.ts';
import { fakeServices, serveFake, testContext } from '../testing/fake-runtime.ts';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

const step: Point = { id: 'runPodSandbox.start', kind: 'criStep', title: 'Start the sandbox' };
const docker: Point = { id: 'docker.StartContainer', kind: 'docker', title: 'docker start' };

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

interface Joined {
  readonly log: EventLog;
  readonly ctx: Context;
  readonly runtime: RuntimeService;
  readonly remote: RemoteRuntime;
  readonly closeServer: () => Promise<void>;
}

/** Returns a client whose log contains the spans of the server. */
async function joined(
  services: Partial<RuntimeService>,
  {
    gate = openGate,
    requestTimeout,
    deviations,
    clock = testContext().clock,
  }: { gate?: Gate; requestTimeout?: number; deviations?: string[]; clock?: Clock } = {},
): Promise<Joined> {
  const server = await serveFake(
    { ...fakeServices(services), ...(deviations ? { deviations: () => deviations } : {}) },
    { drainTimeout: 50 },
  );
  const log = new EventLog(clock);
  const ctx = background(clock, new Tracer(log, gate), 'pod-uid');
  const remote = await connectCri(ctx, server.endpoint, {
    trace: ctx,
    ...(requestTimeout === undefined ? {} : { requestTimeout }),
  });
  cleanups.push(
    () => server.close(),
    () => remote.close(),
  );
  return {
    log,
    ctx,
    remote,
    runtime: instrumentRuntimeService(remote.runtime),
    closeServer: () => server.close(),
  };
}

/** Returns a short text for each event, indented by the depth of its span. */
function outline(events: readonly TraceEvent[]): string[] {
  const depth = new Map<number, number>();
  return events.map((event) => {
    if (event.type === 'spanStarted') {
      const at = event.parent === undefined ? 0 : (depth.get(event.parent) ?? -1) + 1;
      depth.set(event.span, at);
      return `${'  '.repeat(at)}${event.point}`;
    }
    const at = event.span === undefined ? 0 : (depth.get(event.span) ?? -1);
    if (event.type === 'spanEnded') return `${'  '.repeat(at)}/ ${event.outcome}`;
    return `${'  '.repeat(at + 1)}${event.type === 'decision' ? event.rule : event.type}`;
  });
}

/** Starts a container with one step and one Docker call. */
const startContainer: RuntimeService['startContainer'] = (ctx) =>
  ctx.tracer.span(ctx, step, { podSandboxId: 's' }, async (inner) => {
    inner.tracer.decide(inner, 'sandboxIPs.source', { network: 'docker' }, 'the engine');
    await inner.tracer.span(inner, docker, { method: 'POST' }, (call) => {
      const response = { Id: 'c1' };
      call.span.set({ response });
      return response;
    });
    inner.tracer.emit(inner, { type: 'output', level: 'warning', message: 'no swap limit' });
    return {};
  });

describe('a traced call over gRPC', () => {
  it("contains the server's spans, decisions and output, in order, on the client's thread", async () => {
    const { runtime, ctx, log } = await joined({ startContainer });
    await runtime.startContainer(ctx, { containerId: 'c' });
    const events = log.after(0);
    expect(outline(events)).toEqual([
      'cri.StartContainer',
      '  runPodSandbox.start',
      '    sandboxIPs.source',
      '    docker.StartContainer',
      '    / ok',
      '    output',
      '  / ok',
      '/ ok',
    ]);
    expect(new Set(events.map(({ thread }) => thread))).toEqual(new Set(['pod-uid']));
    expect(events[4]).toMatchObject({ attributes: { response: { Id: 'c1' } } });
    expect(events.at(-1)).toMatchObject({
      attributes: { path: '/runtime.v1.RuntimeService/StartContainer', response: {} },
    });
  });

  it("keeps concurrent calls' spans apart", async () => {
    const { runtime, ctx, log } = await joined({
      startContainer: (inner, { containerId }) =>
        inner.tracer.span(inner, step, { containerId }, async () => {
          await new Promise((resolve) => setTimeout(resolve, containerId === 'a' ? 20 : 1));
          return {};
        }),
    });
    await Promise.all(['a', 'b', 'c'].map((containerId) => runtime.startContainer(ctx, { containerId })));
    const starts = log.after(0).filter((event) => event.type === 'spanStarted');
    for (const { parent, attributes } of starts.filter(({ point }) => point === step.id)) {
      const call = starts.find(({ span }) => span === parent);
      expect(call?.attributes).toEqual({ request: { containerId: attributes['containerId'] } });
    }
    expect(starts).toHaveLength(6);
  });

  it('keeps the later spans of a long call below it, however many spans other calls have meanwhile', async () => {
    const held = Promise.withResolvers<void>();
    const { runtime, ctx, log } = await joined({
      startContainer: async (inner, { containerId }) => {
        const run = () => inner.tracer.span(inner, step, { containerId }, async () => ({}));
        if (containerId === 'long') await held.promise;
        else for (let count = 0; count < 1000; count++) await run();
        return run();
      },
    });
    const long = runtime.startContainer(ctx, { containerId: 'long' });
    await runtime.startContainer(ctx, { containerId: 'short' });
    held.resolve();
    await long;
    const starts = log.after(0).filter((event) => event.type === 'spanStarted');
    const last = starts.at(-1);
    expect(last?.attributes).toEqual({ containerId: 'long' });
    expect(starts.find(({ span }) => span === last?.parent)?.attributes).toEqual({ request: { containerId: 'long' } });
  });

  it('keeps its later spans while a call without tracing, with a span of the same number, runs and ends', async () => {
    const held = Promise.withResolvers<void>();
    const { runtime, ctx, log } = await joined({
      startContainer: async (inner, { containerId }) => {
        if (containerId === 'traced') await held.promise;
        return inner.tracer.span(inner, step, { containerId }, async () => ({}));
      },
    });
    const traced = runtime.startContainer(ctx, { containerId: 'traced' });
    await runtime.startContainer({ ...ctx, tracer: new Tracer() }, { containerId: 'silent' });
    held.resolve();
    await traced;
    expect(outline(log.after(0))).toEqual(['cri.StartContainer', '  runPodSandbox.start', '  / ok', '/ ok']);
  });

  it('shows the error of each span that failed', async () => {
    const { runtime, ctx, log } = await joined({
      startContainer: (inner) =>
        inner.tracer.span(inner, docker, {}, () => Promise.reject(new CriError('NotFound', 'no such image'))),
    });
    await expect(runtime.startContainer(ctx, { containerId: 'c' })).rejects.toMatchObject({ code: 'NotFound' });
    const ends = log.after(0).filter((event) => event.type === 'spanEnded');
    expect(ends.map(({ error }) => error)).toEqual([
      { reason: 'NotFound', message: 'no such image' },
      { reason: 'NotFound', message: 'no such image' },
    ]);
  });

  it.each([
    ['traced', {}],
    ['without tracing', { tracer: new Tracer() }],
  ])("reports the runtime's deviations at the join, and changed ones with a call %s", async (_, more) => {
    const deviations = ['no OOM score below 0'];
    const { runtime, remote, ctx } = await joined({ startContainer }, { deviations });
    await vi.waitFor(() => expect(remote.deviations()).toEqual(['no OOM score below 0']), { timeout: 120_000 });
    deviations.push('no swap limit');
    await runtime.startContainer({ ...ctx, ...more }, { containerId: 'c' });
    await vi.waitFor(() => expect(remote.deviations()).toEqual(deviations), { timeout: 120_000 });
  });

  it('ends open spans when the server disappears', async () => {
    const began = Promise.withResolvers<void>();
    const { runtime, ctx, log, closeServer } = await joined({
      startContainer: (inner) =>
        inner.tracer.span(inner, step, {}, ({ signal }) => {
          began.resolve();
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
        }),
    });
    const call = runtime.startContainer(ctx, { containerId: 'c' });
    call.catch(() => undefined);
    await began.promise;
    const closed = closeServer();
    await vi.waitFor(
      () => expect(log.after(0).at(-1)).toMatchObject({ type: 'spanEnded', error: { reason: 'Unavailable' } }),
      { timeout: 120_000 },
    );
    await expect(call).rejects.toMatchObject({ code: 'Unavailable' });
    await closed;
  });
});

/** Returns a gate that stops or replaces the spans of one point. */
const gateAt = (
  point: string,
  { before, after }: { before?: () => Promise<SpanResult | undefined>; after?: () => Promise<SpanResult | undefined> },
): Gate => ({
  before: (_, span) => (span.point.id === point ? before?.() : undefined),
  after: (_, span) => (span.point.id === point ? after?.() : undefined),
});

describe("the client's gate", () => {
  it("holds a span of the server, beyond the call's limit", async () => {
    const stopped = Promise.withResolvers<void>();
    const resume = Promise.withResolvers<undefined>();
    const started = vi.fn<() => void>();
    const clock = new VirtualClock();
    const before = (): Promise<undefined> => {
      stopped.resolve();
      return resume.promise;
    };
    const { runtime, ctx } = await joined(
      {
        startContainer: (inner) =>
          inner.tracer.span(inner, docker, {}, () => {
            started();
            return {};
          }),
      },
      { gate: gateAt(docker.id, { before }), requestTimeout: 60_000, clock },
    );
    const call = runtime.startContainer(ctx, { containerId: 'c' });
    await stopped.promise;
    await clock.advance(150_000);
    expect(started).not.toHaveBeenCalled();
    resume.resolve(undefined);
    await expect(call).resolves.toEqual({});
  });

  it('fails a span of the server with the injected error', async () => {
    const failure = Object.assign(new CriError('Unknown', 'Error response from daemon: disk full'), { status: 500 });
    const seen: unknown[] = [];
    const { runtime, ctx } = await joined(
      {
        startContainer: (inner) =>
          inner.tracer
            .span(inner, docker, {}, () => ({}))
            .catch((error: unknown) => {
              seen.push(error);
              throw error;
            }),
      },
      { gate: gateAt(docker.id, { before: () => Promise.reject(failure) }) },
    );
    await expect(runtime.startContainer(ctx, { containerId: 'c' })).rejects.toThrow('disk full');
    expect(seen).toMatchObject([{ code: 'Unknown', message: 'Error response from daemon: disk full' }]);
  });

  it('replaces the result of a span of the server', async () => {
    const results: unknown[] = [];
    const { runtime, ctx } = await joined(
      {
        startContainer: async (inner) => {
          results.push(await inner.tracer.span(inner, docker, {}, () => ({ Id: 'real' })));
          return {};
        },
      },
      { gate: gateAt(docker.id, { after: () => Promise.resolve({ outcome: 'ok', value: { Id: 'edited' } }) }) },
    );
    await runtime.startContainer(ctx, { containerId: 'c' });
    expect(results).toEqual([{ Id: 'edited' }]);
  });

  it('releases the server when the client disappears', async () => {
    const stopped = Promise.withResolvers<void>();
    const ran = Promise.withResolvers<void>();
    const before = (): Promise<undefined> => {
      stopped.resolve();
      return new Promise(() => undefined);
    };
    const { runtime, remote, ctx } = await joined(
      {
        startContainer: (inner) =>
          inner.tracer.span(inner, docker, {}, () => {
            ran.resolve();
            return {};
          }),
      },
      { gate: gateAt(docker.id, { before }) },
    );
    runtime.startContainer(ctx, { containerId: 'c' }).catch(() => undefined);
    await stopped.promise;
    await remote.close();
    await expect(ran.promise).resolves.toBeUndefined();
  });
});

describe('a call of another client', () => {
  it('is not traced, even with a traceparent header', async () => {
    const { remote, ctx, log } = await joined({ startContainer });
    // The context has no open span, so the call belongs to no trace.
    await remote.runtime.startContainer(ctx, { containerId: 'c' });
    expect(log.after(0)).toEqual([]);
  });
});

describe('traceparent', () => {
  it.each([
    ['00-0af7651916cd43dd8448eb211c80319c-00000000000000ff-01', 255],
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', undefined],
    ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', undefined],
    ['nonsense', undefined],
  ])('%s is the span %s', (text, spanId) => {
    expect(parseTraceparent(text)?.spanId).toBe(spanId);
  });

  it('formats what it parses', () => {
    const text = '00-0af7651916cd43dd8448eb211c80319c-00000000000000ff-01';
    expect([parseTraceparent(text)].map((parent) => parent && formatTraceparent(parent))).toEqual([text]);
  });
});
