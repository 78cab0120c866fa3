/** Lists the gRPC status codes, which CRI errors carry by name and exports by number. */

/** The error codes, as Go prints them, in order of their numbers from 1. */
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

/** The name of any code. */
export type GrpcCode = 'OK' | GrpcErrorCode;

const names: readonly GrpcCode[] = ['OK', ...grpcErrorCodes];

/** Returns the code's number on the wire. */
export const grpcCodeNumber = (code: GrpcCode): number => names.indexOf(code);

/** Returns the code with that number, or undefined if the number is unknown. */
export const grpcCodeOf = (number: number): GrpcCode | undefined => names[number];

/** Returns true if `text` is the name of an error code. */
export const isGrpcErrorCode = (text: string): text is GrpcErrorCode => grpcErrorCodes.some((code) => code === text);
