/**
 * Wraps a Docker client so that every call is a span with its request and its answer. Upstream: instrumented_client.go
 * (libdocker, v1.20).
 */
import { dockerPoints } from '@podscope/flow';
import type { Attributes, Context } from '@podscope/trace';
import type { DockerArgs, DockerClient, DockerOperation } from './port.ts';
import { describeCall, dockerCall, requestPath } from './requests.ts';

type Call = (ctx: Context, args: object) => Promise<unknown>;

const decoder = new TextDecoder();

/** Returns the answer to record in the span. The output of an exec is converted to text. */
function showable(response: unknown): unknown {
  // A hijacked connection is recorded without an answer.
  if (typeof response === 'object' && response !== null && 'endInput' in response) return undefined;
  if (typeof response !== 'object' || response === null || !('stdout' in response) || !('stderr' in response))
    return response;
  const { stdout, stderr } = response;
  return {
    stdout: stdout instanceof Uint8Array ? decoder.decode(stdout) : stdout,
    stderr: stderr instanceof Uint8Array ? decoder.decode(stderr) : stderr,
  };
}

function describe<O extends DockerOperation>(operation: O, args: DockerArgs<O>): Attributes {
  const request = describeCall(dockerCall(operation, args));
  const credentials = 'auth' in args && args.auth ? { headers: { 'X-Registry-Auth': '<redacted>' } } : {};
  const body = request.body === undefined ? {} : { body: request.body };
  return { method: request.method, path: requestPath(request), ...credentials, ...body };
}

/** Returns a client that opens a span for each call. */
export function instrumentDocker(client: DockerClient): DockerClient {
  const calls = new Map<PropertyKey, Call>();
  for (const operation of Object.keys(dockerPoints) as DockerOperation[]) {
    calls.set(operation, (ctx, args) =>
      ctx.tracer.span(
        ctx,
        dockerPoints[operation],
        () => describe(operation, args as DockerArgs<typeof operation>),
        async (inner) => {
          const response = await (client[operation] as Call).call(client, inner, args);
          if (response !== undefined)
            inner.span.set({ response: inner.tracer.enabled ? showable(response) : undefined });
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
