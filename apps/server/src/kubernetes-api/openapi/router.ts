/** Serves `/openapi/v2` and `/openapi/v3`. The documents are generated on first use. */
import { createHash } from 'node:crypto';
import { Router } from 'express';
import { openApiV2, openApiV3 } from './document.ts';
import { openApiV2Protobuf } from './protobuf.ts';

// Clients request this type with an `@`, but Go's media type parser rejects an `@` in the response.
const protobufV2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns the routes below `/openapi`. */
export function openapi(): Router {
  const router = Router();
  const v2 = once(() => JSON.stringify(openApiV2()));
  const v2Protobuf = once(openApiV2Protobuf);
  const v3 = once(() => JSON.stringify(openApiV3()));
  const v3Hash = once(() => createHash('sha256').update(v3()).digest('hex').toUpperCase());
  router.get('/v2', (request, response) => {
    const wantsProtobuf = /protobuf/.test(request.headers.accept ?? '');
    if (wantsProtobuf) response.setHeader('Content-Type', protobufV2).send(v2Protobuf());
    else response.type('application/json').send(v2());
  });
  router.get(
    '/v3',
    (_request, response) =>
      void response.json({ paths: { 'api/v1': { serverRelativeURL: `/openapi/v3/api/v1?hash=${v3Hash()}` } } }),
  );
  router.get('/v3/api/v1', (_request, response) => void response.type('application/json').send(v3()));
  return router;
}
