/** Serves the kubelet's read-only endpoints, on the server's port and below `nodes/NAME/proxy` of the API. */

import type { ImageGCPolicy, NodeConfiguration } from '@podscope/kubelet';
import type { NodeHost } from '@podscope/node';
import { type Request, type Response, Router } from 'express';
import { configOf, podsOf, runningPodsOf } from './kubelet-documents.ts';
import { KubeletMetrics } from './metrics/kubelet-metrics.ts';
import { resourceMetrics } from './stats/resource-metrics.ts';
import type { StatsProvider } from './stats/stats-provider.ts';
import { statsSummary } from './stats/summary.ts';

export interface KubeletServerOptions {
  readonly nodeHost: NodeHost;
  readonly node: NodeConfiguration;
  readonly manifestDirectory: string | undefined;
  readonly imageGC: ImageGCPolicy | undefined;
  readonly stats: StatsProvider;
}

export interface KubeletServer {
  readonly router: Router;
  readonly stats: StatsProvider;
  close(): void;
}

const countedPaths = [
  '/pods',
  '/runningpods',
  '/configz',
  '/metrics',
  '/metrics/resource',
  '/stats/summary',
  '/healthz',
  '/livez',
  '/readyz',
];

/**
 * Counts a request in the kubelet's HTTP metrics. Upstream: Server.ServeHTTP, servermetrics (pkg/kubelet/server,
 * v1.36).
 */
function countRequest(
  { httpRequests, httpDuration, httpInFlight }: KubeletMetrics['meters'],
  request: Request,
  response: Response,
): void {
  const labels = {
    method: request.method,
    path: request.path.replaceAll(/^\/|\/$/g, ''),
    server_type: 'readwrite',
    long_running: 'false',
  };
  httpRequests.inc(labels);
  httpInFlight.inc(labels);
  const end = httpDuration.startTimer(labels);
  response.once('close', () => {
    end();
    httpInFlight.dec(labels);
  });
}

/**
 * Creates the endpoints and starts counting metrics. Upstream: Server.InstallDefaultHandlers
 * (pkg/kubelet/server/server.go, v1.36).
 */
export function createKubeletServer({
  nodeHost,
  node,
  manifestDirectory,
  imageGC,
  stats,
}: KubeletServerOptions): KubeletServer {
  const metrics = new KubeletMetrics(nodeHost);
  const router = Router();
  router.get(countedPaths, (request, response, next) => {
    countRequest(metrics.meters, request, response);
    next();
  });
  router.get(['/pods', '/pods/'], (_request, response) => void response.json(podsOf(nodeHost)));
  router.get(
    ['/runningpods', '/runningpods/'],
    async (_request, response) => void response.json(await runningPodsOf(nodeHost)),
  );
  router.get('/configz', (_request, response) => void response.json(configOf(node, manifestDirectory, imageGC)));
  router.get('/metrics', async (_request, response) => {
    const { contentType, text } = await metrics.text();
    response.setHeader('Content-Type', contentType).send(text);
  });
  router.get('/metrics/resource', async (_request, response) => {
    const { contentType, text } = await resourceMetrics(stats);
    response.setHeader('Content-Type', contentType).send(text);
  });
  router.get('/stats/summary', async (_request, response) => void response.json(await statsSummary(nodeHost, stats)));
  router.get(['/healthz', '/livez', '/readyz'], (_request, response) => {
    const errors = nodeHost.kubelet.nodeErrors(nodeHost.clock.now());
    response
      .status(errors.length > 0 ? 500 : 200)
      .type('text/plain')
      .send(errors.length > 0 ? `${errors.join('\n')}\n` : 'ok');
  });
  return { router, stats, close: () => metrics.close() };
}
