/** Lists and watches the pods of the cluster through the dashboard's server. */

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: object;
  readonly terminated?: { readonly reason?: string; readonly exitCode: number };
}

export interface Pod {
  readonly metadata: { readonly uid: string; readonly name: string; readonly deletionTimestamp?: string };
  readonly status?: {
    readonly phase?: string;
    readonly containerStatuses?: readonly {
      readonly name: string;
      readonly restartCount: number;
      readonly ready: boolean;
      readonly state?: ContainerState;
    }[];
  };
}

interface PodList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Pod[];
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Pod;
}

const path = '/api/v1/namespaces/default/pods';

/** Yields the lines of a response as they arrive. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}

async function request(query: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(`${path}${query}`, { signal });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response;
}

/** Calls `show` with all pods, at first and after each change, until the signal aborts. */
export async function watchPods(signal: AbortSignal, show: (pods: readonly Pod[]) => void): Promise<void> {
  const list = (await (await request('', signal)).json()) as PodList;
  const pods = new Map(list.items.map((pod) => [pod.metadata.uid, pod]));
  show([...pods.values()]);
  const watch = await request(`?watch=1&resourceVersion=${list.metadata.resourceVersion}`, signal);
  for await (const line of linesOf(watch)) {
    const { type, object } = JSON.parse(line) as WatchEvent;
    // The version is too old: list again.
    if (type === 'ERROR') return;
    if (type === 'DELETED') pods.delete(object.metadata.uid);
    else if (type !== 'BOOKMARK') pods.set(object.metadata.uid, object);
    show([...pods.values()]);
  }
}
