/**
 * Simulates `grpc-health-checking` of agnhost, which the documentation uses for its gRPC probe. Upstream:
 * test/images/agnhost (v1.36).
 */
import type { ImageDefinition } from '../images/catalog.ts';
import type { Process, Program } from '../machine/process.ts';
import type { HealthService, Server } from '../network/pod-network.ts';
import { parseDuration, parseOptions } from './support.ts';
import { strftime } from './system.ts';

/** The exit code of a Go program that, as process 1, receives a signal without a handler. */
const goSignalExit = 2;

const startup = 50;

function log(process: Process, text: string): void {
  process.stderr.write(`${strftime('%Y/%m/%d %H:%M:%S', process.machine.clock.now())} ${text}\n`);
}

const server: Program = async (process) => {
  const { machine } = process;
  const { values } = parseOptions(process.args.slice(1));
  const port = Number(values.get('port') ?? 5000);
  const httpPort = Number(values.get('http-port') ?? 8080);
  const ownService = values.get('service') ?? '';
  const healthyFor = parseDuration(values.get('delay-unhealthy-sec') ?? '') ?? Number.POSITIVE_INFINITY;
  const started = machine.clock.now();
  let isHealthy = true;
  const age = (): number => machine.clock.now() - started;
  for (const signal of ['TERM', 'INT', 'QUIT'] as const) process.handle(signal, () => process.exit(goSignalExit));

  const health: HealthService = (service) => {
    log(process, 'Serving the Check request for health check');
    if (service !== ownService) return { code: 'NotFound', details: 'unknown service' };
    return { status: isHealthy && age() < healthyFor ? 'SERVING' : 'NOT_SERVING' };
  };
  const healthSwitch: Server = ({ path }) => {
    if (path !== '/make-serving' && path !== '/make-not-serving') return { status: 404, body: '404 page not found\n' };
    isHealthy = path === '/make-serving';
    log(process, `Mark as ${isHealthy ? 'healthy' : 'unhealthy'}`);
    return { status: 200, body: `${age() / 1000}s` };
  };

  await process.sleep(startup);
  log(process, `Http server starting to listen on :${httpPort}`);
  log(process, `gRPC server starting to listen on :${port}`);
  for (const [at, free] of [
    [httpPort, machine.network.listen(httpPort, process, healthSwitch)],
    [port, machine.network.listen(port, process, () => undefined, health)],
  ] as const) {
    if (free) continue;
    log(process, `listen tcp :${at}: bind: address already in use`);
    return 1;
  }
  return process.forever();
};

/** Returns the server program if `argv` starts it in a container of this image; otherwise undefined. */
export function grpcHealthChecking({ programs }: ImageDefinition, argv: readonly string[]): Program | undefined {
  const [path = '', mode] = argv;
  return mode === 'grpc-health-checking' && programs?.includes('agnhost') && path.replace(/^.*\//, '') === 'agnhost'
    ? server
    : undefined;
}
