/** Formats responses as the client requests: an object, a list or a table, always in JSON. */
import {
  type ApiError,
  apiVersionOf,
  badRequest,
  definitionOf,
  type StoredKind,
  type StoredKinds,
} from '@podscope/apiserver';
import type { Instant } from '@podscope/trace';
import type { Request, Response } from 'express';
import { stringify } from 'yaml';
import { type AnswerForm, negotiate } from './requests/negotiation.ts';
import { booleanParameter, textParameter } from './requests/parameters.ts';
import type { Page } from './resources/lists.ts';
import { type IncludeObject, tableOf } from './tables/table.ts';

/** Sends an API error as a `Status` object. */
export function sendStatus(response: Response, { code, status }: ApiError): void {
  const seconds = status.details?.retryAfterSeconds;
  if (seconds !== undefined) response.setHeader('Retry-After', String(seconds));
  // Send a Status as JSON even if another content type was announced, because clients can parse a Status only as JSON.
  response.status(code).type('application/json').json(status);
}

/** Formats the objects in the response to one request. */
export class Presentation {
  readonly #form: AnswerForm & { readonly pretty: boolean };
  readonly #include: IncludeObject;
  readonly #now: () => Instant;

  /** @throws ApiError NotAcceptable or BadRequest for an invalid Accept header or `pretty` parameter */
  constructor(request: Request, now: () => Instant) {
    this.#form = { ...negotiate(request.headers.accept), pretty: isPretty(request) };
    this.#include = parseIncludeObject(textParameter(request, 'includeObject'));
    this.#now = now;
  }

  /** Returns one object, as itself or as a table with one row. */
  object<K extends StoredKind>(kind: K, object: StoredKinds[K]): unknown {
    if (!this.#form.table) return object;
    return tableOf(kind, [object], { resourceVersion: object.metadata.resourceVersion }, this.#include, this.#now());
  }

  list<K extends StoredKind>(kind: K, { items, metadata }: Page<K>): unknown {
    if (this.#form.table) return tableOf(kind, items, metadata, this.#include, this.#now());
    return { kind: `${kind}List`, apiVersion: apiVersionOf(definitionOf(kind)), metadata, items };
  }

  /** Returns a watch bookmark: an object that has only a resource version. */
  bookmark(kind: StoredKind, metadata: Readonly<Record<string, unknown>>): unknown {
    if (this.#form.table) return tableOf(kind, [], metadata, 'None', this.#now());
    return { kind, apiVersion: apiVersionOf(definitionOf(kind)), metadata };
  }

  send(response: Response, code: number, body: unknown): void {
    response.status(code);
    if (this.#form.yaml) response.type('application/yaml').send(stringify(body));
    else if (this.#form.pretty) response.type('application/json').send(`${JSON.stringify(body, null, 2)}\n`);
    else response.json(body);
  }
}

/**
 * Returns true if `?pretty` asks for indentation or the client is a browser or curl. Upstream: isPrettyPrint (apiserver
 * negotiation).
 */
function isPretty(request: Request): boolean {
  if (textParameter(request, 'pretty') !== undefined) return booleanParameter(request, 'pretty');
  return /^(curl|Wget|Mozilla\/5.0)/.test(request.headers['user-agent'] ?? '');
}

function parseIncludeObject(text = 'Metadata'): IncludeObject {
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text;
  throw badRequest(`unrecognized includeObject value: ${JSON.stringify(text)}`);
}
