/** `podscope dap`: the Debug Adapter Protocol over standard input and output, a port of this machine, or a Unix socket. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { repositoryRoot } from '@podscope/server/embed';
import { type Command, UsageError } from '../command.ts';
import { readArguments } from '../runs/run-source.ts';
import { FramingError, frameMessage, MessageReader } from './framing.ts';
import { DapSession } from './session.ts';

/** Serves one client until it leaves. */
export function serveClient(input: Readable, output: Writable, options: { readonly token?: string | undefined }): Promise<void> {
  return new Promise((resolve) => {
    const reader = new MessageReader();
    const session = new DapSession({
      root: repositoryRoot,
      send: (message) => void output.write(frameMessage(message)),
      onEnd: resolve,
      ...(options.token === undefined ? {} : { token: options.token }),
    });
    let work: Promise<void> = Promise.resolve();
    input.on('data', (chunk: Buffer) => {
      try {
        // One after the other: a breakpoint is set before the next request relies on it.
        for (const message of reader.push(chunk)) work = work.then(() => session.receive(message));
      } catch (error) {
        if (!(error instanceof FramingError)) throw error;
        input.destroy();
        void session.close();
      }
    });
    for (const event of ['end', 'close', 'error']) input.on(event, () => void session.close());
    output.on('error', () => void session.close());
  });
}

/** Listens until interrupted. */
async function listen(where: string, token: string | undefined): Promise<number> {
  const isPort = /^\d+$/.test(where);
  const clients = new Set<Promise<void>>();
  const server = createServer((socket) => {
    const client = serveClient(socket, socket, { token }).then(() => {
      socket.end();
      clients.delete(client);
    });
    clients.add(client);
  });
  if (isPort) await new Promise<void>((resolve, reject) => server.once('error', reject).listen(Number(where), '127.0.0.1', resolve));
  else {
    // From its first moment on nobody else may open it.
    const before = process.umask(0o177);
    try {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(where, resolve));
    } finally {
      process.umask(before);
    }
  }
  console.error(
    isPort ? `Listening on 127.0.0.1:${(server.address() as AddressInfo).port}; "adapterToken": ${JSON.stringify(token)}` : `Listening on ${where}`,
  );
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  server.close();
  if (!isPort) await rm(where, { force: true });
  return 0;
}

export const command: Command = {
  usage: 'dap [--listen PORT|SOCKET]',
  summary: 'Lets VS Code or any DAP client debug pods.',
  help: `Usage: npx -y pnpm@12 podscope dap [options]

Speaks the Debug Adapter Protocol on standard input and output. docs/debugging.md has a launch.json for VS Code.

  --listen PORT     Serve clients on this port of 127.0.0.1 instead; 0 takes a free one. Clients show the token that is printed as
                    "adapterToken", for whoever can launch pods can use Docker.
  --listen SOCKET   Serve clients on a Unix socket, which only you may open.
  --token TOKEN     The token; default: a random one.`,
  run: async (args) => {
    const { values, positionals } = readArguments(args, { listen: { type: 'string' }, token: { type: 'string' } }, 'dap');
    if (positionals.length > 0) throw new UsageError('dap takes no argument');
    const where = values.listen === 'stdio' ? undefined : values.listen;
    if (where === undefined) {
      // Standard output is the protocol's alone.
      console.log = console.error;
      await serveClient(process.stdin, process.stdout, {});
      // An editor that keeps the pipe open keeps the process no longer.
      process.stdin.destroy();
      return 0;
    }
    const isPort = /^\d+$/.test(where);
    if (isPort && Number(where) > 65_535) throw new UsageError(`--listen ${where} is not a port number from 0 to 65535`);
    if (!isPort && !where.includes('/')) throw new UsageError(`--listen ${JSON.stringify(where)} is not a port, nor the path of a socket`);
    return listen(where, isPort ? (values.token ?? randomBytes(16).toString('hex')) : undefined);
  },
};
