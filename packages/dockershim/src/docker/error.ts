/** Failures of the Docker Engine as CRI errors: Docker's text, a gRPC code that fits. */
import { CriError } from '@podscope/cri';
import type { GrpcCode } from '@podscope/trace';

/** A failed call of the Docker Engine. */
export class DockerError extends CriError {
  /** The HTTP status, if the engine answered. */
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

/** Older engines call it their own failure. */
const invalidPattern = /^invalid (?:volume specification|mount config)/;

const conflictPattern = /Conflict\. .+ is already in use by container "?([0-9a-z]+)"?/;

/** What a call is about: a missing one is named after it. */
export type DockerSubject = { readonly kind: 'container' | 'image'; readonly id: string };

/**
 * The error of an HTTP answer, in the words of Docker's own client.
 * @param subject set for the calls (inspect, remove) whose 404 names the object instead of quoting the engine.
 */
export function responseError(status: number, message: string, subject?: DockerSubject): DockerError {
  if (status === 404 && subject) return new DockerError('NotFound', `Error: No such ${subject.kind}: ${subject.id}`, status);
  const special = status === 409 && conflictPattern.test(message) ? 'AlreadyExists' : invalidPattern.test(message) ? 'InvalidArgument' : undefined;
  const code = special ?? codes.get(status) ?? 'Unknown';
  return new DockerError(code, `Error response from daemon: ${message}`, status);
}

/** The error of an engine that did not answer. */
export function connectionError(endpoint: string, cause: Error): DockerError {
  const code = (cause as Error & { code?: unknown }).code;
  if (code === 'EACCES') {
    const text = `permission denied while trying to connect to the Docker daemon socket at ${endpoint}; run as a member of the group docker, or set DOCKER_HOST`;
    return new DockerError('Unavailable', text, undefined, { cause });
  }
  const refused = code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ENOTFOUND';
  const text = refused
    ? `Cannot connect to the Docker daemon at ${endpoint}. Is the docker daemon running?`
    : `error during connect to the Docker daemon at ${endpoint}: ${cause.message}`;
  return new DockerError('Unavailable', text, undefined, { cause });
}

/** The id of the container that has the wanted name, if that is what `error` says. */
export const conflictingContainer = (error: unknown): string | undefined => (error instanceof Error ? conflictPattern.exec(error.message)?.[1] : undefined);

/** True for what says that the object is not there: by status, by text as a fallback. */
export const isNotFound = (error: unknown): boolean =>
  (error instanceof CriError && error.code === 'NotFound') || (error instanceof Error && /No such (container|image): \S+/.test(error.message));

/** True for the refusal to remove what is being removed already. */
export const isRemovalInProgress = (error: unknown): boolean =>
  error instanceof DockerError && error.status === 409 && /removal of container \S+ is already in progress/.test(error.message);

/** The same failure with words before it that say what was being done. Keeps the gRPC code. */
export function wrapError(prefix: string, cause: unknown): CriError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CriError(cause instanceof CriError ? cause.code : 'Unknown', `${prefix}: ${message}`, { cause });
}

/** Several failures as one: `[a, b]`, equal texts once. Upstream: utilerrors.NewAggregate. Undefined when there is none. */
export function aggregateErrors(errors: readonly unknown[]): CriError | undefined {
  const first = errors[0];
  if (first === undefined) return undefined;
  const texts = [...new Set(errors.map((error) => (error instanceof Error ? error.message : String(error))))];
  if (texts.length === 1) return first instanceof CriError ? first : new CriError('Unknown', texts[0] ?? '', { cause: first });
  const code = errors.find((error) => error instanceof CriError)?.code ?? 'Unknown';
  return new CriError(code, `[${texts.join(', ')}]`, { cause: new AggregateError(errors) });
}
