/** Converts errors of spans to a form that one process can send to another. */
import { errorMessage } from '@podscope/base';
import { isGrpcErrorCode } from '@podscope/trace';
import { z } from 'zod';
import { CriError } from '../../error.ts';
import type { RuntimeFailures } from '../../runtime/container-runtime.ts';

export const carriedErrorSchema = z.object({
  name: z.string(),
  message: z.string(),
  /** The gRPC code of a CRI error, or the code of an operating system error. */
  code: z.string().optional(),
  /** The property `reason` of the error, if it has one. */
  reason: z.string().optional(),
  /** The HTTP status of an error of the Docker Engine. */
  status: z.number().optional(),
});

export type CarriedError = z.infer<typeof carriedErrorSchema>;

/** An error from the other process that isn't a CRI error. */
class RestoredError extends Error {
  override readonly name: string;
  readonly code?: string;
  readonly reason?: string;

  constructor({ name, message, code, reason }: CarriedError) {
    super(message);
    this.name = name;
    if (code !== undefined) this.code = code;
    if (reason !== undefined) this.reason = reason;
  }
}

const textAt = (object: object, key: string): string | undefined => {
  const value: unknown = Reflect.get(object, key);
  return typeof value === 'string' ? value : undefined;
};

/** Returns the form in which an error is sent. */
export function carryError(thrown: unknown): CarriedError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: errorMessage(thrown) };
  const status: unknown = Reflect.get(thrown, 'status');
  return {
    name: thrown.name,
    message: errorMessage(thrown),
    code: textAt(thrown, 'code'),
    reason: textAt(thrown, 'reason'),
    ...(typeof status === 'number' ? { status } : {}),
  };
}

/** Restores an error that was sent. If it came from a layer below CRI, it becomes an error of that layer. */
export function restoreError(carried: CarriedError, failures: RuntimeFailures | undefined): Error {
  const { code, message, status } = carried;
  if (code === undefined || !isGrpcErrorCode(code)) return new RestoredError(carried);
  const ofEngine = status === undefined ? undefined : failures?.restored?.(code, message, status);
  return ofEngine ?? new CriError(code, message);
}
