/** Answers in the form the client asked for. */
import type { ApiError, StoredKind, StoredKinds } from '@podscope/cluster';
import { apiVersionOf, badRequest, definitionOf } from '@podscope/cluster';
import type { Instant } from '@podscope/trace';
import type { Request, Response } from 'express';
import { stringify } from 'yaml';
import type { Page } from './lists.ts';
import { type AnswerForm, negotiate } from './negotiation.ts';
import { booleanParameter, textParameter } from './parameters.ts';
import { type IncludeObject, tableOf } from './tables/table.ts';

/** Answers with a failure. */
export function sendStatus(response: Response, { code, status }: ApiError): void {
  const seconds = status.details?.retryAfterSeconds;
  if (seconds !== undefined) response.setHeader('Retry-After', String(seconds));
  // Also where another kind of content had been announced: clients read a Status only as JSON.
  response.status(code).type('application/json').json(status);
}

/** How objects are shown in answers to one request. */
export class Presentation {
  readonly #form: AnswerForm & { readonly pretty: boolean };
  readonly #include: IncludeObject;
  readonly #now: () => Instant;

  /** Fails with NotAcceptable or BadRequest. */
  constructor(request: Request, now: () => Instant) {
    this.#form = { ...negotiate(request.headers.accept), pretty: isPretty(request) };
    this.#include = parseIncludeObject(textParameter(request, 'includeObject'));
    this.#now = now;
  }

  /** One object, as itself or as a table of one row. */
  object<K extends StoredKind>(kind: K, object: StoredKinds[K]): unknown {
    if (!this.#form.table) return object;
    return tableOf(kind, [object], { resourceVersion: object.metadata.resourceVersion }, this.#include, this.#now());
  }

  list<K extends StoredKind>(kind: K, { items, metadata }: Page<K>): unknown {
    if (this.#form.table) return tableOf(kind, items, metadata, this.#include, this.#now());
    return { kind: `${kind}List`, apiVersion: apiVersionOf(definitionOf(kind)), metadata, items };
  }

  /** A bookmark of a watch: an object that has nothing but a version. */
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

/** Asked for, or for the eyes of somebody at a browser or curl. Upstream: isPrettyPrint (apiserver negotiation). */
function isPretty(request: Request): boolean {
  if (textParameter(request, 'pretty') !== undefined) return booleanParameter(request, 'pretty');
  return /^(curl|Wget|Mozilla\/5.0)/.test(request.headers['user-agent'] ?? '');
}

function parseIncludeObject(text = 'Metadata'): IncludeObject {
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text;
  throw badRequest(`unrecognized includeObject value: ${JSON.stringify(text)}`);
}
