/** Parses the command line of `cri`. */

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { callOf, UsageError } from '@podscope/command-line';
import { defaultSandboxImages } from '@podscope/cri';
import { socketPath } from '@podscope/cri/grpc';
import { type NetworkOptions, networkPlugins } from '@podscope/dockershim';
import { z } from 'zod';

export interface CriOptions {
  /** The endpoint on which to listen, for example `unix:///run/podscope/cri.sock`. */
  readonly listen: string;
  readonly socketMode: number;
  readonly runtime: 'docker' | 'sim';
  /** The release whose dockershim is served or simulated. */
  readonly profile: 'v1.36' | 'v1.20';
  readonly dockerHost: string | undefined;
  readonly sandboxImage: string | undefined;
  /** Path of the simulation file. */
  readonly simulation: string | undefined;
  /** Network plugin of dockershim's pods. */
  readonly network: NetworkOptions;
  readonly stateDir: string;
  /** Address on which the streaming server listens. */
  readonly streaming: { readonly host: string; readonly port: number };
  /** True to print each CRI call with its Docker calls. */
  readonly verbose: boolean;
}

/** Returns the default endpoint: a socket in `/run` for root, or in the user's runtime directory. */
function defaultEndpoint(environment: NodeJS.ProcessEnv, isRoot: boolean): string {
  const runtimeDirectory = isRoot || !environment['XDG_RUNTIME_DIR'] ? '/run' : environment['XDG_RUNTIME_DIR'];
  return `unix://${runtimeDirectory}/podscope/cri.sock`;
}

const defaultStateDir = (environment: NodeJS.ProcessEnv): string =>
  join(environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'podscope', 'cri');

const definitions = {
  listen: { type: 'string' },
  'socket-mode': { type: 'string', default: '0600' },
  runtime: { type: 'string', default: 'docker' },
  profile: { type: 'string', default: 'v1.36' },
  'docker-host': { type: 'string' },
  'sandbox-image': { type: 'string' },
  simulation: { type: 'string' },
  'network-plugin': { type: 'string', default: 'docker' },
  'cni-conf-dir': { type: 'string', default: '/etc/cni/net.d' },
  'cni-bin-dir': { type: 'string', default: '/opt/cni/bin,/usr/lib/cni' },
  'state-dir': { type: 'string' },
  'streaming-address': { type: 'string', default: '127.0.0.1:0' },
  verbose: { type: 'boolean', default: false },
} as const;

const runtime = z.enum(['docker', 'sim'], {
  error: ({ input }) => `--runtime ${JSON.stringify(input)} is not docker or sim`,
});
const profile = z.enum(['v1.36', 'v1.20'], {
  error: ({ input }) => `--profile ${JSON.stringify(input)} is not v1.36 or v1.20`,
});
const networkPlugin = z.enum(networkPlugins, {
  error: ({ input }) => `--network-plugin ${JSON.stringify(input)} is not docker, none or cni`,
});
const socketMode = z.enum(['0600', '0660'], {
  error: ({ input }) => `--socket-mode ${JSON.stringify(input)} is not 0600 or 0660`,
});

/** Parses a host with an optional port, such as `127.0.0.1:0`, `[::1]:10010` or `0.0.0.0`. */
function streamingAddress(text: string): CriOptions['streaming'] {
  const [, bracketed, plain, port = '0'] = /^(?:\[([0-9a-fA-F:]+)\]|([a-zA-Z0-9.-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535)
    throw new UsageError(`--streaming-address ${JSON.stringify(text)} is not an address and a port, as in 127.0.0.1:0`);
  return { host, port: Number(port) };
}

/** Returns the parsed options. @throws UsageError naming the invalid option */
export function parseCriOptions(args: readonly string[], environment: NodeJS.ProcessEnv, isRoot: boolean): CriOptions {
  try {
    const { values } = parseArgs({ args: [...args], options: definitions, strict: true, allowPositionals: false });
    if (values.simulation !== undefined && values.runtime !== 'sim')
      throw new UsageError('--simulation is for --runtime sim');
    const listen = values.listen ?? defaultEndpoint(environment, isRoot);
    return {
      listen: `unix://${socketPath(listen)}`,
      socketMode: Number.parseInt(socketMode.parse(values['socket-mode']), 8),
      runtime: runtime.parse(values.runtime),
      profile: profile.parse(values.profile),
      dockerHost: values['docker-host'],
      sandboxImage: values['sandbox-image'],
      simulation: values.simulation,
      network: {
        networkPlugin: networkPlugin.parse(values['network-plugin']),
        cniConfDir: resolve(values['cni-conf-dir']),
        cniBinDirs: values['cni-bin-dir']
          .split(',')
          .filter(Boolean)
          .map((path) => resolve(path)),
      },
      stateDir: resolve(values['state-dir'] ?? defaultStateDir(environment)),
      streaming: streamingAddress(values['streaming-address']),
      verbose: values.verbose,
    };
  } catch (error) {
    const message =
      error instanceof z.ZodError
        ? error.issues[0]?.message
        : error instanceof Error
          ? error.message.split('\n')[0]
          : String(error);
    throw new UsageError(`${message} (--help lists all options)`, { cause: error });
  }
}

export const help = `Usage: ${callOf('cri')} [options]

Serves a container runtime as CRI (runtime.v1 and runtime.v1alpha2) over gRPC on a Unix socket, for a kubelet, crictl,
critest, or Podscope itself (${callOf('start')} --runtime unix:///run/podscope/cri.sock).

Options:
  --listen unix:///PATH     Socket to listen on (default: unix:///run/podscope/cri.sock; as another user than root
                            $XDG_RUNTIME_DIR/podscope/cri.sock). A socket left by a server that died is replaced.
  --socket-mode MODE        0600: for this user alone. 0660: for its group too. Clients that may connect are as
                            powerful as root. (default: 0600)
  --runtime docker|sim      The container runtime: Docker through dockershim, or the embedded simulator (default:
                            docker). With sim, containers read the files of this machine that they mount. They change
                            only files in the kubelet's directory of their pod; other changes stay in memory. The
                            simulator writes container logs to the paths that the kubelet names. The addresses of its
                            pods are simulated: PortForward reaches them, a kubelet's HTTP, TCP and gRPC probes don't.
  --profile v1.36|v1.20     The dockershim to serve or simulate: today's, or that of kubelet v1.20, whose answers
                            kubelets before 1.24 expect (image ids docker:// and docker-pullable://) (default: v1.36)
  --simulation FILE         A file that describes the simulated node: registries, images, latencies, scripts, faults
                            (docs/use/simulator.md); with --runtime sim
  --docker-host URL         The engine: unix:///path, tcp://host:port, ssh://user@host (default: $DOCKER_HOST, else
                            the local socket)
  --sandbox-image IMAGE     Image of the pause container (default: ${defaultSandboxImages['v1.36']}, with
                            --profile v1.20 ${defaultSandboxImages['v1.20']}; podscope/pause:local where that can't
                            be pulled)
  --network-plugin NAME     docker: pods are on the engine's bridge. none: they have no network. cni: CNI plugins
                            connect them, which needs root and a local engine (default: docker)
  --cni-conf-dir DIR        The directory of CNI configurations; the first valid one is used (default: /etc/cni/net.d)
  --cni-bin-dir DIR,…       The directories of CNI plugins (default: /opt/cni/bin,/usr/lib/cni)
  --state-dir DIR           The directory of the checkpoints and of the id that marks this server's containers. Only
                            one server can use it. (default: $XDG_STATE_HOME/podscope/cri or
                            ~/.local/state/podscope/cri)
  --streaming-address ADDRESS:PORT
                            The address that serves the streams of Exec, Attach and PortForward; port 0 selects a free
                            one. Clients need no credentials but the token in the URL: keep it on loopback. (default:
                            127.0.0.1:0)
  --verbose                 Print every call with its duration, and the Docker calls it made.

Ctrl+C stops it cleanly: it completes calls in progress and removes the socket. Containers of Docker keep running;
those of the simulator end with the process.`;
