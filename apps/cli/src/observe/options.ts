/** Parses the command line of `observe`. */
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { callOf, UsageError } from '@podscope/command-line';
import { socketPath } from '@podscope/cri/grpc';
import { defaultRunsSize, defaultStateDir, runsSizeValues } from '@podscope/server/runs';
import { controlOf, listenFor } from './sockets.ts';

export interface ObserveOptions {
  /** Socket paths. */
  readonly listen: string;
  readonly runtime: string;
  readonly imageRuntime: string | undefined;
  readonly control: string;
  /** True to serve the page; false to export spans only. */
  readonly page: boolean;
  readonly port: number;
  readonly token: string | undefined;
  readonly build: boolean;
  readonly otlp: { readonly grpc: string | undefined; readonly http: string | undefined };
  readonly otlpExport: string | undefined;
  readonly kubelet: KubeletOptions | undefined;
  readonly api: ApiOptions | undefined;
  /** The directory for saved runs and breakpoints; undefined to save nothing, as without the page. */
  readonly stateDirectory: string | undefined;
  /** The maximum size of what is saved there, in bytes. */
  readonly runsSize: number;
}

/** The kubeconfig for the API server, and the name of this node there. */
interface ApiOptions {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly nodeName: string;
}

/** The URL of the kubelet's own API, and the files for authentication. */
interface KubeletOptions {
  readonly url: string;
  readonly tokenFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly caFile: string | undefined;
}

const defaultRuntime = 'unix:///run/containerd/containerd.sock';

export const help = `Usage: ${callOf('observe')} [--listen ENDPOINT] [--runtime ENDPOINT] [options]
       ${callOf('observe')} install [--dry-run] [--listen ENDPOINT] [--otlp-export URL [options of its sources]]
       ${callOf('observe')} uninstall [--dry-run]

Shows and debugs a genuine kubelet: a relay forwards its CRI calls to the container runtime, and the page shows them,
can stop them and let them fail. Point the kubelet's containerRuntimeEndpoint to --listen, or let "observe install" do
it. If a relay already listens (because it is installed), this only serves the page.

Options:
  --listen ENDPOINT         Where the kubelet connects (default: that of "observe install", else
                            unix://${listenFor(defaultRuntime)}; in front of CRI-O
                            unix://${listenFor('run/crio/crio.sock')}, whose ending the kubelet's cAdvisor needs).
  --runtime ENDPOINT        The runtime's socket (default: ${defaultRuntime}).
  --image-runtime ENDPOINT  The socket of the runtime's ImageService, if it is another.
  --otlp ADDRESS            Receive traces over OTLP/gRPC, for example of the kubelet, on 127.0.0.1:4317.
  --otlp-http ADDRESS       Receive traces over OTLP/HTTP, for example of containerd, on 127.0.0.1:4318.
  --otlp-export URL         Export calls and syncs as spans to a collector over OTLP/HTTP: http://collector:4318. Headers
                            come from OTEL_EXPORTER_OTLP_HEADERS. "open --jaeger" and "open --tempo" read them back.
  --kubelet URL             Ask the kubelet for /pods and /configz: https://127.0.0.1:10250 or http://127.0.0.1:10255.
  --kubelet-token FILE      The token for it, or
  --kubelet-cert FILE, --kubelet-key FILE
                            a client certificate.
  --kubelet-ca FILE         The authority of the kubelet's certificate. Without one it isn't verified.
  --kubeconfig FILE         Read this node's pods, events and Node object from the API server. Nothing is changed there.
  --context NAME            The context of the kubeconfig (default: its current one).
  --node-name NAME          The node's name there (default: the host name).
  --state-dir DIR           Where the run, breakpoints and faults are kept: the next start continues them
                            (default: ~/.local/state/podscope/observe).
  --runs-size MIB           Space for the run (default: ${defaultRunsSize}). Above it, its oldest events are deleted.
  --no-store                Keep nothing.
  --no-page                 Only export spans to --otlp-export, beside an "observe" with a page. Keeps nothing.
  --port N                  Port of the page on 127.0.0.1 (default: 4400; 0 takes a free port).
  --token TOKEN             Token of the page (default: a new one each start).
  --no-build                Serve the page as it was last built.
`;

const definitions = {
  listen: { type: 'string' },
  runtime: { type: 'string', default: defaultRuntime },
  'image-runtime': { type: 'string' },
  port: { type: 'string', default: '4400' },
  token: { type: 'string' },
  otlp: { type: 'string' },
  'otlp-http': { type: 'string' },
  'otlp-export': { type: 'string' },
  kubelet: { type: 'string' },
  'kubelet-token': { type: 'string' },
  'kubelet-cert': { type: 'string' },
  'kubelet-key': { type: 'string' },
  'kubelet-ca': { type: 'string' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  'node-name': { type: 'string' },
  'state-dir': { type: 'string' },
  'runs-size': { type: 'string', default: String(defaultRunsSize) },
  'no-page': { type: 'boolean', default: false },
  'no-store': { type: 'boolean', default: false },
  'no-build': { type: 'boolean', default: false },
} as const;

/** Returns an endpoint's socket path. @throws UsageError naming the option */
export function pathOf(option: string, endpoint: string): string {
  try {
    return socketPath(endpoint);
  } catch (error) {
    throw new UsageError(`--${option}: ${(error as Error).message}`);
  }
}

/**
 * Returns an HTTP or HTTPS address.
 * @throws UsageError naming the option
 */
function urlOf(option: string, url: string | undefined): string | undefined {
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url;
  throw new UsageError(`--${option}: ${JSON.stringify(url)} is not an http:// or https:// address`);
}

/**
 * @param installed the path of the socket of an installed relay; undefined if none is installed
 * @throws UsageError
 */
export function parseObserveOptions(args: readonly string[], installed?: string): ObserveOptions {
  let values;
  try {
    ({ values } = parseArgs({ args: [...args], options: definitions, strict: true }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const runtime = pathOf('runtime', values.runtime);
  // The installation has chosen the path of an installed relay for its own runtime. --runtime may name another one.
  const chosen = values.listen === undefined ? undefined : pathOf('listen', values.listen);
  const listen = (chosen === undefined ? installed : undefined) ?? listenFor(runtime, chosen);
  if (listen === runtime) throw new UsageError('--listen and --runtime name the same socket');
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`--port ${values.port} is not a port`);
  const runsSize = values['runs-size'];
  if (!runsSizeValues.schema.safeParse(runsSize).success)
    throw new UsageError(`--runs-size ${JSON.stringify(runsSize)} is not ${runsSizeValues.expected}`);
  const image = values['image-runtime'];
  const page = !values['no-page'];
  if (!page && values['otlp-export'] === undefined) throw new UsageError('--no-page needs --otlp-export');
  return {
    listen,
    runtime,
    imageRuntime: image === undefined ? undefined : pathOf('image-runtime', image),
    control: controlOf(listen),
    page,
    port,
    token: values.token,
    build: !values['no-build'],
    otlp: { grpc: values.otlp, http: values['otlp-http'] },
    otlpExport: urlOf('otlp-export', values['otlp-export']),
    kubelet:
      values.kubelet === undefined
        ? undefined
        : {
            url: values.kubelet,
            tokenFile: values['kubelet-token'],
            certFile: values['kubelet-cert'],
            keyFile: values['kubelet-key'],
            caFile: values['kubelet-ca'],
          },
    stateDirectory:
      values['no-store'] || !page
        ? undefined
        : resolve(values['state-dir'] ?? join(defaultStateDir(process.env), 'observe')),
    runsSize: Number(runsSize) * 1024 ** 2,
    api:
      values.kubeconfig === undefined && values.context === undefined
        ? undefined
        : {
            kubeconfig: values.kubeconfig,
            context: values.context,
            // Without the option, use the name that the kubelet uses without --hostname-override. Upstream:
            // GetNodeName.
            nodeName: values['node-name'] ?? hostname().trim().toLowerCase(),
          },
  };
}
