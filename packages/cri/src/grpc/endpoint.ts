/** Parses CRI endpoints. */
import { isAbsolute } from 'node:path';

/** The longest path of a Unix socket on Linux, in bytes. */
const maxSocketPath = 107;

/**
 * Returns the path of the socket in a CRI endpoint like `unix:///run/containerd/containerd.sock`. As in old kubelets,
 * the endpoint may be only the path.
 * @throws Error that names the problem
 */
export function socketPath(endpoint: string): string {
  const path = endpoint.startsWith('unix:') ? endpoint.slice('unix:'.length).replace(/^\/\/(?=\/)/, '') : endpoint;
  if (!isAbsolute(path) || path.startsWith('//')) {
    throw new Error(
      `${JSON.stringify(endpoint)} is not a CRI endpoint: expected unix:// and the absolute path of a socket, as ` +
        'in unix:///run/podscope/cri.sock',
    );
  }
  const length = Buffer.byteLength(path);
  if (length > maxSocketPath)
    throw new Error(`the socket path ${path} is ${length} bytes long; a Unix socket's may have ${maxSocketPath}`);
  return path;
}
