/** Creates, reads and watches objects through the server's Kubernetes API. */
import type { Event, Pod, PodStatus } from '@podscope/k8s';

type Named = { readonly namespace?: string; readonly name: string };

/** Thrown for a response other than 2xx; `status` is the API's Status object. */
class KubeApiError extends Error {
  override readonly name = 'KubeApiError';
  readonly code: number;
  readonly status: { readonly message?: string; readonly reason?: string };

  constructor(code: number, status: { readonly message?: string; readonly reason?: string }) {
    super(status.message ?? `HTTP ${code}`);
    this.code = code;
    this.status = status;
  }
}

/** The status to use for a pod that has no status yet. */
const noStatus: PodStatus = {};

export const containerStatus = (pod: Pod, name: string) =>
  [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])].find(
    (status) => status.name === name,
  );

export class KubeApi {
  readonly #origin: string;
  /**
   * Each request has a connection of its own. On a busy machine, the server can close an idle connection at the moment
   * in which the client uses it again.
   */
  readonly #headers: Readonly<Record<string, string>>;

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#headers = { authorization: `Bearer ${token}`, connection: 'close' };
  }

  async request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(`${this.#origin}${path}`, {
      method,
      headers: {
        ...this.#headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new KubeApiError(response.status, (await response.json().catch(() => ({}))) as { message?: string });
    return response;
  }

  async create(
    object: {
      readonly kind: string;
      readonly metadata: { readonly namespace?: string } & Record<string, unknown>;
    } & Record<string, unknown>,
  ): Promise<Pod> {
    const collection = `${object.kind.toLowerCase()}s`;
    const response = await this.request(
      'POST',
      `/api/v1/namespaces/${object.metadata.namespace ?? 'default'}/${collection}`,
      object,
    );
    return (await response.json()) as Pod;
  }

  /** Creates a pod of the given spec in namespace default. */
  createPod(name: string, spec: Record<string, unknown>, metadata: Record<string, unknown> = {}): Promise<Pod> {
    return this.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, spec });
  }

  async getPod({ namespace = 'default', name }: Named): Promise<Pod | undefined> {
    try {
      return (await (await this.request('GET', `/api/v1/namespaces/${namespace}/pods/${name}`)).json()) as Pod;
    } catch (error) {
      if (error instanceof KubeApiError && error.code === 404) return undefined;
      throw error;
    }
  }

  async deletePod({ namespace = 'default', name }: Named, gracePeriodSeconds?: number): Promise<void> {
    await this.request(
      'DELETE',
      `/api/v1/namespaces/${namespace}/pods/${name}`,
      gracePeriodSeconds === undefined ? undefined : { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds },
    );
  }

  async events(name: string): Promise<readonly Event[]> {
    const response = await this.request(
      'GET',
      `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D${name}`,
    );
    return ((await response.json()) as { items: Event[] }).items;
  }

  async logs(name: string, query = ''): Promise<string> {
    return (await this.request('GET', `/api/v1/namespaces/default/pods/${name}/log${query}`)).text();
  }

  /**
   * Watches one pod until `condition` returns true. The condition gets undefined once the pod is deleted.
   * @throws Error with the last status after `timeoutMs`
   */
  async waitForPod(
    name: string,
    what: string,
    condition: (pod: Pod | undefined, status: PodStatus) => boolean,
    timeoutMs = 240_000,
  ): Promise<Pod | undefined> {
    const signal = AbortSignal.timeout(timeoutMs);
    let last: Pod | undefined;
    try {
      for await (const pod of this.#versionsOfPod(name, signal)) {
        last = pod ?? last;
        if (condition(pod, pod?.status ?? noStatus)) return pod;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    throw new Error(
      `pod ${name}: ${what} not seen within ${timeoutMs} ms; last status: ` +
        JSON.stringify(last?.status, undefined, 1),
    );
  }

  async *#versionsOfPod(name: string, signal: AbortSignal): AsyncGenerator<Pod | undefined> {
    const path = `/api/v1/namespaces/default/pods?fieldSelector=metadata.name%3D${name}`;
    const list = (await (await this.request('GET', path)).json()) as {
      metadata: { resourceVersion: string };
      items: Pod[];
    };
    yield list.items[0];
    const response = await fetch(`${this.#origin}${path}&watch=1&resourceVersion=${list.metadata.resourceVersion}`, {
      headers: this.#headers,
      signal,
    });
    let rest = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter(Boolean)) {
        const { type, object } = JSON.parse(line) as { type: string; object: Pod };
        if (type !== 'BOOKMARK') yield type === 'DELETED' ? undefined : object;
      }
    }
  }
}
