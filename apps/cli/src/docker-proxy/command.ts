/**
 * Implements `docker-proxy`: serves a socket of the Docker Engine that accepts only the requests that Podscope makes.
 */
import { once } from 'node:events';
import { type CommandBody, callOf, print, readArguments, report, UsageError } from '@podscope/command-line';
import { requiredCalls } from '@podscope/dockershim';
import { startDockerProxy } from './proxy.ts';

/** Returns the path of a `unix://` address. @throws UsageError for another address */
function pathOf(option: string, address: string): string {
  const [, path] = /^unix:\/\/(\/.+)$/.exec(address) ?? [];
  if (path === undefined) throw new UsageError(`--${option} ${JSON.stringify(address)} is not unix:///PATH`);
  return path;
}

export const command: CommandBody = {
  help: `Usage: ${callOf('docker-proxy')} --listen unix:///PATH [options]

Serves a socket of the Docker Engine API that forwards the calls of Podscope and rejects all others, until Ctrl+C.
Podscope uses it with DOCKER_HOST=unix:///PATH. A client of the socket can still create containers that mount
directories of this machine, so it is as powerful as root.

  --listen ADDRESS  Where to listen: unix:///PATH.
  --engine ADDRESS  The engine (default: unix:///var/run/docker.sock).
  --list            Print the calls that are forwarded, and end.`,
  examples: [
    ['docker-proxy --listen unix:///run/podscope/docker.sock', 'Serve the socket'],
    ['docker-proxy --list', 'Print the calls that are forwarded'],
  ],
  async run(args) {
    const { values, positionals } = readArguments(
      args,
      {
        listen: { type: 'string' },
        engine: { type: 'string', default: 'unix:///var/run/docker.sock' },
        list: { type: 'boolean' },
      },
      'docker-proxy',
    );
    if (positionals.length > 0) throw new UsageError('docker-proxy takes no argument');
    if (values.list) {
      for (const { method, path } of requiredCalls) print(`${method.padEnd(6)} ${path}`);
      return 0;
    }
    if (values.listen === undefined) throw new UsageError('docker-proxy needs --listen unix:///PATH');
    const server = await startDockerProxy({
      listen: pathOf('listen', values.listen),
      engine: pathOf('engine', values.engine),
      onReject: (call) => report(`rejected: ${call}`),
    });
    print(`Docker Engine API at ${values.listen}, ${requiredCalls.length} calls`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    server.closeAllConnections();
    server.close();
    return 0;
  },
};
