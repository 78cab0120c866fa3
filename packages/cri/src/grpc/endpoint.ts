/** Where a CRI runtime listens. */
import { isAbsolute } from 'node:path';

/** The longest path a Unix socket can have on Linux, in bytes. */
const maxSocketPath = 107;

/**
 * The socket's path in a CRI endpoint: `unix:///run/containerd/containerd.sock`, or the path alone, which old kubelets took too.
 * @throws Error naming what is wrong with it
 */
export function socketPath(endpoint: string): string {
  const path = endpoint.startsWith('unix:') ? endpoint.slice('unix:'.length).replace(/^\/\/(?=\/)/, '') : endpoint;
  if (!isAbsolute(path) || path.startsWith('//')) {
    throw new Error(`${JSON.stringify(endpoint)} is no CRI endpoint: expected unix:// and the absolute path of a socket, as in unix:///run/podscope/cri.sock`);
  }
  const length = Buffer.byteLength(path);
  if (length > maxSocketPath) throw new Error(`the socket path ${path} is ${length} bytes long; a Unix socket's may have ${maxSocketPath}`);
  return path;
}
