/** Converts between errors and gRPC statuses. */

import type { ServiceError } from '@grpc/grpc-js';
import { errorMessage } from '@podscope/base';
import { DeadlineExceededError, type GrpcCode, grpcCodeNumber, grpcCodeOf, isCanceled } from '@podscope/trace';
import { CriError } from '../error.ts';
import { MissingFieldError } from './codec/decode.ts';

/** Returns the gRPC status of an error. As in Go, an error other than a CriError is Unknown. */
export function statusOf(error: unknown, signal: AbortSignal): { code: number; details: string } {
  const details = errorMessage(error);
  return { code: grpcCodeNumber(codeOf(error, signal)), details };
}

function codeOf(error: unknown, signal: AbortSignal): GrpcCode {
  if (error instanceof CriError) return error.code;
  if (error instanceof MissingFieldError) return 'InvalidArgument';
  if (error instanceof DeadlineExceededError) return 'DeadlineExceeded';
  return isCanceled(error, signal) ? 'Canceled' : 'Unknown';
}

/** Returns a CriError for a status of the runtime or for a connection error. */
export function criErrorOf(error: ServiceError): CriError {
  return new CriError(grpcCodeOf(error.code) ?? 'Unknown', error.details, { cause: error });
}
