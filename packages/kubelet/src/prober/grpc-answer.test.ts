import { describe, expect, it } from 'vitest';
import type { GrpcHealthOutcome } from '../dependencies.ts';
import { grpcAnswer } from './grpc-answer.ts';

describe("a grpc probe's result", () => {
  it.each<[GrpcHealthOutcome, 'success' | 'failure', string]>([
    [{ status: 'SERVING' }, 'success', 'service healthy'],
    [{ status: 'NOT_SERVING' }, 'failure', 'service unhealthy (responded with "NOT_SERVING")'],
    [{ status: 'UNKNOWN' }, 'failure', 'service unhealthy (responded with "UNKNOWN")'],
    [
      { code: 'Unimplemented', details: 'unknown service grpc.health.v1.Health' },
      'failure',
      'error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown ' +
        'service grpc.health.v1.Health',
    ],
    [
      { code: 'DeadlineExceeded', details: 'context deadline exceeded' },
      'failure',
      'timeout: health rpc did not complete within 1.5s',
    ],
    [
      { code: 'NotFound', details: 'unknown service' },
      'failure',
      'error: health rpc probe failed: rpc error: code = NotFound desc = unknown service',
    ],
    [
      'not connected',
      'failure',
      'timeout: failed to connect service "10.0.0.7:5000" within 1.5s: context deadline exceeded',
    ],
  ])('makes of %j a %s', (outcome, result, output) => {
    expect(grpcAnswer(outcome, '10.0.0.7:5000', 1500)).toEqual({ result, output });
  });
});
