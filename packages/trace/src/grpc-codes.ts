/** Lists the gRPC status codes. CRI errors contain their names, and exports contain their numbers. */

/** The names of the error codes as Go prints them, in the order of their numbers from 1. */
export const grpcErrorCodes = [
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
] as const;

/** The name of an error code. */
export type GrpcErrorCode = (typeof grpcErrorCodes)[number];

/** The name of a code. `OK` is the name for success. */
export type GrpcCode = 'OK' | GrpcErrorCode;

const names: readonly GrpcCode[] = ['OK', ...grpcErrorCodes];

/** Returns the number of a code as gRPC sends it. */
export const grpcCodeNumber = (code: GrpcCode): number => names.indexOf(code);

/** Returns the code with this number; undefined if the number is unknown. */
export const grpcCodeOf = (number: number): GrpcCode | undefined => names[number];

/** Returns true if `text` is the name of an error code. */
export const isGrpcErrorCode = (text: string): text is GrpcErrorCode => grpcErrorCodes.some((code) => code === text);
