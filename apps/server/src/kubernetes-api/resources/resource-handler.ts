/** Handles the verbs of stored objects: get, list, watch, create, update, patch and delete. */
import {
  badRequest,
  type Deletion,
  type EditableKind,
  methodNotSupported,
  type Registry,
  readOnlyServer,
  type StoredKind,
  type StoredKinds,
  type Subresource,
  unknownPath,
  type Verb,
} from '@podscope/apiserver';
import { writableKinds } from '@podscope/k8s';
import type { NodeHost } from '@podscope/node';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { Presentation } from '../answers.ts';
import { parseEphemeralContainers, withEphemeralContainers } from '../pods/ephemeral-containers.ts';
import { servePodLog } from '../pods/pod-log.ts';
import { upgradeRequired } from '../pods/pod-streams.ts';
import { mediaType, structuredBody } from '../requests/body.ts';
import { decode, decodeConfiguration } from '../requests/decode.ts';
import { booleanParameter, integerParameter, textParameter } from '../requests/parameters.ts';
import type { ResourceRequest } from '../requests/request-info.ts';
import { handleTokenRequest } from '../token-requests.ts';
import { deleteOptionsOf, isDryRun, parseDeleteOptions } from './delete-options.ts';
import { fieldManagerOf, refuseForce, requiredFieldManager } from './field-manager.ts';
import { checkListOptions, checkWatchOptions } from './list-options.ts';
import { listPage } from './lists.ts';
import { applyPatchType, patchedData } from './patches.ts';
import { selection } from './selectors.ts';
import { serveWatch } from './watch.ts';

/** A request with its parsed path. */
interface Exchange extends ResourceRequest {
  readonly nodeHost: NodeHost;
  readonly request: Request;
  readonly response: Response;
  readonly presentation: Presentation;
}

const isEditable = (kind: StoredKind): kind is EditableKind => (writableKinds as readonly string[]).includes(kind);

/** The subresources that change parts of the pod object. */
const objectSubresources: readonly string[] = [
  'ephemeralcontainers',
  'resize',
  'status',
] satisfies readonly Subresource[];
const isObjectSubresource = (name: string): name is Subresource => objectSubresources.includes(name);

const isStream = (subresource: string | undefined): boolean =>
  subresource === 'attach' || subresource === 'exec' || subresource === 'portforward';

/** Handles a request for a resource. @throws ApiError */
export async function handleResource(
  nodeHost: NodeHost,
  target: ResourceRequest,
  request: Request,
  response: Response,
): Promise<void> {
  const { definition, namespace, name, subresource } = target;
  if (subresource === 'log' && definition.kind === 'Pod' && request.method === 'GET') {
    await servePodLog(nodeHost, namespace ?? '', name ?? '', request, response);
    return;
  }
  if (definition.kind === 'Pod' && isStream(subresource)) throw upgradeRequired();
  if (nodeHost.readOnly && isChange(request)) throw readOnlyServer(definition.resource);
  if (definition.kind === 'Pod' && subresource === 'eviction' && request.method === 'POST') {
    await evict(nodeHost, namespace ?? '', name ?? '', request, response);
    return;
  }
  if (subresource === 'token' && definition.kind === 'ServiceAccount' && request.method === 'POST') {
    await handleTokenRequest(nodeHost, namespace ?? '', name ?? '', request, response);
    return;
  }
  const known = subresource === undefined || (definition.kind === 'Pod' && isObjectSubresource(subresource));
  if (!known) throw unknownPath();
  const exchange: Exchange = {
    ...target,
    nodeHost,
    request,
    response,
    presentation: new Presentation(request, () => nodeHost.clock.now()),
  };
  const verb = verbOf(request, name);
  if (!definition.verbs.includes(verb)) throw methodNotSupported(definition.resource, verb);
  await handlers[verb](exchange);
}

/** Returns true if the request stores a change; false for reads and for dry runs. */
const isChange = (request: Request): boolean =>
  request.method !== 'GET' && request.method !== 'HEAD' && !isDryRun(request);

/** Returns the API verb of a request. Upstream: RequestInfo's verbs. */
function verbOf(request: Request, name: string | undefined): Verb {
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      if (booleanParameter(request, 'watch')) return 'watch';
      return name === undefined ? 'list' : 'get';
    case 'POST':
      if (name !== undefined) throw unknownPath();
      return 'create';
    case 'PUT':
    case 'PATCH':
      if (name === undefined) throw unknownPath();
      return request.method === 'PUT' ? 'update' : 'patch';
    case 'DELETE':
      return name === undefined ? 'deletecollection' : 'delete';
    default:
      throw unknownPath();
  }
}

const handlers: Readonly<Record<Verb, (exchange: Exchange) => Promise<void> | void>> = {
  get: ({ nodeHost, definition: { kind }, namespace, name = '', presentation, response }) =>
    presentation.send(response, 200, presentation.object(kind, nodeHost.api.storage.mustGet(kind, namespace, name))),

  list: (exchange) => {
    const { nodeHost, definition, namespace, request, response, presentation } = exchange;
    checkListOptions(nodeHost.api.storage, request);
    const page = listPage(nodeHost.api.storage, definition.kind, {
      namespace,
      matches: selection(exchange, request),
      limit: integerParameter(request, 'limit', 0),
      continueToken: textParameter(request, 'continue'),
    });
    presentation.send(response, 200, presentation.list(definition.kind, page));
  },

  watch: (exchange) => {
    const { nodeHost, definition, request, response, presentation } = exchange;
    checkWatchOptions(request);
    serveWatch(response, nodeHost.api.storage, nodeHost.pacing, {
      kind: definition.kind,
      matches: selection(exchange, request),
      resourceVersion: textParameter(request, 'resourceVersion') ?? '',
      timeoutSeconds: integerParameter(request, 'timeoutSeconds', 0),
      bookmarks: booleanParameter(request, 'allowWatchBookmarks'),
      sendInitialEvents: booleanParameter(request, 'sendInitialEvents'),
      present: (object) => presentation.object(definition.kind, object),
      presentBookmark: (metadata) => presentation.bookmark(definition.kind, metadata),
    });
  },

  create: async (exchange) => {
    const { namespace, request, response, presentation } = exchange;
    const kind = editableKind(exchange, 'create');
    const body = structuredBody(request);
    if (body === undefined) throw badRequest(`the body must be a ${kind}`);
    const object = decode(kind, body, request, response);
    const options = { dryRun: isDryRun(request), fieldManager: fieldManagerOf(request) };
    const created = await write(exchange, (registry) => registry.create(kind, namespace, object, options));
    presentation.send(response, 201, presentation.object(kind, created));
  },

  update: async (exchange) => {
    const { request, response } = exchange;
    const kind = editableKind(exchange, 'update');
    const body = structuredBody(request);
    const added = exchange.subresource === 'ephemeralcontainers' ? parseEphemeralContainers(body) : undefined;
    if (added && kind === 'Pod') {
      await store(exchange, 'Pod', (pod) => decode('Pod', withEphemeralContainers(pod, added), request, response));
      return;
    }
    const next = decode(kind, body, request, response);
    await store(exchange, kind, () => next);
  },

  patch: async (exchange) => {
    const { request, response } = exchange;
    const kind = editableKind(exchange, 'patch');
    const patch = structuredBody(request);
    if (mediaType(request) === applyPatchType) {
      await apply(exchange, kind, patch);
      return;
    }
    refuseForce(request);
    await store(exchange, kind, (current) =>
      decode(kind, patchedData(kind, request, current, patch), request, response),
    );
  },

  delete: async (exchange) => {
    const { definition, namespace, name = '', request, response, presentation } = exchange;
    if (exchange.subresource !== undefined) throw methodNotSupported(definition.resource, 'delete');
    const options = parseDeleteOptions(request);
    const deletion = await write(exchange, (registry) => registry.delete(definition.kind, namespace, name, options));
    if (definition.kind === 'Pod' || !deletion.removed)
      presentation.send(response, 200, presentation.object(definition.kind, deletion.object));
    else presentation.send(response, 200, deletedStatus(definition.resource, deletion));
  },

  deletecollection: async (exchange) => {
    const { nodeHost, definition, namespace, request, response, presentation } = exchange;
    const options = parseDeleteOptions(request);
    const page = listPage(nodeHost.api.storage, definition.kind, {
      namespace,
      matches: selection(exchange, request),
      limit: undefined,
      continueToken: undefined,
    });
    const deleted = await write(exchange, (registry) =>
      page.items.map(
        ({ metadata }) => registry.delete(definition.kind, metadata.namespace, metadata.name, options).object,
      ),
    );
    presentation.send(response, 200, presentation.list(definition.kind, { items: deleted, metadata: page.metadata }));
  },
};

/**
 * Writes to the registry and waits until the change is saved. A dry run uses a separate registry that stores nothing.
 */
async function write<T>(
  { nodeHost, request }: Pick<Exchange, 'nodeHost' | 'request'>,
  change: (registry: Registry) => T,
): Promise<T> {
  if (isDryRun(request)) return change(nodeHost.api.dryRunRegistry);
  const written = await nodeHost.change(({ api }) => change(api.registry));
  await nodeHost.api.storage.saved();
  return written;
}

/** Updates an object and sends its new version. */
async function store<K extends EditableKind>(
  { nodeHost, namespace, name = '', subresource, request, response, presentation }: Exchange,
  kind: K,
  change: (current: StoredKinds[K]) => StoredKinds[K],
): Promise<void> {
  const options = {
    dryRun: isDryRun(request),
    subresource: partOf(subresource),
    fieldManager: fieldManagerOf(request),
  };
  const updated = await write({ nodeHost, request }, (registry) =>
    registry.update(kind, namespace, name, change, options),
  );
  presentation.send(response, 200, presentation.object(kind, updated));
}

const partOf = (subresource: string | undefined): Subresource | undefined =>
  subresource !== undefined && isObjectSubresource(subresource) ? subresource : undefined;

/** Handles server-side apply. */
async function apply(
  { nodeHost, namespace, name = '', subresource, request, response, presentation }: Exchange,
  kind: EditableKind,
  configuration: unknown,
): Promise<void> {
  const options = {
    dryRun: isDryRun(request),
    subresource: partOf(subresource),
    fieldManager: requiredFieldManager(request),
    force: booleanParameter(request, 'force'),
  };
  const wanted = decodeConfiguration(kind, configuration, namespace);
  const { object, created } = await write({ nodeHost, request }, (registry) =>
    registry.apply(kind, namespace, name, wanted, (data) => decode(kind, data, request, response), options),
  );
  presentation.send(response, created ? 201 : 200, presentation.object(kind, object));
}

const evictionSchema = z.object({
  kind: z.literal('Eviction').optional(),
  metadata: z.object({ name: z.string().optional() }).optional(),
  deleteOptions: z.unknown().optional(),
});

/**
 * Handles an eviction. It only deletes the pod, because disruption budgets aren't supported. Upstream: EvictionREST
 * (pkg/registry/core/pod/rest, v1.36).
 */
async function evict(
  nodeHost: NodeHost,
  namespace: string,
  name: string,
  request: Request,
  response: Response,
): Promise<void> {
  const parsed = evictionSchema.safeParse(structuredBody(request) ?? {});
  if (!parsed.success) throw badRequest('the body must be an Eviction');
  if (parsed.data.metadata?.name && parsed.data.metadata.name !== name)
    throw badRequest('name in URL does not match name in Eviction object');
  const options = deleteOptionsOf(parsed.data.deleteOptions, request);
  await write({ nodeHost, request }, (registry) => registry.delete('Pod', namespace, name, options));
  response.status(201).json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

function editableKind({ definition, subresource }: Exchange, verb: Verb): EditableKind {
  if (!isEditable(definition.kind) || (subresource !== undefined && verb === 'create'))
    throw methodNotSupported(definition.resource, verb);
  return definition.kind;
}

/** Returns the Status for a completed deletion. Upstream: rest.GracefulDeleter. */
const deletedStatus = (resource: string, { object }: Deletion<StoredKind>): unknown => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { name: object.metadata.name, kind: resource, uid: object.metadata.uid },
});
