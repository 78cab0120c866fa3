/**
 * Exports spans to a collector over OTLP/HTTP with JSON. Upstream: opentelemetry-specification, protocol/exporter. The
 * OTLP specification defines the status codes after which a request is retried.
 */
import { errorMessage } from '@podscope/base';
import type { ObservedSpan } from '@podscope/observer';
import { attributesOf, nanoseconds } from '@podscope/trace/export';
import { StartError } from '../../start-error.ts';
import { addressOf, shownAddress } from '../address.ts';

export interface OtlpExporterOptions {
  /** The collector's base address, such as `http://collector:4318`; `/v1/traces` is appended. */
  readonly url: string;
  /** Headers of each request, for example for authentication. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Returns the attributes of this node and program. It is called before each request, because some facts become known
   * later.
   */
  readonly resource: () => Readonly<Record<string, unknown>>;
  readonly notify: (message: string) => void;
  /** The delay between two requests, in milliseconds. Default: 2000. */
  readonly every?: number;
}

/**
 * Maximum number of queued spans. Further spans are dropped, so that an unreachable collector doesn't increase memory
 * usage.
 */
const maxWaiting = 10_000;
const maxBatch = 512;
/** Maximum time of a request, in milliseconds. */
const exportTimeout = 10_000;
const statusError = 2;
const kindServer = 2;
/** Upstream: OTLP specification, "Failures": the codes after which a client sends the same request again. */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Parses `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,name=value` with percent-encoded values.
 * @throws StartError for a value that isn't percent-encoded. The error contains only the name of the header, because
 * the value may be a secret.
 */
export function parseHeaders(text: string | undefined): Readonly<Record<string, string>> {
  const pairs = (text ?? '').split(',').flatMap((each) => {
    const at = each.indexOf('=');
    if (at <= 0) return [];
    const name = each.slice(0, at).trim();
    try {
      return [[name, decodeURIComponent(each.slice(at + 1).trim())] as const];
    } catch (error) {
      throw new StartError(
        `OTEL_EXPORTER_OTLP_HEADERS: the value of the header ${name} is not percent-encoded (write % as %25)`,
        { cause: error },
      );
    }
  });
  return Object.fromEntries(pairs);
}

const encoded = ({ trace, id, parent, name, t, end, attributes, error }: ObservedSpan): object => ({
  traceId: trace,
  spanId: id,
  ...(parent === '' ? {} : { parentSpanId: parent }),
  name,
  kind: kindServer,
  startTimeUnixNano: nanoseconds(t),
  endTimeUnixNano: nanoseconds(end),
  attributes: attributesOf(attributes),
  status: error === undefined ? {} : { code: statusError, message: error },
});

export class OtlpExporter {
  readonly #options: OtlpExporterOptions;
  readonly #timer: NodeJS.Timeout;
  #waiting: ObservedSpan[] = [];
  #dropped = 0;
  #problem: string | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: OtlpExporterOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.flush(), options.every ?? 2_000);
    this.#timer.unref();
  }

  /** Queues a span. */
  add(span: ObservedSpan): void {
    if (this.#waiting.length < maxWaiting) this.#waiting.push(span);
    else this.#dropped += 1;
  }

  /** Sends the queued spans. Resolves when the collector has accepted them, or doesn't answer. Never rejects. */
  async flush(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
    await this.#sending;
  }

  /** Stops the timer and sends the queued spans once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, maxBatch);
      const problem = await this.#request(batch);
      if (problem === 'retry') return;
      this.#waiting.splice(0, batch.length);
    }
    if (this.#dropped > 0) this.#options.notify(`${this.#dropped} spans were dropped: the collector was too slow.`);
    this.#dropped = 0;
  }

  /** Sends a batch. Returns `retry` if the batch must be sent again. */
  async #request(spans: readonly ObservedSpan[]): Promise<'retry' | undefined> {
    const { url, headers, resource } = this.#options;
    const scopeSpans = [{ scope: { name: 'podscope' }, spans: spans.map(encoded) }];
    const body = { resourceSpans: [{ resource: { attributes: attributesOf(resource()) }, scopeSpans }] };
    try {
      const address = addressOf(url);
      const response = await fetch(new URL('v1/traces', address.url), {
        method: 'POST',
        headers: { ...address.headers, ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        // Don't follow redirects. The headers may contain an API key, which must not reach another host.
        redirect: 'error',
        signal: AbortSignal.timeout(exportTimeout),
      });
      await response.body?.cancel();
      if (response.ok) this.#problem = undefined;
      else this.#report(`the collector answers ${response.status}`);
      return retryable.has(response.status) ? 'retry' : undefined;
    } catch (error) {
      const cause = error instanceof Error && error.cause ? `: ${errorMessage(error.cause)}` : '';
      this.#report(`${errorMessage(error)}${cause}`);
      return 'retry';
    }
  }

  /** Reports a problem once. After a successful request, the same problem is reported again. */
  #report(problem: string): void {
    if (this.#problem !== problem)
      this.#options.notify(`OTLP export to ${shownAddress(this.#options.url)}: ${problem}`);
    this.#problem = problem;
  }
}
