/** Translates errors of the Docker Engine into CRI errors with Docker's text and the corresponding gRPC code. */
import { aggregateText, errorMessage } from '@podscope/base';
import { CriError } from '@podscope/cri';
import type { GrpcCode } from '@podscope/trace';

/** The error of a failed call to the Docker Engine. */
export class DockerError extends CriError {
  /** The HTTP status; undefined if the engine didn't answer. */
  readonly status: number | undefined;

  constructor(code: GrpcCode, message: string, status?: number, options?: ErrorOptions) {
    super(code, message, options);
    this.status = status;
  }
}

const codes = new Map<number, GrpcCode>([
  [400, 'InvalidArgument'],
  [401, 'Unauthenticated'],
  [403, 'PermissionDenied'],
  [404, 'NotFound'],
  [409, 'FailedPrecondition'],
  [501, 'Unimplemented'],
  [503, 'Unavailable'],
]);

/** Matches errors that are InvalidArgument although older engines answer them with status 500. */
const invalidPattern = /^invalid (?:volume specification|mount config)/;

const conflictPattern = /Conflict\. .+ is already in use by container "?([0-9a-z]+)"?/;

/** The container or image of a call. A 404 error names it. */
export type DockerSubject = { readonly kind: 'container' | 'image'; readonly id: string };

/**
 * Returns the error for an HTTP answer, with the text of Docker's client.
 * @param subject the object that the text of a 404 error names; set for inspect and remove calls, whose 404 errors
 * don't quote the engine
 */
export function responseError(status: number, message: string, subject?: DockerSubject): DockerError {
  if (status === 404 && subject)
    return new DockerError('NotFound', `Error: No such ${subject.kind}: ${subject.id}`, status);
  const special =
    status === 409 && conflictPattern.test(message)
      ? 'AlreadyExists'
      : invalidPattern.test(message)
        ? 'InvalidArgument'
        : undefined;
  const code = special ?? codes.get(status) ?? 'Unknown';
  return new DockerError(code, `Error response from daemon: ${message}`, status);
}

/** Returns the error for an engine that didn't answer. */
export function connectionError(endpoint: string, cause: Error): DockerError {
  const code = (cause as Error & { code?: unknown }).code;
  if (code === 'EACCES') {
    const text =
      `permission denied while trying to connect to the Docker daemon socket at ${endpoint}; run as a member of ` +
      'the group docker, or set DOCKER_HOST';
    return new DockerError('Unavailable', text, undefined, { cause });
  }
  const refused = code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ENOTFOUND';
  const text = refused
    ? `Cannot connect to the Docker daemon at ${endpoint}. Is the docker daemon running?`
    : `error during connect to the Docker daemon at ${endpoint}: ${cause.message}`;
  return new DockerError('Unavailable', text, undefined, { cause });
}

/** Returns the id of the container that has the requested name; undefined for an error of another kind. */
export const conflictingContainer = (error: unknown): string | undefined =>
  error instanceof Error ? conflictPattern.exec(error.message)?.[1] : undefined;

/**
 * Returns true if the error means that an object is missing. Checks the gRPC code, and for a wrapped error the text.
 */
export const isNotFound = (error: unknown): boolean =>
  (error instanceof CriError && error.code === 'NotFound') ||
  (error instanceof Error && /No such (container|image): \S+/.test(error.message));

/** Returns true if the engine found the image without its layers, as it does while it deletes the image. */
export const lacksLayers = (error: unknown): boolean =>
  error instanceof DockerError && error.status === 500 && error.message.includes('layer does not exist');

/** Returns true if the engine is measuring disk usage for another client. Engines since 23.0 measure once for all. */
export const isDiskUsageInProgress = (error: unknown): boolean =>
  error instanceof DockerError && error.message.includes('a disk usage operation is already running');

/** Returns true if the engine is already removing the container. */
export const isRemovalInProgress = (error: unknown): boolean =>
  error instanceof DockerError &&
  error.status === 409 &&
  /removal of container \S+ is already in progress/.test(error.message);

/** Returns an error whose text has a prefix that names the operation. The gRPC code doesn't change. */
export function wrapError(prefix: string, cause: unknown): CriError {
  const message = errorMessage(cause);
  return new CriError(cause instanceof CriError ? cause.code : 'Unknown', `${prefix}: ${message}`, { cause });
}

/**
 * Combines errors into one with the text `[a, b]`. Duplicate texts occur once. Returns undefined for an empty list.
 * Upstream: utilerrors.NewAggregate.
 */
export function aggregateErrors(errors: readonly unknown[]): CriError | undefined {
  const first = errors[0];
  if (first === undefined) return undefined;
  const text = aggregateText(errors.map(errorMessage));
  if (errors.every((error) => errorMessage(error) === text))
    return first instanceof CriError ? first : new CriError('Unknown', text, { cause: first });
  const code = errors.find((error) => error instanceof CriError)?.code ?? 'Unknown';
  return new CriError(code, text, { cause: new AggregateError(errors) });
}
