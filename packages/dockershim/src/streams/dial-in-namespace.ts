/** Run by nsenter inside a pod's network namespace: joins its standard streams with a port on the loopback, IPv4 or else IPv6. */
import { connect, type Socket } from 'node:net';

const port = Number(process.argv[2]);

function dial(host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

try {
  const socket = await dial('127.0.0.1').catch((first: Error) =>
    dial('::1').catch(() => {
      throw first;
    }),
  );
  socket.on('error', () => process.exit(0));
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  // The pod's side has said all it will: what the client still sends is nobody's.
  socket.once('end', () => process.stdout.end(() => process.exit(0)));
} catch (error) {
  process.stderr.write(
    `failed to connect to localhost:${port} inside the pod's network namespace: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
