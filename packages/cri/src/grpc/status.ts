/** Between errors here and the status a gRPC call ends with. */
import type { ServiceError } from '@grpc/grpc-js';
import { DeadlineExceededError, isCanceled } from '@podscope/trace';
import { CriError, type GrpcCode, grpcCodes } from '../error.ts';
import { MissingFieldError } from './decode.ts';

const names = new Map<number, GrpcCode>(Object.entries(grpcCodes).map(([name, number]) => [number, name as GrpcCode]));

/** The status that tells a client of `error`. What is no CriError is Unknown, as in Go. */
export function statusOf(error: unknown, signal: AbortSignal): { code: number; details: string } {
  const details = error instanceof Error ? error.message : String(error);
  if (error instanceof CriError) return { code: grpcCodes[error.code], details };
  if (error instanceof MissingFieldError) return { code: grpcCodes.InvalidArgument, details };
  if (error instanceof DeadlineExceededError) return { code: grpcCodes.DeadlineExceeded, details };
  return { code: isCanceled(error, signal) ? grpcCodes.Canceled : grpcCodes.Unknown, details };
}

/** What the runtime answered, or what became of the connection, as a CriError. */
export function criErrorOf(error: ServiceError): CriError {
  return new CriError(names.get(error.code) ?? 'Unknown', error.details, { cause: error });
}
