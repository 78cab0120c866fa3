/** Makes every call of the Docker Engine a span that shows the request as it goes over the wire and the answer. */
import type { Attributes, Context } from '@podscope/trace';
import { dockerPoints } from '../points.ts';
import type { DockerClient, DockerOperation } from './port.ts';
import { type DockerRequest, dockerRequests, requestPath } from './requests.ts';

type Call = (ctx: Context, args: object) => Promise<unknown>;
type Describe = (args: object) => DockerRequest;

const decoder = new TextDecoder();

/** Output of an exec reads better as text. */
function showable(response: unknown): unknown {
  // An open connection has no answer to show.
  if (typeof response === 'object' && response !== null && 'endInput' in response) return undefined;
  if (typeof response !== 'object' || response === null || !('stdout' in response) || !('stderr' in response)) return response;
  const { stdout, stderr } = response;
  return { stdout: stdout instanceof Uint8Array ? decoder.decode(stdout) : stdout, stderr: stderr instanceof Uint8Array ? decoder.decode(stderr) : stderr };
}

function describe(operation: DockerOperation, args: object): Attributes {
  const request = (dockerRequests[operation] as Describe)(args);
  const credentials = 'auth' in args && args.auth ? { headers: { 'X-Registry-Auth': '<redacted>' } } : {};
  const body = request.body === undefined ? {} : { body: request.body };
  return { method: request.method, path: requestPath(request), ...credentials, ...body };
}

/** A client whose calls are spans. Upstream: instrumented_client.go (libdocker, v1.20). */
export function instrumentDocker(client: DockerClient): DockerClient {
  const calls = new Map<PropertyKey, Call>();
  for (const operation of Object.keys(dockerPoints) as DockerOperation[]) {
    calls.set(operation, (ctx, args) =>
      ctx.tracer.span(
        ctx,
        dockerPoints[operation],
        () => describe(operation, args),
        async (inner) => {
          const response = await (client[operation] as Call).call(client, inner, args);
          if (response !== undefined) inner.span.set({ response: inner.tracer.enabled ? showable(response) : undefined });
          return response;
        },
      ),
    );
  }
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = calls.get(key) ?? Reflect.get(target, key, target);
      return typeof value === 'function' && !calls.has(key) ? value.bind(target) : value;
    },
  });
}
