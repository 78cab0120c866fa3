/** Errors as CRI carries them: a gRPC status. */

/** gRPC's status codes by name, with their numbers. */
export const grpcCodes = {
  OK: 0,
  Canceled: 1,
  Unknown: 2,
  InvalidArgument: 3,
  DeadlineExceeded: 4,
  NotFound: 5,
  AlreadyExists: 6,
  PermissionDenied: 7,
  ResourceExhausted: 8,
  FailedPrecondition: 9,
  Aborted: 10,
  OutOfRange: 11,
  Unimplemented: 12,
  Internal: 13,
  Unavailable: 14,
  DataLoss: 15,
  Unauthenticated: 16,
} as const;

/** The name of a gRPC status code, as Go prints it. */
export type GrpcCode = keyof typeof grpcCodes;

/** A failed CRI call: a gRPC status code and its description. */
export class CriError extends Error {
  override readonly name = 'CriError';
  readonly code: GrpcCode;

  /** @param message the status description; the kubelet shows it without the code. */
  constructor(code: GrpcCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** True when `error` is a CRI answer of that code. */
export const isCriError = (error: unknown, code: GrpcCode): error is CriError => error instanceof CriError && error.code === code;
