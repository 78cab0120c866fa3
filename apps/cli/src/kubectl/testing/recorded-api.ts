/** Implements a fake API server that serves recorded objects to GET requests. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseManifests } from '@podscope/k8s';

type Fields = Readonly<Record<string, unknown>>;

export interface RecordedApi {
  /** The path of a kubeconfig for the server, with the contexts `test` and `other`. */
  readonly kubeconfig: string;
  /** The requested paths. */
  readonly requests: string[];
  /** Responses by path. A text is a log, and a number is a status code. */
  readonly answers: Map<string, Fields | string | number>;
  /** Sends a line to all open watches of a resource. */
  send(resource: 'pods' | 'events', line: Fields): void;
  dispose(): Promise<void>;
}

const status = (code: number, message: string): Fields => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  message,
});

const folder = join(import.meta.dirname, '../../../../lab/why');

/** Returns the pod and the events of a graded case, in the form in which an API server lists them. */
export function recordedCase(name: string): { readonly pod: Fields; readonly events: readonly Fields[] } {
  const read = (file: string): readonly Fields[] =>
    parseManifests(readFileSync(join(folder, `${file}.yaml`), 'utf8')).objects.map(({ object }) => object);
  const [pod] = read(name);
  if (!pod) throw new Error(`${name} has no pod`);
  return { pod, events: existsSync(join(folder, `${name}.events.yaml`)) ? read(`${name}.events`) : [] };
}

/** Starts the server with the pods and events of graded cases. */
export async function startRecordedApi(...cases: readonly string[]): Promise<RecordedApi> {
  const objects = cases.map(recordedCase);
  const requests: string[] = [];
  const answers = new Map<string, Fields | string | number>();
  const watches: { readonly resource: string; readonly response: ServerResponse }[] = [];
  const meta = (object: Fields) =>
    object['metadata'] as {
      readonly name: string;
      readonly namespace: string;
      readonly labels?: Readonly<Record<string, string>>;
    };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://api');
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    const send = (code: number, body: Fields | string): void => {
      response
        .writeHead(code, { 'content-type': 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    const own = answers.get(url.pathname);
    if (typeof own === 'number') return send(own, status(own, `${url.pathname} is forbidden`));
    if (own !== undefined) return send(200, own);
    const { namespace, resource, name } =
      /^\/api\/v1(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>pods|events)(?:\/(?<name>[^/]+))?$/.exec(
        url.pathname,
      )?.groups ?? {};
    if (resource === undefined) return send(404, status(404, `${url.pathname} not found`));
    if (url.searchParams.has('watch')) {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      watches.push({ resource, response });
      return;
    }
    const selector = url.searchParams.get('labelSelector');
    const field = /(?:metadata|involvedObject)\.name=([^,]+)/.exec(url.searchParams.get('fieldSelector') ?? '')?.[1];
    const [key = '', value] = selector?.split('=') ?? [];
    const pods = objects.filter(
      ({ pod }) =>
        (namespace === undefined || meta(pod).namespace === namespace) &&
        (selector === null || meta(pod).labels?.[key] === value) &&
        (field === undefined || meta(pod).name === field),
    );
    if (name !== undefined) {
      const found = objects.find(({ pod }) => meta(pod).name === name && meta(pod).namespace === namespace);
      return found ? send(200, found.pod) : send(404, status(404, `pods "${name}" not found`));
    }
    return send(200, {
      kind: 'List',
      apiVersion: 'v1',
      metadata: { resourceVersion: '9' },
      items: resource === 'pods' ? pods.map(({ pod }) => pod) : pods.flatMap(({ events }) => events),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const directory = await mkdtemp(join(tmpdir(), 'podscope-kubectl-'));
  const kubeconfig = join(directory, 'config');
  const context = (name: string, namespace: string) => ({ name, context: { cluster: 'c', user: 'u', namespace } });
  await writeFile(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name: 'u', user: { token: 't' } }],
      contexts: [context('test', 'shop'), context('other', 'fin')],
    }),
  );
  return {
    kubeconfig,
    requests,
    answers,
    send: (resource, line) => {
      for (const each of watches) if (each.resource === resource) each.response.write(`${JSON.stringify(line)}\n`);
    },
    dispose: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}
