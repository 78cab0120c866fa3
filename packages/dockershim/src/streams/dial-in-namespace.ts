/**
 * Opens connections inside a pod's network namespace for port-forward. nsenter runs this program in the namespace,
 * where it listens on a Unix socket. A client of the socket sends a port and a line feed. The program connects to that
 * port on the loopback, first with IPv4 and then with IPv6. It answers with one byte: `+` before the data, or `-`
 * before the reason of a failure. It exits when its standard input ends, which happens when the process that started it
 * ends.
 */
import { connect, createServer, type Socket } from 'node:net';

const lineFeed = 10;

function dial(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

async function serve(client: Socket, port: number): Promise<void> {
  try {
    const socket = await dial('127.0.0.1', port).catch((first: Error) =>
      dial('::1', port).catch(() => {
        throw first;
      }),
    );
    socket.on('error', () => client.destroy());
    client.on('close', () => socket.destroy());
    client.write('+');
    client.pipe(socket);
    socket.pipe(client);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    client.end(`-failed to connect to localhost:${port} inside the pod's network namespace: ${reason}`);
  }
}

const server = createServer({ allowHalfOpen: true }, (client) => {
  client.on('error', () => undefined);
  client.once('data', (data: Buffer) => {
    client.pause();
    const end = data.indexOf(lineFeed);
    if (end + 1 < data.length) client.unshift(data.subarray(end + 1));
    void serve(client, Number(data.subarray(0, end).toString()));
  });
});
server.listen(process.argv[2], () => process.stdout.write('ready\n'));
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
