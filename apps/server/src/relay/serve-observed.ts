/** Serves the page of a node that is observed through a relay. */
import { hostname } from 'node:os';
import { debugFile } from '../debug/debug-file.ts';
import { createLogger } from '../log.ts';
import {
  ApiSource,
  type ApiSourceOptions,
  KubeletSource,
  type KubeletSourceOptions,
  OtlpExporter,
  OtlpReceiver,
  parseHeaders,
} from '../observe/index.ts';
import { preparePage } from '../page/prepare-page.ts';
import { runRoutes } from '../runs/router.ts';
import { openStateDirectory } from '../state/state-directory.ts';
import { productVersion } from '../version.ts';
import { startPageServer } from '../viewer/page-server.ts';
import { ObservedNode } from './observed-node.ts';
import { keepingOf, ObservedStore } from './observed-store.ts';

export interface ServeObservedOptions {
  /** Path of the relay's control socket. */
  readonly control: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly token?: string | undefined;
  /** False to serve the last build of the page, even if sources have changed. */
  readonly build: boolean;
  /** Addresses at which spans are received; without addresses, the receiver is off. */
  readonly otlp: { readonly grpc: string | undefined; readonly http: string | undefined };
  /** The collector to which calls and syncs are exported; undefined to export nothing. */
  readonly otlpExport: string | undefined;
  /** How to reach the kubelet's own API; undefined if it isn't polled. */
  readonly kubelet: Omit<KubeletSourceOptions, 'notify' | 'every'> | undefined;
  /** The API server; off without a kubeconfig. */
  readonly api: Omit<ApiSourceOptions, 'notify' | 'retryAfter'> | undefined;
  /** Where the run, the breakpoints and the faults are kept. Without it, they end with the process. */
  readonly stateDirectory: string | undefined;
  readonly print: (text: string) => void;
}

/** A server that was started. */
export interface ObservedServer {
  /** Address of the page, with the token. */
  readonly url: string;
  readonly node: ObservedNode;
  close(): Promise<void>;
}

/** Follows the API server. A kubeconfig that can't be used ends the node, which would else keep running. */
function openApi(
  node: ObservedNode,
  api: ServeObservedOptions['api'] & object,
  notify: (text: string) => void,
): ApiSource {
  try {
    return new ApiSource(node.observer, { ...api, notify });
  } catch (error) {
    void node.close();
    throw error;
  }
}

/** Returns the attributes of the resource whose spans are exported: the relay of one node. */
function resourceOf({ observer }: ObservedNode): Readonly<Record<string, unknown>> {
  const { facts, runtime } = observer;
  return {
    'service.name': 'podscope-relay',
    'service.version': productVersion,
    'k8s.node.name': facts.nodeName ?? hostname(),
    'host.name': hostname(),
    'container.runtime.name': runtime?.name,
    'container.runtime.version': runtime?.version,
    'podscope.kubelet.version': facts.version,
  };
}

/** Starts the server. @throws StartError if the page can't be built or the port is in use */
export async function serveObserved({
  control,
  port,
  token,
  build,
  otlp,
  otlpExport,
  kubelet,
  api,
  stateDirectory,
  print,
}: ServeObservedOptions): Promise<ObservedServer> {
  const logger = createLogger('warn');
  const page = await preparePage(build, () => print('Building the page…'));
  const state = stateDirectory === undefined ? undefined : await openStateDirectory(stateDirectory);
  const stored = state && new ObservedStore(state.join('runs.db'), print);
  const exporter =
    otlpExport === undefined
      ? undefined
      : new OtlpExporter({
          url: otlpExport,
          headers: parseHeaders(process.env['OTEL_EXPORTER_OTLP_HEADERS']),
          resource: () => resourceOf(node),
          notify: print,
        });
  const node = new ObservedNode({
    control,
    ...(exporter ? { onSpan: (span) => exporter.add(span) } : {}),
    notify: print,
    ...(stored ? { keeping: keepingOf(stored) } : {}),
    ...(state ? { persistence: debugFile(state.join('debugger.json'), print) } : {}),
  });
  const { observer } = node;
  const cluster = api && openApi(node, api, print);
  const receiver = new OtlpReceiver({
    ...otlp,
    onSpans: (spans) => {
      for (const span of spans) observer.span(span);
    },
    notify: print,
  });
  const source = kubelet && new KubeletSource(observer, { ...kubelet, notify: print });
  const stop = async (): Promise<void> => {
    source?.stop();
    cluster?.stop();
    receiver.stop();
    await node.close();
    await exporter?.stop();
    stored?.close();
    state?.release();
  };
  const server = await startPageServer({
    source: node,
    port,
    token,
    pageDirectory: page,
    logger,
    ...(stored ? { routes: [runRoutes({ store: stored.store, logger, readOnly: () => false })] } : {}),
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  await receiver.start().catch(async (error: unknown) => {
    await stop();
    await server.close();
    throw error;
  });
  return {
    url: server.url,
    node,
    async close() {
      await stop();
      await server.close();
    },
  };
}
