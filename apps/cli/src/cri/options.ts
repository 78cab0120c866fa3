/** The command line of `cri`. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { socketPath } from '@podscope/cri/grpc';
import { z } from 'zod';
import { UsageError } from '../command.ts';

export interface CriOptions {
  /** `unix:///run/podscope/cri.sock` */
  readonly listen: string;
  readonly socketMode: number;
  readonly runtime: 'docker' | 'sim';
  readonly dockerHost: string | undefined;
  readonly sandboxImage: string | undefined;
  readonly stateDir: string;
  /** Print each call and the Docker calls it becomes. */
  readonly verbose: boolean;
}

/** Where it listens unless told otherwise: where services keep their sockets, or the user's own place for them. */
export function defaultEndpoint(environment: NodeJS.ProcessEnv, isRoot: boolean): string {
  const runtimeDirectory = isRoot || !environment['XDG_RUNTIME_DIR'] ? '/run' : environment['XDG_RUNTIME_DIR'];
  return `unix://${runtimeDirectory}/podscope/cri.sock`;
}

const defaultStateDir = (environment: NodeJS.ProcessEnv): string =>
  join(environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'podscope', 'cri');

const definitions = {
  listen: { type: 'string' },
  'socket-mode': { type: 'string', default: '0600' },
  runtime: { type: 'string', default: 'docker' },
  'docker-host': { type: 'string' },
  'sandbox-image': { type: 'string' },
  'state-dir': { type: 'string' },
  verbose: { type: 'boolean', default: false },
} as const;

const runtime = z.enum(['docker', 'sim'], { error: ({ input }) => `--runtime ${JSON.stringify(input)} is not docker or sim` });
const socketMode = z.enum(['0600', '0660'], { error: ({ input }) => `--socket-mode ${JSON.stringify(input)} is not 0600 or 0660` });

/** @throws UsageError naming what cannot be followed */
export function parseCriOptions(args: readonly string[], environment: NodeJS.ProcessEnv, isRoot: boolean): CriOptions {
  try {
    const { values } = parseArgs({ args: [...args], options: definitions, strict: true, allowPositionals: false });
    const listen = values.listen ?? defaultEndpoint(environment, isRoot);
    return {
      listen: `unix://${socketPath(listen)}`,
      socketMode: Number.parseInt(socketMode.parse(values['socket-mode']), 8),
      runtime: runtime.parse(values.runtime),
      dockerHost: values['docker-host'],
      sandboxImage: values['sandbox-image'],
      stateDir: resolve(values['state-dir'] ?? defaultStateDir(environment)),
      verbose: values.verbose,
    };
  } catch (error) {
    const message = error instanceof z.ZodError ? error.issues[0]?.message : error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new UsageError(`${message} (--help lists all options)`, { cause: error });
  }
}

export const help = `Usage: npx -y pnpm@12 cri [options]

Serves a container runtime as CRI (runtime.v1 and runtime.v1alpha2) over gRPC on a Unix socket, for a kubelet, crictl, critest, or
Podscope itself (npx -y pnpm@12 start --runtime unix:///run/podscope/cri.sock).

Options:
  --listen unix:///PATH     Socket to listen on (default: unix:///run/podscope/cri.sock; as another user than root
                            $XDG_RUNTIME_DIR/podscope/cri.sock). A socket left by a server that died is replaced.
  --socket-mode MODE        0600: for this user alone. 0660: for its group too. Who may connect is as powerful as root. (default: 0600)
  --runtime docker|sim      What runs the containers: Docker through dockershim, or the embedded simulator (default: docker)
  --docker-host URL         The engine: unix:///path, tcp://host:port, ssh://user@host (default: $DOCKER_HOST, else the local socket)
  --sandbox-image IMAGE     Image of the pause container (default: registry.k8s.io/pause:3.10, or podscope/pause:local where that
                            cannot be pulled)
  --state-dir DIR           Where checkpoints are kept, and the id that marks this server's containers. One server at a time.
                            (default: $XDG_STATE_HOME/podscope/cri or ~/.local/state/podscope/cri)
  --verbose                 Print every call with its duration, and the Docker calls it became.

Ctrl+C stops it cleanly: calls under way end, containers stay, the socket goes.`;
