/** Between errors here and the status a gRPC call ends with. */
import type { ServiceError } from '@grpc/grpc-js';
import { DeadlineExceededError, type GrpcCode, grpcCodeNumber, grpcCodeOf, isCanceled } from '@podscope/trace';
import { CriError } from '../error.ts';
import { MissingFieldError } from './decode.ts';

/** The status that tells a client of `error`. What is no CriError is Unknown, as in Go. */
export function statusOf(error: unknown, signal: AbortSignal): { code: number; details: string } {
  const details = error instanceof Error ? error.message : String(error);
  return { code: grpcCodeNumber(codeOf(error, signal)), details };
}

function codeOf(error: unknown, signal: AbortSignal): GrpcCode {
  if (error instanceof CriError) return error.code;
  if (error instanceof MissingFieldError) return 'InvalidArgument';
  if (error instanceof DeadlineExceededError) return 'DeadlineExceeded';
  return isCanceled(error, signal) ? 'Canceled' : 'Unknown';
}

/** What the runtime answered, or what became of the connection, as a CriError. */
export function criErrorOf(error: ServiceError): CriError {
  return new CriError(grpcCodeOf(error.code) ?? 'Unknown', error.details, { cause: error });
}
