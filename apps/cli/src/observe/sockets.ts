/** Chooses the paths of the relay's sockets. */
import { dirname, join } from 'node:path';
import { UsageError } from '@podscope/command-line';

const defaultListen = '/run/podscope/cri.sock';
/**
 * The ending by which cAdvisor in the kubelet recognizes CRI-O's endpoint. Upstream: CrioSocketSuffix in
 * pkg/kubelet/cadvisor (v1.36).
 */
const crioEnding = 'run/crio/crio.sock';

/**
 * Returns the path of the relay's socket in front of a runtime's endpoint.
 * @param given the path that the user chose with `--listen`
 * @throws UsageError if the path hides from the kubelet that the runtime is CRI-O
 */
export function listenFor(runtime: string, given?: string): string {
  const isCrio = runtime.endsWith(crioEnding);
  const standard = isCrio ? `/run/podscope/${crioEnding}` : defaultListen;
  if (isCrio && given?.endsWith(crioEnding) === false)
    throw new UsageError(
      `--listen: ${given} must end with ${crioEnding} in front of CRI-O, because cAdvisor in the kubelet needs it; ` +
        `use unix://${standard}`,
    );
  return given ?? standard;
}

/** Returns the path of the relay's control socket. It is in the same directory as the listening socket. */
export const controlOf = (listen: string): string => join(dirname(listen), 'relay.sock');
