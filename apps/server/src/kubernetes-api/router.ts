/** The Kubernetes API over HTTP: paths to handlers, failures to `Status` objects. */
import { asApiError, type Cluster, unknownPath } from '@podscope/cluster';
import { type ErrorRequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { productVersion } from '../repository.ts';
import { sendStatus } from './answers.ts';
import { bodyErrors, readBody } from './body.ts';
import { apiGroups, apiResources, apiVersions, versionInfo } from './discovery.ts';
import { openapi } from './openapi/router.ts';
import { parseResourcePath } from './request-info.ts';
import { handleResource } from './resource-handler.ts';

/** The routes of `/api`, `/apis`, `/version` and `/openapi`. */
export function kubernetesApi(cluster: Cluster, logger: Logger): Router {
  const router = Router();
  const paths = ['/api', '/apis', '/openapi', '/version'];
  router.use(paths, readBody, bodyErrors);
  router.get('/version', (_request, response) => void response.json(versionInfo(productVersion)));
  router.get('/api', (request, response) => void response.json(apiVersions(request.headers.host ?? '')));
  router.get('/apis', (_request, response) => void response.json(apiGroups()));
  router.get('/api/v1', (_request, response) => void response.json(apiResources()));
  router.use('/openapi', openapi());
  router.all('/api/v1/{*path}', async (request, response) => {
    const target = parseResourcePath(request.path.slice('/api/v1/'.length));
    if (!target) throw unknownPath();
    await handleResource(cluster, target, request, response);
  });
  router.use(paths, () => {
    throw unknownPath();
  });
  router.use(paths, ((error: unknown, request, response, next) => {
    const failure = asApiError(error instanceof URIError ? unknownPath() : error);
    if (failure.code >= 500) logger.error({ err: error, method: request.method, path: request.path }, 'API request failed');
    if (response.headersSent) next(error);
    else sendStatus(response, failure);
  }) satisfies ErrorRequestHandler);
  return router;
}
