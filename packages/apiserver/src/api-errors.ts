/**
 * Errors of API requests with the code, reason, message and details of a `metav1.Status`, in the API server's wording.
 */
import { errorMessage } from '@podscope/base';
import { type FieldError, type FieldErrorType, formatFieldError, type Status } from '@podscope/k8s';

type StatusDetails = NonNullable<Status['details']>;
type StatusCause = NonNullable<StatusDetails['causes']>[number];

/** An API request that failed. Upstream: errors.StatusError (apimachinery, v1.36). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  /** The response body. */
  get status(): Status {
    const { code, reason, message, details } = this;
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code };
  }
}

/** Upstream: errors.NewNotFound. @param resource plural, as in the path: `pods` */
export const notFound = (resource: string, name: string): ApiError =>
  new ApiError(404, 'NotFound', `${resource} ${JSON.stringify(name)} not found`, { name, kind: resource });

/** The error for an unknown path. Upstream: errors.NewGenericServerResponse for 404. */
export const unknownPath = (): ApiError =>
  new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});

/** Upstream: errors.NewAlreadyExists. */
export const alreadyExists = (resource: string, name: string): ApiError =>
  new ApiError(409, 'AlreadyExists', `${resource} ${JSON.stringify(name)} already exists`, { name, kind: resource });

const modified = 'the object has been modified; please apply your changes to the latest version and try again';

/** Upstream: errors.NewConflict. The default message says that the object changed since it was read. */
export const conflict = (resource: string, name: string, message: string = modified): ApiError =>
  new ApiError(409, 'Conflict', `Operation cannot be fulfilled on ${resource} ${JSON.stringify(name)}: ${message}`, {
    name,
    kind: resource,
  });

/** The error for fields that other managers own. Upstream: errors.NewApplyConflict. */
export const applyConflict = (
  message: string,
  conflicts: readonly { readonly message: string; readonly field: string }[],
): ApiError =>
  new ApiError(409, 'Conflict', message, {
    causes: conflicts.map((conflict) => ({ reason: 'FieldManagerConflict', ...conflict })),
  });

/** Upstream: errors.NewForbidden. */
export const forbidden = (resource: string, name: string, message: string): ApiError =>
  new ApiError(403, 'Forbidden', `${resource}${name ? ` ${JSON.stringify(name)}` : ''} is forbidden: ${message}`, {
    ...(name ? { name } : {}),
    kind: resource,
  });

/** The error for changes on a read-only server. @param what `pods`, or the name of a command */
export const readOnlyServer = (what: string): ApiError =>
  new ApiError(
    403,
    'Forbidden',
    `${what} is forbidden: this server is read-only; start it without --read-only to change anything`,
    { kind: what },
  );

/** Upstream: errors.NewBadRequest. */
export const badRequest = (message: string): ApiError => new ApiError(400, 'BadRequest', message);

/** Upstream: errors.NewUnauthorized. */
export const unauthorized = (): ApiError => new ApiError(401, 'Unauthorized', 'Unauthorized');

/** Upstream: errors.NewMethodNotSupported. @param action `create`, `delete`, `patch` */
export const methodNotSupported = (resource: string, action: string): ApiError =>
  new ApiError(405, 'MethodNotAllowed', `${action} is not supported on resources of kind ${JSON.stringify(resource)}`, {
    kind: resource,
  });

/** Upstream: NewUnsupportedMediaTypeError (apiserver negotiation). */
export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

/** Upstream: NewNotAcceptableError (apiserver negotiation). */
export const notAcceptable = (offered: readonly string[]): ApiError =>
  new ApiError(406, 'NotAcceptable', `only the following media types are accepted: ${offered.join(', ')}`);

/** Upstream: errors.NewRequestEntityTooLargeError. @param limit bytes */
export const requestEntityTooLarge = (limit: number): ApiError =>
  new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

/** The error for a resource version older than the history. Upstream: errors.NewResourceExpired. */
export const expired = (requested: number, oldest: number): ApiError =>
  new ApiError(410, 'Expired', `too old resource version: ${requested} (${oldest})`);

/** Upstream: NewTooLargeResourceVersionError (apiserver storage). */
export const resourceVersionTooLarge = (requested: number, current: number): ApiError =>
  new ApiError(504, 'Timeout', `Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

/** Upstream: errors.NewInternalError. */
export const internalError = (message: string): ApiError =>
  new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

const causeReasons: Readonly<Record<FieldErrorType, string>> = {
  Required: 'FieldValueRequired',
  Invalid: 'FieldValueInvalid',
  NotSupported: 'FieldValueNotSupported',
  Duplicate: 'FieldValueDuplicate',
  Forbidden: 'FieldValueForbidden',
  TooLong: 'FieldValueTooLong',
  TooMany: 'FieldValueTooMany',
  NotFound: 'FieldValueNotFound',
  TypeInvalid: 'FieldValueTypeInvalid',
};

const asCause = (error: FieldError): StatusCause => ({
  reason: causeReasons[error.type],
  message: formatFieldError(error).slice(error.field.length + 2),
  field: error.field,
});

/** Upstream: errors.NewInvalid. @param kind as in the object: `Pod` */
export function invalid(kind: string, name: string, errors: readonly FieldError[]): ApiError {
  const texts = [...new Set(errors.map(formatFieldError))];
  const message = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new ApiError(422, 'Invalid', `${kind} ${JSON.stringify(name)} is invalid: ${message}`, {
    name,
    kind,
    causes: errors.map(asCause),
  });
}

/** Returns an ApiError unchanged, and any other value as an internal error (500). */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return internalError(errorMessage(error));
}
