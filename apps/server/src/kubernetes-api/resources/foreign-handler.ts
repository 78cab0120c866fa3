/** Handles requests for kinds that discovery lists but that never have objects on this server. */
import { ApiError, methodNotSupported, notFound, readOnlyServer } from '@podscope/apiserver';
import { unsupportedKindHint } from '@podscope/k8s';
import type { NodeHost } from '@podscope/node';
import type { Request, Response } from 'express';
import type { Presentation } from '../answers.ts';
import { booleanParameter, integerParameter } from '../requests/parameters.ts';
import type { ApiRequest } from '../requests/request-info.ts';
import { isDryRun } from './delete-options.ts';
import { isForeignKind } from './foreign-kinds.ts';
import { bookmarkMetadata, holdWatchOpen } from './watch.ts';

/** Returns true for a request about a kind without objects. */
export const isForeign = ({ resource }: ApiRequest): boolean => isForeignKind(resource.name, resource.kind);

/**
 * Handles a request for a kind without objects: lists and watches are empty.
 * @throws ApiError NotFound, or Forbidden for writes, with a hint that names an alternative
 */
export function handleForeign(
  nodeHost: NodeHost,
  target: ApiRequest,
  request: Request,
  response: Response,
  presentation: Presentation,
): void {
  const { groupVersion, resource, name } = target;
  const { group, version } = groupVersion;
  const qualified = group === '' ? resource.name : `${resource.name}.${group}`;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (!reads && nodeHost.readOnly && !isDryRun(request)) throw readOnlyServer(qualified);
  if (request.method === 'DELETE' && name === undefined) throw methodNotSupported(qualified, 'deletecollection');
  const isApply = request.method === 'PATCH' && request.is('application/apply-patch+yaml') !== false;
  if (request.method === 'POST' || isApply) {
    throw new ApiError(403, 'Forbidden', `${qualified} is forbidden: ${unsupportedKindHint(resource.kind)}`, {
      group,
      kind: resource.name,
    });
  }
  if (name !== undefined) throw notFound(qualified, name);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  if (booleanParameter(request, 'watch')) {
    const bookmark = booleanParameter(request, 'sendInitialEvents')
      ? { kind: resource.kind, apiVersion, metadata: bookmarkMetadata(nodeHost.api.storage, true) }
      : undefined;
    holdWatchOpen(response, nodeHost.pacing, integerParameter(request, 'timeoutSeconds', 0), bookmark);
    return;
  }
  const metadata = { resourceVersion: String(nodeHost.api.storage.resourceVersion) };
  presentation.send(response, 200, { kind: `${resource.kind}List`, apiVersion, metadata, items: [] });
}
