/** Polls a URL for static pods. Upstream: kubelet config/http.go (v1.36). */
import { errorMessage } from '@podscope/base';
import type { Pod } from '@podscope/k8s';
import { parseStaticPods, type StaticPodReader } from './static-pod.ts';

/** Interval between two requests of the URL, in milliseconds. Upstream: httpCheckFrequency. */
const checkInterval = 20_000;
/** Time limit of a request, in milliseconds. It is the same as upstream. */
const clientTimeout = 10_000;
/** The maximum size of a response, in bytes. Upstream: maxConfigLength. */
const maxBytes = 10 * 1024 * 1024;
/**
 * The number of consecutive failures that are reported. Further failures aren't reported, because the server of the URL
 * may start much later.
 */
const reportedFailures = 3;

export interface ManifestURLOptions extends StaticPodReader {
  readonly url: string;
  /** Headers to send with each request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with all pods after the first response, and whenever they change. */
  readonly onPods: (pods: readonly Pod[]) => void;
  readonly onProblem: (message: string) => void;
  /** The time between two requests, in milliseconds. */
  readonly interval?: number;
}

/** Polls a URL until {@link ManifestURL.close}. While requests fail, the pods of the last valid response remain. */
export class ManifestURL {
  readonly #options: ManifestURLOptions;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void> = Promise.resolve();
  #lastBody: string | undefined;
  #failures = 0;

  constructor(options: ManifestURLOptions) {
    this.#options = options;
  }

  /** Starts polling. Resolves after the first response. */
  start(): Promise<void> {
    this.#asking = this.#ask();
    return this.#asking;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#controller.abort();
    await this.#asking;
  }

  async #ask(): Promise<void> {
    try {
      await this.#extract();
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      if (!this.#controller.signal.aborted && this.#failures <= reportedFailures)
        this.#options.onProblem((error as Error).message);
    }
    if (this.#controller.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#asking = this.#ask();
    }, this.#options.interval ?? checkInterval);
  }

  /**
   * Requests the URL, and calls `onPods` if the response changed. Upstream: extractFromURL.
   * @throws Error that describes the problem with the response
   */
  async #extract(): Promise<void> {
    const { url, nodeName, profile, headers, onPods } = this.#options;
    const response = await fetch(url, {
      headers,
      signal: AbortSignal.any([this.#controller.signal, AbortSignal.timeout(clientTimeout)]),
    }).catch((error: unknown) => {
      throw new Error(`cannot be read: ${errorMessage(error)}`, { cause: error });
    });
    const body = await bodyOf(response);
    if (response.status !== 200) throw new Error(`${response.status} ${response.statusText}`.trim());
    if (body === this.#lastBody) return;
    if (body === '') {
      this.#lastBody = body;
      onPods([]);
      throw new Error('zero-length data received');
    }
    const pods = parseStaticPods(body, { origin: { url }, nodeName, profile });
    this.#lastBody = body;
    onPods(pods);
  }
}

async function bodyOf(response: Response): Promise<string> {
  const length = Number(response.headers.get('content-length') ?? 0);
  const text = length > maxBytes ? undefined : await response.text();
  if (text === undefined || text.length > maxBytes) throw new Error(`is larger than ${maxBytes} bytes`);
  return text;
}
