/** Simulates programs that use the pod network. */
import { hasCapability } from '../kernel/capabilities.ts';
import { resolvePath } from '../machine/file-system.ts';
import type { Process, Program } from '../machine/process.ts';
import { roundTrip } from '../network/pod-network.ts';
import { fail, parseDuration, parseOptions, pathOf } from './support.ts';

/** The result of a request. */
type Outcome = { readonly status: number; readonly body: string } | 'unknown host' | 'refused' | 'no answer';

async function request(process: Process, url: URL): Promise<Outcome> {
  const { machine } = process;
  await process.sleep(roundTrip);
  const stack = machine.resolveHost(url.hostname);
  if (!stack) return 'unknown host';
  const server = stack.serverAt(Number(url.port || (url.protocol === 'https:' ? 443 : 80)));
  if (!server) return 'refused';
  const response = await process.until(Promise.resolve(server({ path: url.pathname + url.search, host: url.host })));
  return response ?? 'no answer';
}

const toUrl = (text: string): URL | undefined => URL.parse(text.includes('://') ? text : `http://${text}`) ?? undefined;

const wget: Program = async (process) => {
  const { flags, values, operands } = parseOptions(process.args, 'OTtPU');
  const url = toUrl(operands[0] ?? '');
  if (!url) return fail(process, `bad address '${operands[0] ?? ''}'`);
  const outcome = await request(process, url);
  if (outcome === 'unknown host') return fail(process, `bad address '${url.hostname}'`);
  if (outcome === 'refused') return fail(process, `can't connect to remote host (${url.hostname}): Connection refused`);
  if (outcome === 'no answer') return fail(process, 'error getting response');
  if (outcome.status >= 400) return fail(process, `server returned error: HTTP/1.1 ${outcome.status}`);
  const target = values.get('O') ?? (url.pathname.replace(/^.*\//, '') || 'index.html');
  if (flags.has('spider')) return 0;
  if (target === '-') process.stdout.write(outcome.body);
  else await process.machine.files.write(pathOf(process, target), outcome.body);
  return 0;
};

const curl: Program = async (process) => {
  const { flags, values, operands } = parseOptions(process.args, 'oHXdmwAu');
  const url = toUrl(operands[0] ?? '');
  const silent = flags.has('s') || flags.has('silent');
  const complain = (code: number, text: string): number =>
    silent && !flags.has('S') ? code : fail(process, `(${code}) ${text}`, code);
  if (!url) return complain(3, 'URL rejected');
  const outcome = await request(process, url);
  if (outcome === 'unknown host') return complain(6, `Could not resolve host: ${url.hostname}`);
  if (outcome === 'refused')
    return complain(7, `Failed to connect to ${url.hostname} port ${url.port || 80}: Connection refused`);
  if (outcome === 'no answer') return complain(52, 'Empty reply from server');
  if (outcome.status >= 400 && (flags.has('f') || flags.has('fail')))
    return complain(22, `The requested URL returned error: ${outcome.status}`);
  const target = values.get('o');
  if (target === undefined) process.stdout.write(outcome.body);
  else if (target !== '/dev/null') await process.machine.files.write(pathOf(process, target), outcome.body);
  if (values.has('w'))
    process.stdout.write(
      (values.get('w') ?? '').replaceAll('%{http_code}', String(outcome.status)).replaceAll(String.raw`\n`, '\n'),
    );
  return 0;
};

const httpd: Program = async (process) => {
  const { values } = parseOptions(process.args, 'phcu');
  const port = Number((values.get('p') ?? '80').replace(/^.*:/, ''));
  const root = values.get('h') ?? process.cwd;
  const taken = !process.machine.network.listen(port, process, async ({ path }) => {
    const file = resolvePath(root, `.${(path.split('?')[0] ?? '/').replace(/\/$/, '/index.html')}`);
    const body = await process.machine.files.tryRead(file);
    return body === undefined ? { status: 404, body: '404 Not Found\n' } : { status: 200, body };
  });
  if (taken) return fail(process, 'bind: Address already in use');
  return process.forever();
};

const nc: Program = async (process) => {
  const { flags, values, operands } = parseOptions(process.args, 'pwei');
  if (flags.has('l')) {
    const port = Number(values.get('p') ?? operands.at(-1));
    const first = Promise.withResolvers<void>();
    const free = process.machine.network.listen(port, process, () => {
      first.resolve();
      return undefined;
    });
    if (!free) return fail(process, 'bind: Address already in use');
    if (flags.has('k') || process.args.includes('-lk')) return process.forever();
    await process.until(first.promise);
    return 0;
  }
  const [host = '', port = ''] = operands;
  await process.sleep(roundTrip);
  const stack = process.machine.resolveHost(host);
  if (!stack) return fail(process, `bad address '${host}'`);
  if (stack.serverAt(Number(port)) === undefined)
    return fail(process, `can't connect to remote host (${host}): Connection refused`);
  return 0;
};

const nslookup: Program = async (process) => {
  const { operands } = parseOptions(process.args);
  const name = operands[0] ?? '';
  await process.sleep(5 * roundTrip);
  const stack = process.machine.resolveHost(name);
  if (!stack) {
    process.stdout.write(`** server can't find ${name}: NXDOMAIN\n\n`);
    return 1;
  }
  process.stdout.write(`Name:\t${name}\nAddress: ${stack.ip}\n`);
  return 0;
};

const ping: Program = async (process) => {
  const { values, operands } = parseOptions(process.args, 'cwWiI');
  const host = operands[0] ?? '';
  const stack = process.machine.resolveHost(host);
  if (!stack) return fail(process, `bad address '${host}'`);
  process.stdout.write(`PING ${host} (${stack.ip}): 56 data bytes\n`);
  const { uid, capabilities } = process.machine.credentials;
  if (uid !== 0 || !hasCapability(capabilities, 'NET_RAW')) return fail(process, 'permission denied (are you root?)');
  const count = Number(values.get('c') ?? Number.POSITIVE_INFINITY);
  const pause = parseDuration(values.get('i') ?? '1') ?? 1000;
  for (let sequence = 0; sequence < count; sequence++) {
    process.stdout.write(`64 bytes from ${stack.ip}: seq=${sequence} ttl=64 time=0.0${4 + (sequence % 5)} ms\n`);
    if (sequence + 1 < count) await process.sleep(pause);
  }
  return 0;
};

/** Simulates `brctl`, which adds and removes bridges. They carry no packets; the program exists to test NET_ADMIN. */
const brctl: Program = (process) => {
  const [command = '', bridge = ''] = process.args;
  const { credentials, network } = process.machine;
  if (command === 'show') {
    process.stdout.write(
      'bridge name\tbridge id\tSTP ' +
        `enabled\tinterfaces\n${network.bridges.map((name) => `${name}\t8000.000000000000\tno\n`).join('')}`,
    );
    return 0;
  }
  if (command !== 'addbr' && command !== 'delbr') return fail(process, `invalid argument '${command}'`);
  if (credentials.uid !== 0 || !hasCapability(credentials.capabilities, 'NET_ADMIN'))
    return fail(process, `bridge ${bridge}: Operation not permitted`);
  const isDone = command === 'addbr' ? network.addBridge(bridge) : network.removeBridge(bridge);
  return isDone
    ? 0
    : fail(process, `bridge ${bridge}: ${command === 'addbr' ? 'File exists' : 'No such device or address'}`);
};

export const netPrograms: Readonly<Record<string, Program>> = { wget, httpd, nc, nslookup, ping, brctl };

/** The HTTP clients that aren't part of busybox, by name. */
export const clientPrograms: Readonly<Record<string, Program>> = { curl };
