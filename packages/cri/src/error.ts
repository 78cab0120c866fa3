/** Defines the error of CRI calls: a gRPC status. */

import { type GoError } from '@podscope/base';
import type { GrpcCode } from '@podscope/trace';

/** A failed CRI call: a gRPC status code and its description. */
export class CriError extends Error implements GoError {
  override readonly name = 'CriError';
  readonly code: GrpcCode;

  /** @param message the description of the status, which the kubelet shows without the code */
  constructor(code: GrpcCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** The text that Go prints for a gRPC status. Upstream: status.Error.Error. */
  get goText(): string {
    return `rpc error: code = ${this.code} desc = ${this.message}`;
  }
}

/** Returns true for a CRI error with this code. */
export const isCriError = (error: unknown, code: GrpcCode): error is CriError =>
  error instanceof CriError && error.code === code;
