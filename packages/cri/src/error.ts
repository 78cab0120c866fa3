/** Errors as CRI carries them: a gRPC status. */

import type { GrpcCode } from '@podscope/trace';

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
