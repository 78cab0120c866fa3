/** gRPC's status codes, which CRI's errors carry and exports tell by number. */

/** Those that are errors, as Go prints them, in the order of their numbers from 1 on. */
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

/** The name of a code that is an error. */
export type GrpcErrorCode = (typeof grpcErrorCodes)[number];

/** The name of a code. */
export type GrpcCode = 'OK' | GrpcErrorCode;

const names: readonly GrpcCode[] = ['OK', ...grpcErrorCodes];

/** The code's number on the wire. */
export const grpcCodeNumber = (code: GrpcCode): number => names.indexOf(code);

/** The code with that number; undefined when there is none. */
export const grpcCodeOf = (number: number): GrpcCode | undefined => names[number];

/** True when `text` names a code that is an error. */
export const isGrpcErrorCode = (text: string): text is GrpcErrorCode => grpcErrorCodes.some((code) => code === text);
