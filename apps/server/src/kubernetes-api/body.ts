/** Request bodies: bounded, and read by what they say they are. */
import { badRequest, requestEntityTooLarge, unsupportedMediaType } from '@podscope/cluster';
import { parseManifests } from '@podscope/k8s';
import { isDeeperThan } from '@podscope/trace';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';

import { decodeProtobuf, protobufMediaType } from './protobuf/body.ts';

/** Largest body, in bytes. */
const maxBodyBytes = 1024 * 1024;
/** How deep arrays and objects may lie in each other: no kind needs a tenth of it. */
const maxBodyDepth = 100;

/** Reads the body as bytes, whatever it is. */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: maxBodyBytes, inflate: false });

/** Turns the body reader's failures into the API's. */
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

/** The media type without its parameters. */
export const mediaType = (request: Request): string => (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** A body of JSON, YAML or, for the kinds that come so, protocol buffers; undefined when there is none. Fails with UnsupportedMediaType or BadRequest. */
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

const unrecognized = (reason: string): Error => badRequest(`the object provided is unrecognized (must be of type JSON or YAML): ${reason}`);

/** JSON of bounded depth: whoever walks through it must come to an end. Fails with BadRequest. */
export function parseJson(text: string): unknown {
  if (isDeeperThan(text, maxBodyDepth)) throw unrecognized(`values lie in each other deeper than ${maxBodyDepth} levels`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unrecognized(error instanceof Error ? error.message : String(error));
  }
}

/** YAML as manifests are written; read with the same bounds. */
function parseYaml(text: string): unknown {
  const { objects, errors } = parseManifests(text, { maxBytes: maxBodyBytes, maxDocuments: 1 });
  const [first] = objects;
  if (!first || errors.length > 0) throw unrecognized(errors[0]?.message ?? 'there is no object in it');
  return first.object;
}
