/** Requests for kinds that there are never any objects of. */
import { ApiError, type Cluster, methodNotSupported, notFound, readOnlyServer } from '@podscope/cluster';
import { unsupportedKindHint } from '@podscope/k8s';
import type { Request, Response } from 'express';
import type { Presentation } from './answers.ts';
import { isDryRun } from './delete-options.ts';
import { isForeignKind } from './foreign-kinds.ts';
import { booleanParameter, integerParameter } from './parameters.ts';
import type { ApiRequest } from './request-info.ts';
import { holdWatchOpen } from './watch.ts';

/** True for a request about such a kind. */
export const isForeign = ({ resource }: ApiRequest): boolean => isForeignKind(resource.name, resource.kind);

/** Answers a request for such a kind: nothing is there. Fails with NotFound, or for writes with Forbidden and what to do instead. */
export function handleForeign(cluster: Cluster, target: ApiRequest, request: Request, response: Response, presentation: Presentation): void {
  const { groupVersion, resource, name } = target;
  const { group, version } = groupVersion;
  const qualified = group === '' ? resource.name : `${resource.name}.${group}`;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (!reads && cluster.readOnly && !isDryRun(request)) throw readOnlyServer(qualified);
  if (request.method === 'DELETE' && name === undefined) throw methodNotSupported(qualified, 'deletecollection');
  const isApply = request.method === 'PATCH' && request.is('application/apply-patch+yaml') !== false;
  if (request.method === 'POST' || isApply) {
    throw new ApiError(403, 'Forbidden', `${qualified} is forbidden: ${unsupportedKindHint(resource.kind)}`, { group, kind: resource.name });
  }
  if (name !== undefined) throw notFound(qualified, name);
  if (booleanParameter(request, 'watch')) {
    holdWatchOpen(response, cluster.pacing, integerParameter(request, 'timeoutSeconds', 0));
    return;
  }
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const metadata = { resourceVersion: String(cluster.storage.resourceVersion) };
  presentation.send(response, 200, { kind: `${resource.kind}List`, apiVersion, metadata, items: [] });
}
