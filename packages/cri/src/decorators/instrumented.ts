/**
 * Wraps CRI services so that every call is a span with its request and response. Upstream: instrumented_services.go
 * (kuberuntime, v1.36).
 */
import { criPointsOf, type Release } from '@podscope/flow';

import type { Context } from '@podscope/trace';
import {
  type CriMethod,
  type ImageService,
  imageServiceMethods,
  type RuntimeService,
  runtimeServiceMethods,
} from '../services.ts';

type Unary = (ctx: Context, request: unknown) => unknown;

const isStreaming = (method: CriMethod): boolean => method.startsWith('Stream') || method === 'GetContainerEvents';

/** Returns the request without credentials, which must not be logged. */
function redact(request: unknown): unknown {
  if (typeof request !== 'object' || request === null || !('auth' in request) || !request.auth) return request;
  return { ...request, auth: '<redacted>' };
}

function instrument<Service extends object>(
  service: Service,
  methods: readonly CriMethod[],
  release: Release = 'v1.36',
): Service {
  const points = criPointsOf(release);
  const calls = new Map<PropertyKey, Unary>();
  for (const method of methods) {
    const key = `${method.charAt(0).toLowerCase()}${method.slice(1)}`;
    const call = (Reflect.get(service, key) as Unary).bind(service);
    calls.set(
      key,
      isStreaming(method)
        ? call
        : (ctx, request) => {
            // The call comes from another process, which has already opened the span of the call.
            if (ctx.span?.point.id === points[method].id) return call(ctx, request);
            return ctx.tracer.span(
              ctx,
              points[method],
              () => ({ request: redact(request) }),
              async (inner) => {
                const response = await call(inner, request);
                inner.span.set({ response });
                return response;
              },
            );
          },
    );
  }
  return new Proxy(service, { get: (target, key) => calls.get(key) ?? Reflect.get(target, key) });
}

/**
 * Returns a RuntimeService whose calls are spans. Upstream: instrumentedRuntimeService (v1.36).
 * @param release the release of the kubelet that makes the calls. Default: v1.36
 */
export const instrumentRuntimeService = (service: RuntimeService, release?: Release): RuntimeService =>
  instrument(service, runtimeServiceMethods, release);

/**
 * Returns an ImageService whose calls are spans. Upstream: instrumentedImageManagerService (v1.36).
 * @param release the release of the kubelet that makes the calls. Default: v1.36
 */
export const instrumentImageService = (service: ImageService, release?: Release): ImageService =>
  instrument(service, imageServiceMethods, release);
