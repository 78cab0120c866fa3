/**
 * Converts the response of the gRPC health service to a probe result. Upstream: pkg/probe/grpc (v1.36); v1.20 has no
 * grpc probes.
 */
import { formatGoDuration } from '@podscope/base';
import { goQuote } from '@podscope/k8s';
import type { Milliseconds } from '@podscope/trace';
import type { GrpcHealthOutcome } from '../dependencies.ts';

interface GrpcAnswer {
  readonly result: 'success' | 'failure';
  readonly output: string;
}

function outputOf(outcome: GrpcHealthOutcome, address: string, timeoutMs: Milliseconds): string {
  const timeout = formatGoDuration(timeoutMs);
  if (outcome === 'not connected')
    return `timeout: failed to connect service ${goQuote(address)} within ${timeout}: context deadline exceeded`;
  if ('status' in outcome)
    return outcome.status === 'SERVING'
      ? 'service healthy'
      : `service unhealthy (responded with ${goQuote(outcome.status)})`;
  const { code, details } = outcome;
  if (code === 'Unimplemented')
    return `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${details}`;
  if (code === 'DeadlineExceeded') return `timeout: health rpc did not complete within ${timeout}`;
  return `error: health rpc probe failed: rpc error: code = ${code} desc = ${details}`;
}

/** Returns success for the status SERVING. Every other outcome is a failure, including an unreachable service. */
export const grpcAnswer = (outcome: GrpcHealthOutcome, address: string, timeoutMs: Milliseconds): GrpcAnswer => ({
  result: typeof outcome === 'object' && 'status' in outcome && outcome.status === 'SERVING' ? 'success' : 'failure',
  output: outputOf(outcome, address, timeoutMs),
});
