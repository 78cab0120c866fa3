/** Serves the page of a node that is observed through a relay. */
import { hostname } from 'node:os';
import { debugApi, ScriptLease } from '../debug/debug-api.ts';
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
import { defaultRunsSize } from '../store/store-limits.ts';
import { productVersion } from '../version.ts';
import { startPageServer } from '../viewer/page-server.ts';
import { ObservedNode } from './observed-node.ts';
import { keepingOf, ObservedStore } from './observed-store.ts';

export interface ServeObservedOptions {
  /** Path of the relay's control socket. */
  readonly control: string;
  /** The port of the page; 0, the default, chooses a free port. */
  readonly port?: number;
  readonly token?: string | undefined;
  /**
   * False to serve no page. The server then connects to the relay as a reader, beside a debugger with its page. By
   * default, true.
   */
  readonly page?: boolean;
  /** True to build the page if sources have changed. By default, the last build is served. */
  readonly build?: boolean;
  /** Addresses at which spans are received. Without addresses, no spans are received. */
  readonly otlp?: { readonly grpc: string | undefined; readonly http: string | undefined };
  /** The collector to which calls and syncs are exported; undefined to export nothing. */
  readonly otlpExport?: string | undefined;
  /** The address and credentials of the kubelet's own API; undefined if it isn't polled. */
  readonly kubelet?: Omit<KubeletSourceOptions, 'notify' | 'every'> | undefined;
  /** The node name and kubeconfig for the API server; undefined if it isn't used. */
  readonly api?: Omit<ApiSourceOptions, 'notify' | 'retryAfter'> | undefined;
  /**
   * The directory in which the run, the breakpoints and the faults are stored. Without it, they are lost when the
   * process ends.
   */
  readonly stateDirectory?: string | undefined;
  /** The maximum size of the events in that directory, in bytes. By default, 2 GiB. */
  readonly runsSize?: number;
  /** Prints warnings and progress. By default, nothing is printed. */
  readonly print?: (text: string) => void;
}

/** A running server. */
export interface ObservedServer {
  /** Address of the page, with the token; undefined without a page. */
  readonly url: string | undefined;
  readonly node: ObservedNode;
  close(): Promise<void>;
}

/** Returns the attributes of the exported spans' resource, which is the relay of one node. */
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

/** Starts the server. @throws StartError if the page can't be built, a source can't be used or the port is in use */
export async function serveObserved(options: ServeObservedOptions): Promise<ObservedServer> {
  /** Functions that stop the started parts. They run in reverse order. */
  const endings: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const end of endings.splice(0).toReversed()) await end();
  };
  try {
    const { url, node } = await start(options, endings);
    return { url, node, close };
  } catch (error) {
    // After a failed start, close everything. Otherwise the state directory would stay locked for further attempts of
    // this process.
    await close();
    throw error;
  }
}

async function start(
  {
    control,
    port = 0,
    token,
    page = true,
    build = false,
    otlp = { grpc: undefined, http: undefined },
    otlpExport,
    kubelet,
    api,
    stateDirectory,
    runsSize = defaultRunsSize * 1024 ** 2,
    print: notify = () => undefined,
  }: ServeObservedOptions,
  endings: (() => unknown)[],
): Promise<Pick<ObservedServer, 'url' | 'node'>> {
  const logger = createLogger('warn');
  const pageDirectory = page ? await preparePage(build, () => notify('Building the page…')) : undefined;
  const state = stateDirectory === undefined ? undefined : await openStateDirectory(stateDirectory);
  endings.push(() => state?.release());
  const stored =
    state &&
    new ObservedStore({
      file: state.join('runs.db'),
      memory: state.join('observer.json'),
      maxBytes: runsSize,
      notify,
    });
  endings.push(() => stored?.close());
  const exporter =
    otlpExport === undefined
      ? undefined
      : new OtlpExporter({
          url: otlpExport,
          headers: parseHeaders(process.env['OTEL_EXPORTER_OTLP_HEADERS']),
          resource: () => resourceOf(node),
          notify,
        });
  endings.push(() => exporter?.stop());
  const node = new ObservedNode({
    control,
    role: page ? 'debugger' : 'reader',
    ...(exporter ? { onSpan: (span) => exporter.add(span) } : {}),
    notify,
    ...(stored ? { keeping: keepingOf(stored) } : {}),
    ...(state ? { persistence: debugFile(state.join('debugger.json'), notify) } : {}),
  });
  endings.push(() => node.close());
  const { observer } = node;
  const cluster = api && new ApiSource(observer, { ...api, notify });
  endings.push(() => cluster?.stop());
  const receiver = new OtlpReceiver({
    ...otlp,
    onSpans: (spans) => {
      for (const span of spans) observer.span(span);
    },
    notify,
  });
  endings.push(() => receiver.stop());
  await receiver.start();
  const source = kubelet && new KubeletSource(observer, { ...kubelet, notify });
  endings.push(() => source?.stop());
  if (pageDirectory === undefined) return { url: undefined, node };
  const scripts = new ScriptLease(node.host.attach, node.host.clock);
  endings.push(() => scripts.end());
  const server = await startPageServer({
    source: node,
    port,
    token,
    pageDirectory,
    logger,
    routes: [
      debugApi(node.host, scripts),
      ...(stored ? [runRoutes({ store: stored.store, logger, readOnly: () => false })] : []),
    ],
  });
  endings.push(() => server.close());
  return { url: server.url, node };
}
