/**
 * Implements `podscope dap`: serves the Debug Adapter Protocol over standard input and output, a local port, or a Unix
 * socket.
 */

import { randomBytes } from 'node:crypto';
import { type CommandBody, callOf, printJson, readArguments, UsageError } from '@podscope/command-line';
import { listenForClients, serveClient } from './listener.ts';

export const command: CommandBody = {
  help: `Usage: ${callOf('dap')} [options]

Speaks the Debug Adapter Protocol on standard input and output. docs/use/vscode.md describes the extension for VS Code.
docs/use/debugging.md describes how other editors start the adapter.

  --listen PORT     Serve clients on this port of 127.0.0.1 instead; 0 takes a free one. Clients must send the token,
                    which is printed as "adapterToken", because a client that can launch pods can use Docker.
  --listen SOCKET   Serve clients on a Unix socket, which only you may open.
  --token TOKEN     The token; default: a random one.
  --scenarios       Print the scenarios that "launch" accepts, as JSON.`,
  examples: [
    ['dap', 'Speak the protocol on standard input and output'],
    ['dap --scenarios', 'List the scenarios that can be launched'],
    ['dap --listen 4711', 'Wait for editors on port 4711 and print the token'],
  ],
  run: async (args) => {
    const { values, positionals } = readArguments(
      args,
      { listen: { type: 'string' }, token: { type: 'string' }, scenarios: { type: 'boolean' } },
      'dap',
    );
    if (positionals.length > 0) throw new UsageError('dap takes no argument');
    if (values.scenarios) {
      const { scenarios } = await import('@podscope/scenarios');
      printJson(
        scenarios.map(({ id, category, title, summary, profiles }) => ({ id, category, title, summary, profiles })),
      );
      return 0;
    }
    const where = values.listen === 'stdio' ? undefined : values.listen;
    if (where === undefined) {
      // Write all logs to stderr, because standard output contains only protocol messages.
      console.log = console.error;
      await serveClient(process.stdin, process.stdout, {});
      // Close standard input, because an editor may keep the pipe open, and the open pipe would keep this process
      // alive.
      process.stdin.destroy();
      return 0;
    }
    const isPort = /^\d+$/.test(where);
    if (isPort && Number(where) > 65_535)
      throw new UsageError(`--listen ${where} is not a port number from 0 to 65535`);
    if (!isPort && !where.includes('/'))
      throw new UsageError(`--listen ${JSON.stringify(where)} is not a port, nor the path of a socket`);
    const token = isPort ? (values.token ?? randomBytes(16).toString('hex')) : undefined;
    const listener = await listenForClients(where, token);
    console.error(
      token === undefined
        ? `Listening on ${listener.address}`
        : `Listening on ${listener.address}; "adapterToken": ${JSON.stringify(token)}`,
    );
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    });
    await listener.close();
    return 0;
  },
};
