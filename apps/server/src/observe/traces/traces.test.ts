/**
 * Tests the export of spans, and reading exported spans. The responses in testing/ follow the documented formats of
 * Jaeger's `/api/v3` and Tempo's `/api/search` and `/api/v2/traces`.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CallSpans, isPod, replay, type Tracing } from '@podscope/observer';
import { RunFold, type TraceEvent } from '@podscope/trace';
import { loadTraceFile } from '@podscope/trace/file';
import { afterEach, describe, expect, it } from 'vitest';
import { StartError } from '../../start-error.ts';
import { OtlpExporter, parseHeaders } from '../otlp/otlp-exporter.ts';
import { readRecordingDirectory } from '../recording-directory.ts';
import type { TraceQuery } from './trace-storage.ts';
import { tracesAsFile } from './traces-run.ts';

const answer = (name: string): string => readFileSync(new URL(`testing/${name}.json`, import.meta.url), 'utf8');
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

type Handle = (url: URL, request: IncomingMessage, response: ServerResponse) => unknown;

async function serve(handle: Handle): Promise<string> {
  const server: Server = createServer((request, response) => {
    void handle(new URL(request.url ?? '', 'http://localhost'), request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const query = (storage: TraceQuery['storage'], url: string): TraceQuery => ({
  storage,
  url,
  namespace: 'shop',
  name: 'web-0',
  from: Date.parse('2026-01-01T12:00:00Z'),
  to: Date.parse('2026-01-01T13:00:00Z'),
});

async function opened(asked: TraceQuery) {
  const { header, events } = await loadTraceFile(await tracesAsFile(asked));
  return { run: header.run, events };
}

/** Serves responses in the format of a Jaeger release that ignores `query.attributes`. */
const jaeger = (requests: URL[] = []) =>
  serve((url, _request, response) => {
    requests.push(url);
    const isRelay = url.searchParams.get('query.service_name') === 'podscope-relay';
    if (isRelay) response.end(answer('jaeger-traces'));
    else response.writeHead(404).end('{"error":{"httpCode":404,"message":"No traces found"}}');
  });

const tempo = (requests: URL[] = []) =>
  serve((url, _request, response) => {
    requests.push(url);
    const traces: Record<string, unknown> = JSON.parse(answer('tempo-traces'));
    if (url.pathname === '/api/search') response.end(answer('tempo-search'));
    else response.end(JSON.stringify(traces[url.pathname.split('/').at(-1) ?? '']));
  });

interface Row {
  readonly point: string;
  readonly thread: string;
  readonly node: unknown;
  readonly container: unknown;
  readonly attempt: unknown;
  readonly around: string | undefined;
}

function rowsOf(events: readonly TraceEvent[]): readonly Row[] {
  const started = events.filter((event) => event.type === 'spanStarted');
  return started.map(({ point, thread, attributes, parent }) => ({
    point,
    thread,
    node: attributes['node'],
    container: attributes['container'],
    attempt: attributes['attempt'],
    around: started.find(({ span }) => span === parent)?.point,
  }));
}

const [first, second] = ['3f2c6d1e-0001-4a6b-9c1d-000000000001', '3f2c6d1e-0002-4a6b-9c1d-000000000002'];
const sync = 'kubelet.podWorkerLoop';
const call = { container: 'web', around: sync };
const expected = [
  { point: sync, thread: first, node: 'node-a', container: undefined, attempt: undefined, around: undefined },
  { ...call, point: 'cri.CreateContainer', thread: first, node: 'node-a', attempt: 2 },
  {
    point: 'otlp.pkg.cri.server.CreateContainer.snapshot',
    thread: first,
    node: 'node-a',
    container: undefined,
    attempt: undefined,
    around: 'cri.CreateContainer',
  },
  { ...call, point: 'cri.StartContainer', thread: first, node: 'node-a', attempt: 2 },
  { point: sync, thread: second, node: 'node-b', container: undefined, attempt: undefined, around: undefined },
  { ...call, point: 'cri.CreateContainer', thread: second, node: 'node-b', attempt: 0 },
  { ...call, point: 'cri.ExecSync', thread: 'probe web', node: 'node-b', attempt: 0, around: undefined },
];

describe.each([
  ['jaeger', jaeger],
  ['tempo', tempo],
] as const)('the spans of a pod in the trace storage %s', (storage, server) => {
  it('become syncs and calls of one timeline, across nodes, without the spans of other pods', async () => {
    const { run, events } = await opened(query(storage, await server()));
    expect(rowsOf(events)).toEqual(expected);
    expect(run).toMatchObject({
      nodeName: 'node-a, node-b',
      observed: { version: 'v1.34.1', approximate: true, sources: ['otlp'] },
    });
    const fold = new RunFold();
    fold.applyAll(events);
    expect(fold.pods().map(({ uid, name }) => [uid, name])).toEqual([
      [first, 'web-0'],
      [second, 'web-0'],
    ]);
  });

  it('show the failure of a call, and mark a sync with inferred bounds', async () => {
    const { events } = await opened(query(storage, await server()));
    const failed = events.find((event) => event.type === 'spanEnded' && event.outcome === 'error');
    expect(failed).toMatchObject({ error: { reason: 'Unknown', message: 'exec: not found' } });
    const syncs = events.filter((event) => event.type === 'spanStarted' && event.point === sync);
    expect(syncs.map(({ inferred }) => inferred ?? false)).toEqual([false, true]);
  });
});

describe('the query of a trace storage', () => {
  it('asks Jaeger for the services of relays and kubelets, by pod and time', async () => {
    const requests: URL[] = [];
    await opened(query('jaeger', await jaeger(requests)));
    const values = requests.map(({ searchParams }) => Object.fromEntries(searchParams));
    expect(requests.map(({ pathname }) => pathname)).toEqual(['/api/v3/traces', '/api/v3/traces']);
    expect(values.map((each) => each['query.service_name']).toSorted((a = '', b = '') => a.localeCompare(b))).toEqual([
      'kubelet',
      'podscope-relay',
    ]);
    expect(values[0]).toMatchObject({
      'query.start_time_min': '2026-01-01T12:00:00.000Z',
      'query.attributes': '{"k8s.pod.name":"web-0","k8s.namespace.name":"shop"}',
    });
  });

  it('searches Tempo with TraceQL, and reads each trace by its whole id', async () => {
    const requests: URL[] = [];
    await opened(query('tempo', await tempo(requests)));
    expect(requests[0]?.searchParams.get('q')).toBe(
      '{ span.k8s.pod.name = "web-0" && span.k8s.namespace.name = "shop" }',
    );
    expect(requests.map(({ pathname }) => pathname)).toContain('/api/v2/traces/00000000000000005b8aa5a2d2c872e8');
  });

  it('reads the documents of a gRPC gateway, one per line', async () => {
    const { result } = JSON.parse(answer('jaeger-traces'));
    const documents = result.resourceSpans.map((each: object) => JSON.stringify({ result: { resourceSpans: [each] } }));
    const url = await serve((_url, _request, response) => response.end(documents.join('\n')));
    expect(rowsOf((await opened(query('jaeger', url))).events)).toEqual(expected);
  });

  it('fails with the reason if no trace is found, the format is unknown or the storage does not answer', async () => {
    const none = await serve((_url, _request, response) => response.writeHead(404).end());
    await expect(tracesAsFile(query('tempo', none))).rejects.toThrow('no span of the pod shop/web-0');
    const html = await serve((_url, _request, response) => response.end('<html>'));
    await expect(tracesAsFile(query('jaeger', html))).rejects.toThrow("can't be read");
    const broken = await serve((_url, _request, response) => response.writeHead(500).end('no backend'));
    await expect(tracesAsFile(query('tempo', broken))).rejects.toThrow('answers 500: no backend');
    await expect(tracesAsFile(query('tempo', 'http://127.0.0.1:1'))).rejects.toThrow('does not answer');
  });

  it('stops reading an answer of more than 64 MiB', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const url = await serve((_url, _request, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    });
    await expect(tracesAsFile(query('tempo', url))).rejects.toThrow(`an answer of ${url} is larger than 64 MiB`);
  });

  it('reads at most 1,000 traces, also if the search returns more', async () => {
    const traces = Array.from({ length: 1_010 }, (_, index) => ({ traceID: index.toString(16) }));
    let read = 0;
    const url = await serve((at, _request, response) => {
      if (at.pathname !== '/api/search') read += 1;
      response.end(at.pathname === '/api/search' ? JSON.stringify({ traces }) : '{}');
    });
    await expect(tracesAsFile(query('tempo', url))).rejects.toThrow('no span of the pod');
    expect(read).toBe(1_000);
  });

  it.each(['../../admin', 'a/b', '', 'g', 'a'.repeat(33), '?x'])('rejects the trace id %j', async (traceID) => {
    const paths: string[] = [];
    const url = await serve(({ pathname }, _request, response) => {
      paths.push(pathname);
      response.end(pathname === '/api/search' ? JSON.stringify({ traces: [{ traceID }] }) : '{}');
    });
    await expect(tracesAsFile(query('tempo', url))).rejects.toThrow('is not a trace id');
    expect(paths).toEqual(['/api/search']);
  });

  it('sends the credentials of the address as a header, and omits them in errors', async () => {
    const sent: unknown[] = [];
    const url = await serve((_url, { headers }, response) => {
      sent.push(headers.authorization);
      response.writeHead(500).end('no backend');
    });
    const failed = await tracesAsFile(query('tempo', url.replace('//', '//reader:hunter2@'))).catch(String);
    expect(failed).toContain(`of ${url} answers 500`);
    expect(failed).not.toContain('hunter2');
    expect(sent).toEqual([`Basic ${Buffer.from('reader:hunter2').toString('base64')}`]);
  });
});

describe('the export of an observed kubelet', () => {
  const recordings = new URL('../../../../../packages/observer/recordings', import.meta.url).pathname;

  async function collector(statuses: number[] = []) {
    const bodies: { readonly resourceSpans: readonly object[] }[] = [];
    const headers: IncomingMessage['headers'][] = [];
    const url = await serve(async (at, request, response) => {
      const status = at.pathname === '/v1/traces' ? (statuses.shift() ?? 200) : 404;
      if (status === 200) bodies.push(JSON.parse(await text(request)));
      else request.resume();
      headers.push(request.headers);
      response.writeHead(status).end('{}');
    });
    return { url, bodies, headers };
  }

  async function exported(url: string, tracing: Tracing) {
    let last = 0;
    const spans = new CallSpans((bytes) => (++last).toString(16).padStart(bytes * 2, '0'));
    const notices: string[] = [];
    const exporter = new OtlpExporter({
      url,
      headers: parseHeaders('authorization=Bearer%20token,x-tenant=a'),
      resource: () => ({ 'service.name': 'podscope-relay', 'k8s.node.name': 'node-a' }),
      notify: (message) => notices.push(message),
      every: 3_600_000,
    });
    const replayed = await replay(readRecordingDirectory(recordings, 'b'), {
      tracing,
      onCall: (each) => {
        const span = spans.ofCall(each);
        if (span) exporter.add(span);
      },
    });
    for (const report of replayed.syncs) {
      const span = spans.ofSync(report);
      if (span) exporter.add(span);
    }
    return { exporter, replayed, notices };
  }

  it.each([true, false])(
    'is read back from a trace storage with pod, container, image and attempt (traced: %s)',
    async (isTraced) => {
      const { url, bodies, headers } = await collector();
      const { exporter, replayed } = await exported(url, isTraced ? 'spans' : 'none');
      await exporter.stop();
      expect(headers[0]).toMatchObject({ authorization: 'Bearer token', 'x-tenant': 'a' });
      const resourceSpans = bodies.flatMap((body) => body.resourceSpans);
      const storage = await serve((_url, _request, response) =>
        response.end(JSON.stringify({ result: { resourceSpans } })),
      );
      const creates = replayed.events.filter(
        (event) => event.type === 'spanStarted' && event.point === 'cri.CreateContainer',
      );
      const [some] = creates;
      const added = replayed.events.find((event) => event.type === 'podChanged' && event.pod === some?.pod);
      const pod = added?.type === 'podChanged' && isPod(added.object) ? added.object.metadata : undefined;
      const wanted = { namespace: pod?.namespace ?? '', name: pod?.name ?? '' };
      const { events } = await opened({ ...query('jaeger', storage), ...wanted });
      const back = events.filter((event) => event.type === 'spanStarted' && event.point === 'cri.CreateContainer');
      const own = creates.filter((event) => event.pod === some?.pod);
      const values = (list: readonly TraceEvent[]) =>
        list.map((event) =>
          event.type === 'spanStarted'
            ? [event.time, event.attributes?.['container'], event.attributes?.['attempt']]
            : [],
        );
      expect(back.length).toBeGreaterThan(0);
      expect(values(back).map(([, ...rest]) => rest)).toEqual(values(own).map(([, ...rest]) => rest));
      const images = back.map((event) => event.type === 'spanStarted' && event.attributes?.['container.image.name']);
      expect(images.every((image) => typeof image === 'string' && image !== '')).toBe(true);
      const syncs = events.filter((event) => event.type === 'spanStarted' && event.point === sync);
      expect(syncs.length > 0).toBe(!isTraced);
    },
  );

  it('is sent again after a temporary failure, and the failure is reported once', async () => {
    const { url, bodies } = await collector([503, 503]);
    const { exporter, notices } = await exported(url, 'spans');
    await exporter.flush();
    await exporter.flush();
    expect(bodies).toEqual([]);
    await exporter.stop();
    expect(bodies.length).toBeGreaterThan(0);
    expect(notices).toEqual([`OTLP export to ${url}: the collector answers 503`]);
  });

  it('does not follow a redirect, so that its headers reach no other host', async () => {
    const { url: other, headers } = await collector();
    const url = await serve((_url, request, response) => {
      request.resume();
      response.writeHead(307, { location: `${other}/v1/traces` }).end();
    });
    const { exporter, notices } = await exported(url, 'spans');
    await exporter.stop();
    expect(headers).toEqual([]);
    expect(notices).toEqual([expect.stringContaining('unexpected redirect')]);
  });

  it('does not read the answer of the collector', async () => {
    const open = new Set<ServerResponse>();
    const url = await serve((_url, request, response) => {
      request.resume();
      // Begin a response that never ends.
      open.add(response.writeHead(200));
      response.write('{');
    });
    const { exporter, notices } = await exported(url, 'spans');
    await exporter.stop();
    expect(open.size).toBeGreaterThan(0);
    expect(notices).toEqual([]);
  });

  it('sends the credentials of the address as a header, and omits them in notices', async () => {
    const sent: unknown[] = [];
    const url = await serve((_url, request, response) => {
      sent.push(request.headers.authorization);
      request.resume();
      response.writeHead(503).end();
    });
    const notices: string[] = [];
    const exporter = new OtlpExporter({
      url: url.replace('//', '//writer:hunter2@'),
      headers: {},
      resource: () => ({}),
      notify: (message) => notices.push(message),
      every: 3_600_000,
    });
    const span = {
      t: 0,
      end: 1,
      name: 'a',
      trace: '',
      id: '',
      parent: '',
      scope: '',
      attributes: {},
      error: undefined,
    };
    exporter.add(span);
    await exporter.stop();
    expect(sent).toEqual([`Basic ${Buffer.from('writer:hunter2').toString('base64')}`]);
    expect(notices).toEqual([`OTLP export to ${url}: the collector answers 503`]);
  });

  it('rejects a header whose value is not percent-encoded, with its name and without its value', () => {
    expect(() => parseHeaders('x-tenant=a,x-api-key=%zz')).toThrow(StartError);
    const message = 'OTEL_EXPORTER_OTLP_HEADERS: the value of the header x-api-key is not percent-encoded';
    expect(() => parseHeaders('x-tenant=a,x-api-key=%zz')).toThrow(message);
  });
});
