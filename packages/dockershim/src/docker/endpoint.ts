/** Resolves the engine's address from options and environment, as Docker's client does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DockerOptions } from 'dockerode';

/** The address of an engine, with dockerode's connection options. */
export interface DockerEndpoint {
  /** The address as Docker prints it, for example `unix:///var/run/docker.sock`. */
  readonly url: string;
  readonly connection: DockerOptions;
}

/** The default address. */
const defaultDockerHost = 'unix:///var/run/docker.sock';

type Environment = Readonly<Record<string, string | undefined>>;

function certificates(directory: string): Pick<DockerOptions, 'ca' | 'cert' | 'key'> {
  const read = (name: string): string => readFileSync(join(directory, name), 'utf8');
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
}

/**
 * Returns the endpoint for `host`; without it, the one for `DOCKER_HOST`; without both, the local socket.
 * `DOCKER_TLS_VERIFY` and `DOCKER_CERT_PATH` determine TLS.
 * @throws Error that names the accepted forms
 */
export function dockerEndpoint(host: string | undefined, environment: Environment): DockerEndpoint {
  const url = host || environment['DOCKER_HOST'] || defaultDockerHost;
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/.exec(url) ?? [];
  // With `host: undefined`, dockerode doesn't read the host from the environment.
  if (scheme === 'unix' && rest) return { url, connection: { socketPath: rest, host: undefined } };
  const address =
    ['tcp', 'http', 'https', 'ssh'].includes(scheme) && URL.canParse(`http://${rest}`)
      ? new URL(`http://${rest}`)
      : undefined;
  if (!address)
    throw new Error(`Docker host ${JSON.stringify(url)}: expected unix:///path, tcp://host:port or ssh://user@host`);
  const target = { host: address.hostname, socketPath: undefined };
  if (scheme === 'ssh') {
    const agent = environment['SSH_AUTH_SOCK'];
    return {
      url,
      connection: {
        ...target,
        protocol: 'ssh',
        port: address.port || 22,
        username: address.username,
        sshOptions: { agent },
      },
    };
  }
  const tls = scheme === 'https' || Boolean(environment['DOCKER_TLS_VERIFY']) || address.port === '2376';
  const directory = environment['DOCKER_CERT_PATH'];
  const secrets = tls && directory ? certificates(directory) : {};
  return {
    url,
    connection: { ...target, ...secrets, protocol: tls ? 'https' : 'http', port: address.port || (tls ? 2376 : 2375) },
  };
}
