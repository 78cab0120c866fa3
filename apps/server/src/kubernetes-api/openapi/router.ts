/** Serves `/openapi/v2` and `/openapi/v3`. The documents are generated on first use. */
import { createHash } from 'node:crypto';
import { Router } from 'express';
import { openApiV2, openApiV3 } from './document.ts';
import { openApiV2Protobuf } from './protobuf.ts';

// The media type of the response. Clients request it with an `@` in its name, but Go's parser rejects an `@` in a
// response.
const protobufV2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** The group versions with writable kinds. */
const groups = [
  { path: 'api/v1', apiVersion: 'v1' },
  { path: 'apis/node.k8s.io/v1', apiVersion: 'node.k8s.io/v1' },
] as const;

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
  const v3 = groups.map(({ path, apiVersion }) => {
    const document = once(() => JSON.stringify(openApiV3(apiVersion)));
    const hash = once(() => createHash('sha256').update(document()).digest('hex').toUpperCase());
    return { path, document, hash };
  });
  router.get('/v2', (request, response) => {
    const wantsProtobuf = /protobuf/.test(request.headers.accept ?? '');
    if (wantsProtobuf) response.setHeader('Content-Type', protobufV2).send(v2Protobuf());
    else response.type('application/json').send(v2());
  });
  router.get(
    '/v3',
    (_request, response) =>
      void response.json({
        paths: Object.fromEntries(
          v3.map(({ path, hash }) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash()}` }]),
        ),
      }),
  );
  for (const { path, document } of v3)
    router.get(`/v3/${path}`, (_request, response) => void response.type('application/json').send(document()));
  return router;
}
