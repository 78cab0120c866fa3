/**
 * Finds the spans of a pod in a trace storage: in Jaeger with the API `/api/v3`, in Tempo with TraceQL and `/api/v2`.
 */
import { errorMessage } from '@podscope/base';
import type { StoredSpan } from '@podscope/observer';
import { z } from 'zod';
import { StartError } from '../../start-error.ts';
import { addressOf, shownAddress } from '../address.ts';
import { LimitedAnswers } from './limited-answers.ts';
import { spansOf, tracesData } from './otlp-json.ts';

export interface TraceQuery {
  readonly storage: 'jaeger' | 'tempo';
  /** The address of Jaeger's query service (port 16686) or of Tempo (port 3200). */
  readonly url: string;
  readonly namespace: string;
  readonly name: string;
  /** The time range, in milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
}

/** Services whose traces contain the pod's spans: the relay, and the kubelet if no relay was used. */
const services = ['podscope-relay', 'kubelet'] as const;
/** Maximum number of traces per request. Each trace is a sync, or a call outside of syncs. */
const maxTraces = 1_000;
const requestTimeout = 30_000;
/** Number of traces that are read from Tempo concurrently. */
const parallel = 8;

/** A query, with the reader of its responses. */
interface Reading extends TraceQuery {
  readonly answers: LimitedAnswers;
}

async function get(query: Reading, path: string, parameters: Readonly<Record<string, string>>): Promise<string> {
  const address = addressOf(query.url);
  const shown = shownAddress(query.url);
  const url = new URL(path, address.url);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  let response: Response;
  try {
    response = await fetch(url, {
      headers: { ...address.headers, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeout),
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error;
    throw new StartError(`${shown} does not answer: ${errorMessage(cause)}`, { cause: error });
  }
  const body = await query.answers.textOf(response, shown);
  // Jaeger and Tempo answer 404 if they don't have the trace.
  if (response.status === 404) return '';
  if (!response.ok)
    throw new StartError(`${url.pathname} of ${shown} answers ${response.status}: ${body.slice(0, 300)}`);
  return body;
}

/**
 * A gRPC gateway writes one JSON document per message of the stream. Upstream: jaeger-idl api_v3 GRPCGatewayWrapper.
 */
const jaegerAnswer = z.object({ result: tracesData }).or(tracesData.transform((result) => ({ result })));

function parseJaeger(body: string): readonly StoredSpan[] {
  const documents = body.trim().split(/\n(?=\{)/);
  return documents
    .filter((text) => text !== '')
    .flatMap((text) => spansOf(jaegerAnswer.parse(JSON.parse(text)).result));
}

/**
 * Returns the spans of the traces in which the pod occurs. Older releases of Jaeger ignore `query.attributes` and
 * return the traces of all pods, so the caller has to select the pod's spans. All releases accept the parameter names
 * in snake case.
 */
async function askJaeger(query: Reading): Promise<readonly StoredSpan[]> {
  const { namespace, name, from, to } = query;
  const attributes = { 'k8s.pod.name': name, 'k8s.namespace.name': namespace };
  const answers = await Promise.all(
    services.map((service) =>
      get(query, 'api/v3/traces', {
        'query.service_name': service,
        'query.start_time_min': new Date(from).toISOString(),
        'query.start_time_max': new Date(to).toISOString(),
        'query.num_traces': String(maxTraces),
        'query.attributes': JSON.stringify(attributes),
      }),
    ),
  );
  return answers.flatMap(parseJaeger);
}

// A trace id becomes part of a path, so it must contain only hexadecimal digits. Tempo omits leading zeros.
const traceId = z.string().regex(/^[\da-f]{1,32}$/i, 'is not a trace id of 1 to 32 hexadecimal digits');
/** Tempo's answer to a search. Upstream: tempopb SearchResponse. */
const searchAnswer = z.object({ traces: z.array(z.object({ traceID: traceId })).nullish() });
/** Tempo's answer to a request for one trace. Upstream: tempopb TraceByIDResponse. */
const traceAnswer = z.object({ trace: tracesData.nullish() });

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

async function askTempo(query: Reading): Promise<readonly StoredSpan[]> {
  const { namespace, name, from, to } = query;
  const range = { start: String(Math.floor(from / 1_000)), end: String(Math.ceil(to / 1_000)) };
  const ofPod = `span.k8s.pod.name = ${quoted(name)} && span.k8s.namespace.name = ${quoted(namespace)}`;
  const found = await get(query, 'api/search', { q: `{ ${ofPod} }`, limit: String(maxTraces), spss: '1', ...range });
  const { traces } = searchAnswer.parse(JSON.parse(found || '{}'));
  // Apply the limit here, because a storage may ignore the limit in the request.
  const ids = [...new Set((traces ?? []).map(({ traceID }) => traceID))].slice(0, maxTraces);
  const spans: StoredSpan[] = [];
  for (let at = 0; at < ids.length; at += parallel) {
    const answers = await Promise.all(
      ids.slice(at, at + parallel).map((id) => get(query, `api/v2/traces/${id.padStart(32, '0')}`, range)),
    );
    for (const body of answers)
      if (body !== '') spans.push(...spansOf(traceAnswer.parse(JSON.parse(body)).trace ?? {}));
  }
  return spans;
}

/**
 * Returns the spans of all traces in which the pod occurs. The result may also contain spans of other pods.
 * @throws StartError if the storage doesn't respond, or if its response has another format or is too large
 */
export async function findSpans(query: TraceQuery): Promise<readonly StoredSpan[]> {
  try {
    const reading = { ...query, answers: new LimitedAnswers() };
    const spans = await (query.storage === 'jaeger' ? askJaeger(reading) : askTempo(reading));
    // Remove duplicates, because a trace that contains spans of both services is in both responses.
    return [...new Map(spans.map((span) => [`${span.trace} ${span.id}`, span])).values()];
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`the answer of ${shownAddress(query.url)} can't be read: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}
