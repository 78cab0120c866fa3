/** Simulates the services of well-known images: their output, ports and reaction to signals. */
import type { Process, Program } from '../machine/process.ts';
import type { SignalName } from '../machine/signals.ts';
import type { Server } from '../network/pod-network.ts';
import { strftime } from './system.ts';

interface ServiceOptions {
  /** The lines that the service prints when it starts. */
  readonly banner?: readonly string[];
  readonly ports?: readonly number[];
  /** The time from the start of the process until the service listens, in ms. */
  readonly startup?: number;
  readonly respond?: (process: Process) => Server;
  /**
   * Runs before the ports are opened.
   * @throws FileError, which ends the program with code 1
   */
  readonly prepare?: (process: Process) => Promise<void>;
  /**
   * How the service reacts to SIGTERM: it exits with `code` after `after` milliseconds. Absent: the kernel's default
   * action applies.
   */
  readonly onTerm?: { readonly code: number; readonly after: number; readonly message?: string };
  readonly memory?: number;
  /**
   * Returns why the service doesn't start; undefined if it starts. The reason is printed, and the service exits with
   * code 1.
   */
  readonly refuse?: (process: Process) => string | undefined;
}

const tcpOnly: Server = () => undefined;

function endOn(
  process: Process,
  signals: readonly SignalName[],
  { code, after, message }: NonNullable<ServiceOptions['onTerm']>,
): void {
  const end = (): void => {
    if (message) process.stdout.write(`${message}\n`);
    process.machine.clock.schedule(after, () => process.exit(code));
  };
  for (const signal of signals) process.handle(signal, end);
}

/** Returns a program that serves requests until a signal ends it. */
function service(options: ServiceOptions): Program {
  return async (process) => {
    const refusal = options.refuse?.(process);
    if (refusal !== undefined) {
      process.stderr.write(`${refusal}\n`);
      return 1;
    }
    if (options.onTerm) endOn(process, ['TERM', 'QUIT', 'INT'], options.onTerm);
    if (!process.machine.allocate(process, options.memory ?? 8 * 1024 ** 2)) return 137;
    for (const line of options.banner ?? []) process.stdout.write(`${line}\n`);
    await process.sleep(options.startup ?? 50);
    await options.prepare?.(process);
    for (const port of options.ports ?? []) {
      if (!process.machine.network.listen(port, process, options.respond?.(process) ?? tcpOnly)) {
        process.stderr.write(`${process.name}: bind() to 0.0.0.0:${port} failed (98: Address already in use)\n`);
        return 1;
      }
    }
    return process.forever();
  };
}

const page =
  (body: string): ((process: Process) => Server) =>
  () =>
  () => ({ status: 200, body });

const stopAtOnce = { code: 0, after: 20 };

/**
 * Simulates the nginx server. Upstream: the nginx image, whose master process changes its title and writes a PID file.
 */
const nginxServer = service({
  prepare: async (process) => {
    process.title = `nginx: master process ${process.argv.join(' ')}`;
    await process.machine.files.write('/var/run/nginx.pid', `${process.pid}\n`);
  },
  banner: ['/docker-entrypoint.sh: Configuration complete; ready for start up'],
  ports: [80],
  onTerm: stopAtOnce,
  respond:
    (process) =>
    async ({ path }) => {
      const found = await process.machine.files.tryRead(`/usr/share/nginx/html${path === '/' ? '/index.html' : path}`);
      const response =
        found === undefined ? { status: 404, body: '<h1>404 Not Found</h1>\n' } : { status: 200, body: found };
      const at = strftime('%d/%b/%Y:%H:%M:%S +0000', process.machine.clock.now());
      process.stdout.write(
        `${process.machine.network.ip} - - [${at}] "GET ${path} HTTP/1.1" ${response.status} ${response.body.length}\n`,
      );
      return response;
    },
});

const nginx: Program = (process) => {
  const { args, machine } = process;
  if (args[0] === '-t') return 0;
  if (args[0] !== '-s') return nginxServer(process);
  const master = machine.processes.find((each) => each.name === 'nginx' && each !== process);
  if (!master) {
    process.stderr.write('nginx: [error] invalid PID number "" in "/run/nginx.pid"\n');
    return 1;
  }
  if (args[1] === 'quit' || args[1] === 'stop') master.signal(args[1] === 'quit' ? 'QUIT' : 'TERM');
  return 0;
};

const needs =
  (names: readonly string[], text: string) =>
  (process: Process): string | undefined =>
    names.some((name) => process.env.get(name)) ? undefined : text;

/** Returns a client that checks whether a port is open, for example `redis-cli ping` or `pg_isready`. */
const checksPort =
  (port: number, yes: string, no: string, code: number): Program =>
  (process) => {
    const up = process.machine.network.serverAt(port) !== undefined;
    process.stdout.write(`${up ? yes : no}\n`);
    return up ? 0 : code;
  };

/** Simulates the test image that the Kubernetes documentation uses. */
const agnhost: Program = (process) => {
  const [mode = 'pause'] = process.args;
  const started = process.machine.clock.now();
  if (mode === 'liveness') {
    // The server is healthy for ten seconds, as in the documentation's example of a liveness probe.
    const respond = (): Server => () => {
      const age = process.machine.clock.now() - started;
      return age > 10_000 ? { status: 500, body: `error: ${(age / 1000).toFixed(9)}` } : { status: 200, body: 'ok' };
    };
    return service({ ports: [8080], respond })(process);
  }
  const port = Number(process.args.find((arg) => arg.startsWith('--http-port='))?.slice(12) ?? 8080);
  return service({ ports: mode === 'pause' ? [] : [port], respond: page('ok'), onTerm: stopAtOnce })(process);
};

const httpEcho: Program = (process) => {
  const option = (name: string): string | undefined =>
    process.args.find((arg) => arg.replace(/^--?/, '').startsWith(`${name}=`))?.replace(/^[^=]*=/, '');
  const port = Number((option('listen') ?? ':5678').replace(/^.*:/, ''));
  return service({
    ports: [port],
    respond: page(`${(option('text') ?? 'hello-world').replaceAll(/^"|"$/g, '')}\n`),
    onTerm: stopAtOnce,
  })(process);
};

/** Simulates a language interpreter: any script runs forever, like a server. As process 1, it ignores SIGTERM. */
const interpreter: Program = async (process) => {
  const { args, machine } = process;
  const serverAt = args.indexOf('http.server');
  if (serverAt >= 0)
    return service({
      ports: [Number(args[serverAt + 1] ?? 8000)],
      respond: page('<title>Directory listing for /</title>\n'),
    })(process);
  if (args.length === 0 || args[0] === '--version' || args[0] === '-V') return 0;
  const script = args.find((arg) => !arg.startsWith('-'));
  const inline = args.some((arg) => /^-(c|e|m|jar|le|wle)$/.test(arg));
  if (
    !inline &&
    script !== undefined &&
    !(await machine.files.exists(script)) &&
    /\.(py|js|mjs|rb|pl|php)$/.test(script)
  ) {
    process.stderr.write(`${process.name}: can't open file '${script}': [Errno 2] No such file or directory\n`);
    return 2;
  }
  machine.allocate(process, 32 * 1024 ** 2);
  return process.forever();
};

/** Prints the digits of π, as in the documentation's example of a Job. */
const perl: Program = async (process) => {
  if (!process.args.some((arg) => arg.includes('bpi'))) return interpreter(process);
  process.cpu = 1;
  await process.sleep(4000);
  process.stdout.write(
    '3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798\n',
  );
  return 0;
};

const hello: Program = (process) => {
  process.stdout.write(
    '\nHello from Docker!\nThis message shows that your installation appears to be working correctly.\n\n',
  );
  return 0;
};

/** Simulates a setuid binary that prints its effective user. It tests no_new_privs. */
const noNewPrivileges: Program = (process) => {
  const { uid, noNewPrivs } = process.machine.credentials;
  process.stdout.write(`Effective uid: ${noNewPrivs ? uid : 0}\n`);
  return 0;
};

const mib = 1024 ** 2;

/** The services and their clients, by program name. */
export const servicePrograms: Readonly<Record<string, Program>> = {
  nginx,
  'nginx-debug': nginx,
  'httpd-foreground': service({
    ports: [80],
    respond: page('<html><body><h1>It works!</h1></body></html>\n'),
    onTerm: stopAtOnce,
    banner: ["AH00094: Command line: 'httpd -D FOREGROUND'"],
  }),
  'redis-server': service({
    banner: ['* Ready to accept connections tcp'],
    ports: [6379],
    onTerm: { code: 0, after: 50, message: '* User requested shutdown...\n# Redis is now ready to exit, bye bye...' },
  }),
  'redis-cli': checksPort(6379, 'PONG', 'Could not connect to Redis at 127.0.0.1:6379: Connection refused', 1),
  memcached: service({ ports: [11_211], onTerm: stopAtOnce }),
  postgres: service({
    banner: [
      'PostgreSQL init process complete; ready for start up.',
      'LOG:  database system is ready to accept connections',
    ],
    ports: [5432],
    startup: 1500,
    memory: 40 * mib,
    onTerm: { code: 0, after: 200, message: 'LOG:  received smart shutdown request' },
    refuse: needs(
      ['POSTGRES_PASSWORD', 'POSTGRES_HOST_AUTH_METHOD'],
      'Error: Database is uninitialized and superuser password is not specified.\n' +
        '       You must specify POSTGRES_PASSWORD to a non-empty value for the superuser.',
    ),
  }),
  pg_isready: checksPort(
    5432,
    '/var/run/postgresql:5432 - accepting connections',
    '/var/run/postgresql:5432 - no response',
    2,
  ),
  mysqld: service({
    banner: ['[System] [MY-010931] [Server] /usr/sbin/mysqld: ready for connections.'],
    ports: [3306],
    startup: 4000,
    memory: 300 * mib,
    onTerm: { code: 0, after: 1000 },
    refuse: needs(
      ['MYSQL_ROOT_PASSWORD', 'MYSQL_ALLOW_EMPTY_PASSWORD', 'MYSQL_RANDOM_ROOT_PASSWORD', 'MARIADB_ROOT_PASSWORD'],
      '[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified\n' +
        '    You need to specify one of the following as an environment variable:\n    - MYSQL_ROOT_PASSWORD',
    ),
  }),
  mysqladmin: checksPort(3306, 'mysqld is alive', 'connect to server at localhost failed', 1),
  mongod: service({ ports: [27_017], startup: 1000, memory: 80 * mib, onTerm: { code: 0, after: 300 } }),
  agnhost,
  'http-echo': httpEcho,
  whoami: service({
    ports: [80],
    respond: (process) => () => ({ status: 200, body: `Hostname: ${process.machine.hostname}\n` }),
    onTerm: stopAtOnce,
  }),
  'hello-app': service({
    ports: [8080],
    respond: (process) => () => ({ status: 200, body: `Hello, world!\nHostname: ${process.machine.hostname}\n` }),
  }),
  goproxy: service({ ports: [8080], onTerm: stopAtOnce }),
  python: interpreter,
  python3: interpreter,
  node: interpreter,
  java: interpreter,
  ruby: interpreter,
  php: interpreter,
  perl,
  hello,
  nnp: noNewPrivileges,
  pause: service({ startup: 0, memory: 512 * 1024, onTerm: { code: 0, after: 0 } }),
};

/** The program of an image without a definition. It runs until SIGTERM. */
export const anyService: Program = service({ ports: [], onTerm: { code: 0, after: 100 } });
