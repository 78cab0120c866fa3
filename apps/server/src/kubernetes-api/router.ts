/** Routes the paths of the Kubernetes API to their handlers and converts errors to `Status` objects. */
import { asApiError, unknownPath } from '@podscope/apiserver';
import type { NodeHost } from '@podscope/node';
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { requestUrl } from '../http/request-url.ts';
import type { KubeletServer } from '../kubelet-api/kubelet-server.ts';
import { productVersion } from '../version.ts';
import { Presentation, sendStatus } from './answers.ts';
import { findGroupVersion, versionsOf } from './discovery/api-resources.ts';
import {
  aggregatedDiscovery,
  aggregatedMediaType,
  apiGroup,
  apiGroups,
  apiResources,
  apiVersions,
  versionInfo,
  wantsAggregated,
} from './discovery/discovery.ts';
import { handleMetrics, type MetricsSources } from './metrics.ts';
import { openapi } from './openapi/router.ts';
import { bodyErrors, readBody } from './requests/body.ts';
import { type ApiRequest, asResourceRequest, parseApiPath } from './requests/request-info.ts';
import { handleForeign, isForeign } from './resources/foreign-handler.ts';
import { handleResource } from './resources/resource-handler.ts';
import { handleReview, isReview } from './reviews.ts';
import { tokenKeys } from './token-requests.ts';

export interface KubernetesApiOptions {
  readonly nodeHost: NodeHost;
  readonly kubelet: KubeletServer;
  readonly logger: Logger;
}

/** Returns the routes of `/api`, `/apis`, `/version` and `/openapi`, and those of the node's kubelet. */
export function kubernetesApi({ nodeHost, kubelet, logger }: KubernetesApiOptions): Router {
  const router = Router();
  const paths = ['/api', '/apis', '/openapi', '/version'];
  router.use(paths, readBody, bodyErrors);
  router.get('/version', (_request, response) => void response.json(versionInfo(productVersion)));
  router.get('/api', (request, response) =>
    sendDiscovery(request, response, true, apiVersions(request.headers.host ?? '')),
  );
  router.get('/apis', (request, response) => sendDiscovery(request, response, false, apiGroups()));
  router.get('/apis/:group', (request, response) => {
    const { group } = request.params;
    if (versionsOf(group).length === 0) throw unknownPath();
    response.json(apiGroup(group));
  });
  router.get(['/api/:version', '/apis/:group/:version'], (request, response) => {
    const found = findGroupVersion(request.path.split('/').filter(Boolean).slice(1).join('/'));
    if (!found) throw unknownPath();
    response.json(apiResources(found));
  });
  router.use('/openapi', openapi());
  router.use(tokenKeys(nodeHost));
  router.all(['/api/{*path}', '/apis/{*path}'], async (request, response) => {
    const target = parseApiPath(request.path);
    if (!target) throw unknownPath();
    if (target.subresource === 'proxy') proxyToKubelet(kubelet.router, nodeHost, target, request, response);
    else await handle({ nodeHost, stats: kubelet.stats }, target, request, response);
  });
  router.use(paths, () => {
    throw unknownPath();
  });
  router.use(kubelet.router);
  router.use(((error: unknown, request, response, next) => {
    const failure = asApiError(error instanceof URIError ? unknownPath() : error);
    if (failure.code >= 500)
      logger.error({ err: error, method: request.method, path: request.path }, 'API request failed');
    if (response.headersSent) next(error);
    else sendStatus(response, failure);
  }) satisfies ErrorRequestHandler);
  return router;
}

function sendDiscovery(request: Request, response: Response, core: boolean, separate: unknown): void {
  response.setHeader('Vary', 'Accept');
  if (wantsAggregated(request.headers.accept))
    response.setHeader('Content-Type', aggregatedMediaType).end(JSON.stringify(aggregatedDiscovery(core)));
  else response.json(separate);
}

async function handle(
  { nodeHost, stats }: MetricsSources,
  target: ApiRequest,
  request: Request,
  response: Response,
): Promise<void> {
  const stored = asResourceRequest(target);
  if (stored) {
    await handleResource(nodeHost, stored, request, response);
    return;
  }
  const presentation = new Presentation(request, () => nodeHost.clock.now());
  if (isForeign(target)) handleForeign(nodeHost, target, request, response, presentation);
  else if (isReview(target)) handleReview(target, request, response, presentation, nodeHost.readOnly);
  else await handleMetrics({ nodeHost, stats }, target, request, response, presentation);
}

/** Forwards `nodes/NAME/proxy/…` to the kubelet's routes. */
function proxyToKubelet(
  kubelet: Router,
  nodeHost: NodeHost,
  { name = '', resource, rest }: ApiRequest,
  request: Request,
  response: Response,
): void {
  if (resource.name !== 'nodes' || request.method !== 'GET') throw unknownPath();
  nodeHost.api.storage.mustGet('Node', undefined, name);
  const query = requestUrl({ url: request.originalUrl }).search;
  request.url = `/${rest.map(encodeURIComponent).join('/')}${query}`;
  kubelet(request, response, (error?: unknown) => {
    if (!response.headersSent) sendStatus(response, asApiError(error ?? unknownPath()));
  });
}
