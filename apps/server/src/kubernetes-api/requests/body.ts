/** Reads request bodies up to a size limit and parses them by their content type. */

import { badRequest, requestEntityTooLarge, unsupportedMediaType } from '@podscope/apiserver';
import { errorMessage } from '@podscope/base';
import { parseManifests } from '@podscope/k8s';
import { isDeeperThan } from '@podscope/trace';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';

import { decodeProtobuf, protobufMediaType } from '../protobuf/body.ts';

/** The maximum size of a body, in bytes. */
const maxBodyBytes = 1024 * 1024;
/** The maximum nesting of arrays and objects. No kind needs a tenth of this depth. */
const maxBodyDepth = 100;

/** Reads the body as bytes, whatever its content type. */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: maxBodyBytes, inflate: false });

/** Converts errors of the body reader to API errors. */
export const bodyErrors: ErrorRequestHandler = (error: Error & { type?: string }, _request, _response, next) => {
  if (error.type === 'entity.too.large') next(requestEntityTooLarge(maxBodyBytes));
  else if (error.type === 'encoding.unsupported') next(unsupportedMediaType(['application/json', 'application/yaml']));
  else if (error.type?.startsWith('request.')) next(badRequest(error.message));
  else next(error);
};

function bytesOf(request: Request): Buffer {
  const body: unknown = request.body;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Returns the media type without its parameters. */
export const mediaType = (request: Request): string =>
  (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/**
 * Parses a body in JSON, YAML or, for kinds that support it, protocol buffers. Returns undefined for an empty body.
 * @throws ApiError UnsupportedMediaType or BadRequest
 */
export function structuredBody(request: Request): unknown {
  const bytes = bytesOf(request);
  if (bytes.length === 0) return undefined;
  const type = mediaType(request);
  if (type === protobufMediaType) return decodeProtobuf(bytes);
  const text = bytes.toString('utf8');
  if (type === 'application/yaml' || type.endsWith('+yaml')) return parseYaml(text);
  if (type === 'application/json' || type === '' || type.endsWith('+json')) return parseJson(text);
  throw unsupportedMediaType(['application/json', 'application/yaml', protobufMediaType]);
}

const unrecognized = (reason: string): Error =>
  badRequest(`the object provided is unrecognized (must be of type JSON or YAML): ${reason}`);

/**
 * Parses JSON. The limited depth keeps recursive functions from exhausting the stack.
 * @throws ApiError BadRequest
 */
export function parseJson(text: string): unknown {
  if (isDeeperThan(text, maxBodyDepth)) throw unrecognized(`values are nested deeper than ${maxBodyDepth} levels`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unrecognized(errorMessage(error));
  }
}

/** Parses YAML like a manifest, with the same limits. */
function parseYaml(text: string): unknown {
  const { objects, errors } = parseManifests(text, { maxBytes: maxBodyBytes, maxDocuments: 1 });
  const [first] = objects;
  if (!first || errors.length > 0) throw unrecognized(errors[0]?.message ?? 'there is no object in it');
  return first.object;
}
