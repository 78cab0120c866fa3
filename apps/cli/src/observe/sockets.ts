/** Chooses the paths of the relay's sockets. */
import { dirname, join } from 'node:path';

const defaultListen = '/run/podscope/cri.sock';
/**
 * The ending by which cAdvisor in the kubelet recognizes CRI-O's endpoint. Upstream: CrioSocketSuffix in
 * pkg/kubelet/cadvisor (v1.36).
 */
const crioEnding = 'run/crio/crio.sock';

/**
 * Returns the path of the relay's socket in front of a runtime's endpoint.
 * @param given the path that the user chose
 * @throws Error if the path hides from the kubelet that the runtime is CRI-O
 */
export function listenFor(runtime: string, given?: string): string {
  const isCrio = runtime.endsWith(crioEnding);
  if (isCrio && given?.endsWith(crioEnding) === false)
    throw new Error(`in front of CRI-O, --listen must end with ${crioEnding}: cAdvisor in the kubelet needs it`);
  return given ?? (isCrio ? `/run/podscope/${crioEnding}` : defaultListen);
}

/** Returns the path of the relay's control socket. It is in the same directory as the listening socket. */
export const controlOf = (listen: string): string => join(dirname(listen), 'relay.sock');
