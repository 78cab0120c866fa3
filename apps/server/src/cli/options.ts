/** Parses the command line from a table of options, which also generates `--help`. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { PodSecurityLevel } from '@podscope/apiserver';
import { callOf, UsageError } from '@podscope/command-line';
import { type NetworkOptions, type NetworkPluginName, networkPlugins } from '@podscope/dockershim';
import { defaultImageGCPolicy, type ImageGCPolicy } from '@podscope/kubelet';
import { z } from 'zod';
import type { StoreLimits } from '../store/retention.ts';
import { checkExposure } from './exposure.ts';
import { parseFeatureGates } from './feature-gates.ts';
import { imageGCPolicy } from './image-gc.ts';

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .refine((text) => Number(text) <= 65_535);
const percent = z.string().regex(/^([1-9]\d?|100)$/);
/** Matches text whose characters are allowed in a Host header and in a URL. */
const hostPattern = /^[a-zA-Z0-9._:-]+$/;
/** A DNS-1123 subdomain, the format of node names. */
const nodeNamePattern = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;
/** Matches tokens whose characters need no escaping in a header, a cookie or a URL. */
const tokenPattern = /^[A-Za-z0-9._~-]{8,256}$/;

interface OptionDefinition {
  readonly name: string;
  /** Absent for a switch. */
  readonly value?: string;
  readonly fallback?: (environment: Readonly<Record<string, string | undefined>>) => string;
  /** The environment variable with the same meaning. */
  readonly variable?: string;
  /** The text that `--help` shows as the default, if it differs from the default. */
  readonly shownDefault?: string;
  readonly help: string;
  readonly schema?: z.ZodType;
  /** Describes valid values, for the error message. */
  readonly expected?: string;
}

/** Returns `$XDG_STATE_HOME/podscope`, or `~/.local/state/podscope` if the variable isn't set. */
export function defaultStateDir(environment: Readonly<Record<string, string | undefined>>): string {
  return join(environment.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'podscope');
}

const definitions = [
  {
    name: 'runtime',
    value: 'auto|docker|sim|unix:///…',
    fallback: () => 'auto',
    help:
      'The container runtime: Docker, the embedded simulator, or any CRI runtime at a socket ' +
      '(unix:///run/containerd/containerd.sock). auto selects Docker if its socket answers.',
    schema: z.union([z.enum(['auto', 'docker', 'sim']), z.string().regex(/^unix:\/\/\/[^/]/)]),
    expected: 'auto, docker, sim or unix:///path/of/a.sock',
  },
  {
    name: 'cri-over-grpc',
    help:
      'Run dockershim in a process of its own, with CRI over gRPC between it and the kubelet, as ' +
      '--container-runtime=docker did. Its steps and its Docker and CNI calls stay in the same timeline.',
  },
  {
    name: 'port',
    value: 'PORT',
    fallback: () => '4400',
    help: 'Port to listen on; 0 takes a free one.',
    schema: port,
    expected: 'a port number from 0 to 65535',
  },
  {
    name: 'host',
    value: 'ADDRESS',
    fallback: () => '127.0.0.1',
    help:
      'Address to listen on. An address other than loopback needs a --token of your own and --tls-cert with ' +
      '--tls-key, because users of this server can use Docker.',
    schema: z.string().regex(hostPattern),
    expected: 'an IP address or a host name',
  },
  {
    name: 'token',
    value: 'TOKEN',
    shownDefault: 'a random one per start',
    variable: 'PODSCOPE_TOKEN',
    help:
      'The secret that clients show. The variable PODSCOPE_TOKEN gives it, too: other users of a machine can read ' +
      'the command lines of programs, not their variables.',
    schema: z.string().regex(tokenPattern),
    expected: '8 to 256 letters, digits or -._~',
  },
  { name: 'tls-cert', value: 'FILE', help: 'Certificate chain (PEM) to serve HTTPS with, and nothing but HTTPS.' },
  { name: 'tls-key', value: 'FILE', help: 'Private key (PEM) of that certificate.' },
  {
    name: 'insecure',
    help:
      'Serve an address other than loopback without a certificate of yours. Anyone who can read the network’s ' +
      'traffic can then read the token and take over this machine.',
  },
  { name: 'read-only', help: 'Let clients look and change nothing: for projecting. The node itself works as ever.' },
  { name: 'show-secrets', help: 'Show values of Secrets in traces, variables and exports instead of masking them.' },
  {
    name: 'state-dir',
    value: 'DIR',
    fallback: defaultStateDir,
    shownDefault: '$XDG_STATE_HOME/podscope or ~/.local/state/podscope',
    help: 'Where pods, certificates and the kubeconfig are kept. One server at a time.',
  },
  {
    name: 'runs-size',
    value: 'MIB',
    fallback: () => '2048',
    help: 'The space for all recorded runs together. Beyond it the oldest are deleted, but never the current one.',
    schema: z.string().regex(/^[1-9]\d{0,6}$/),
    expected: 'a number of MiB from 1 to 9999999',
  },
  {
    name: 'runs-age',
    value: 'DAYS',
    fallback: () => '30',
    help: 'How long recorded runs are kept.',
    schema: z.string().regex(/^[1-9]\d{0,4}$/),
    expected: 'a number of days from 1 to 99999',
  },
  {
    name: 'manifest-dir',
    value: 'DIR',
    help: 'A directory of static pod manifests (YAML or JSON), watched for changes.',
  },
  {
    name: 'manifest-url',
    value: 'URL',
    help: 'Where a static pod or a list of them (YAML or JSON) is read from, every 20 seconds.',
    schema: z.url({ protocol: /^https?$/ }),
    expected: 'an http or https URL',
  },
  {
    name: 'profile',
    value: 'v1.36|v1.20',
    fallback: () => 'v1.36',
    help: 'The release to behave like: today’s kubelet, or one of those that drove Docker through dockershim.',
    schema: z.enum(['v1.36', 'v1.20']),
    expected: 'v1.36 or v1.20',
  },
  {
    name: 'feature-gates',
    value: 'NAME=BOOL,…',
    help:
      'Feature gates of that release that differ from its defaults: EphemeralContainers=true gives v1.20 its ' +
      'seventh step.',
  },
  {
    name: 'pod-cgroups',
    value: 'auto|on|off',
    fallback: () => 'auto',
    help:
      'Whether each pod gets a cgroup of its own (/kubepods/…). auto keeps them where this process is root, the ' +
      'engine local and no other kubelet there; while there are pods it stays with what it chose.',
    schema: z.enum(['auto', 'on', 'off']),
    expected: 'auto, on or off',
  },
  {
    name: 'node-name',
    value: 'NAME',
    fallback: () => 'podscope',
    help: 'Name of the node the pods run on.',
    schema: z.string().regex(nodeNamePattern),
    expected: 'a name of lower case letters, digits, - and .',
  },
  {
    name: 'sandbox-image',
    value: 'IMAGE',
    shownDefault: 'the runtime’s',
    help: 'Image of the pause container that holds a pod’s sandbox.',
    schema: z.string().min(1),
    expected: 'an image name',
  },
  {
    name: 'image-gc',
    value: 'off|pulled|all',
    fallback: () => 'off',
    help:
      'Delete unused images when the engine’s disk is nearly full: never (they may be yours), only those that ' +
      'this server pulled itself, or all that no pod here uses.',
    schema: z.enum(['off', 'pulled', 'all']),
    expected: 'off, pulled or all',
  },
  {
    name: 'image-gc-high-threshold',
    value: 'PERCENT',
    fallback: () => String(defaultImageGCPolicy.highThresholdPercent),
    help: 'With --image-gc: from how full on.',
    schema: percent,
    expected: 'a number from 1 to 100',
  },
  {
    name: 'image-gc-low-threshold',
    value: 'PERCENT',
    fallback: () => String(defaultImageGCPolicy.lowThresholdPercent),
    help: 'With --image-gc: down to how full.',
    schema: percent,
    expected: 'a number from 1 to 100',
  },
  {
    name: 'network-plugin',
    value: 'docker|none|cni',
    fallback: () => 'docker',
    help:
      'How pods on Docker are connected: by Docker’s bridge, not at all, or by CNI plugins (needs root and a ' +
      'local engine).',
    schema: z.enum(networkPlugins),
    expected: 'docker, none or cni',
  },
  {
    name: 'cni-conf-dir',
    value: 'DIR',
    fallback: () => '/etc/cni/net.d',
    help: 'Where CNI configurations lie; the first valid one is taken.',
  },
  {
    name: 'cni-bin-dir',
    value: 'DIR,…',
    fallback: () => '/opt/cni/bin,/usr/lib/cni',
    help: 'Where CNI plugins lie, looked through in this order.',
  },
  {
    name: 'kubeconfig',
    value: 'FILE',
    help:
      'Look at the pods of a real cluster instead of running any: read only, drawn from their status and events, ' +
      'on 127.0.0.1 alone.',
  },
  {
    name: 'context',
    value: 'NAME',
    shownDefault: 'the current one',
    help: 'With --kubeconfig: which of its contexts.',
  },
  {
    name: 'namespace',
    value: 'NAME',
    shownDefault: 'all',
    help: 'With --kubeconfig: only the pods of this namespace.',
  },
  {
    name: 'class',
    help:
      'Serve a class instead of a node: learners open the join link and run simulated nodes in their browsers. ' +
      'Listens on all addresses unless --host says otherwise. docs/learn/classroom.md',
  },
  {
    name: 'class-site',
    value: 'URL',
    help: 'With --class and --tls-cert: the static site (build:site) from which learners load the page.',
    schema: z.url({ protocol: /^https?$/ }),
    expected: 'an http or https URL',
  },
  {
    name: 'keep-pods',
    help:
      'Leave pods and their containers running when the server stops; the next start adopts them. Without it, ' +
      'Ctrl+C terminates and removes them.',
  },
  {
    name: 'simulation',
    value: 'FILE',
    help:
      'A file (YAML or JSON) that describes the simulated node: images, registries, container behavior, times, ' +
      'failures. docs/use/simulator.md lists its fields.',
  },
  {
    name: 'snapshot',
    value: 'FILE',
    help:
      'Continue a pod of another cluster in the simulator: the first one of this file, which has the output of ' +
      '`kubectl get pod NAME -o yaml` and may have its events.',
  },
  {
    name: 'faults',
    value: 'FILE',
    help: 'A fault plan (YAML) to apply from the start; docs/use/debugging.md says what it may hold.',
  },
  {
    name: 'on-disconnect',
    value: 'release|keep',
    fallback: () => 'release',
    help:
      'When the last client leaves: release what the debugger has stopped and stop nothing until one comes back, ' +
      'or keep stops as they are.',
    schema: z.enum(['release', 'keep']),
    expected: 'release or keep',
  },
  {
    name: 'probes-of-stopped-pods',
    value: 'missed|held|made',
    fallback: () => 'missed',
    help:
      'Probes of a pod that the debugger has stopped: recorded as missed, held until the pod continues, or sent ' +
      'as usual.',
    schema: z.enum(['missed', 'held', 'made']),
    expected: 'missed, held or made',
  },
  {
    name: 'pod-security',
    value: 'privileged|baseline|restricted',
    fallback: () => 'baseline',
    help: 'The level of the Pod Security Standards that pods have to keep to, wherever they come from.',
    schema: z.enum(['privileged', 'baseline', 'restricted'] satisfies readonly PodSecurityLevel[]),
    expected: 'privileged, baseline or restricted',
  },
  {
    name: 'allow-privileged',
    help: 'Permit privileged containers, added capabilities and what else lifts confinement.',
  },
  { name: 'allow-host-path', help: 'Permit hostPath volumes.' },
  {
    name: 'allow-host-namespaces',
    help: 'Permit hostNetwork, hostPID, hostIPC, host ports, and probes of other hosts than the pod.',
  },
  { name: 'open', help: 'Open the page in the browser once the server listens.' },
  { name: 'no-build', help: 'Serve the page as it was last built, without looking whether its sources changed.' },
  {
    name: 'log-level',
    value: 'LEVEL',
    fallback: () => 'warn',
    help: 'The lowest level that is written to stderr: trace, debug, info, warn, error or silent.',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    expected: 'trace, debug, info, warn, error or silent',
  },
  { name: 'version', help: 'Print the version and stop.' },
  { name: 'help', help: 'Print this help and stop.' },
] as const satisfies readonly OptionDefinition[];

/** An option of the server as the documentation shows it. */
export interface DocumentedOption {
  readonly name: string;
  /** The placeholder of the value, for example `PORT`. Absent for a switch. */
  readonly value?: string;
  readonly help: string;
  /** Absent if the option has no default. */
  readonly shownDefault?: string;
}

/** Returns every option of the server, in the order of `--help`. */
export const documentedOptions = (): readonly DocumentedOption[] =>
  definitions.map((definition: OptionDefinition) => {
    const { name, value, help } = definition;
    const shown = definition.shownDefault ?? definition.fallback?.({});
    return {
      name,
      help,
      ...(value === undefined ? {} : { value }),
      ...(shown === undefined ? {} : { shownDefault: shown }),
    };
  });

/** A kind of runtime, or the endpoint of a CRI runtime. */
export type RuntimeChoice = 'auto' | 'docker' | 'sim' | `unix://${string}`;

/** The parsed command line. Directories are absolute. */
export interface ServerOptions {
  readonly runtime: RuntimeChoice;
  /** True to run dockershim in a separate process, which the server reaches over a socket. */
  readonly criOverGrpc: boolean;
  /** File with the settings of the simulated node. */
  readonly simulation: string | undefined;
  /** File with the state of a pod from another cluster. The simulated node continues the pod from that state. */
  readonly snapshot: string | undefined;
  readonly port: number;
  readonly host: string;
  /** The access token; undefined to generate one. */
  readonly token: string | undefined;
  /** Files of the certificate that the user provides. */
  readonly tls: { readonly certificate: string; readonly key: string } | undefined;
  readonly insecure: boolean;
  readonly readOnly: boolean;
  readonly showSecrets: boolean;
  readonly stateDir: string;
  /** False if the user chose the state directory. */
  readonly isDefaultStateDir: boolean;
  readonly manifestDir: string | undefined;
  readonly manifestUrl: string | undefined;
  readonly profile: 'v1.36' | 'v1.20';
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly podCgroups: 'auto' | 'on' | 'off';
  readonly nodeName: string;
  readonly sandboxImage: string | undefined;
  /** The policy of image garbage collection; undefined if images are never deleted. */
  readonly imageGC: ImageGCPolicy | undefined;
  /** The network plugin of dockershim. */
  readonly network: NetworkOptions;
  /** A real cluster to observe instead of running a node. */
  readonly cluster:
    | { readonly kubeconfig: string; readonly context: string | undefined; readonly namespace: string | undefined }
    | undefined;
  /** True to serve a class instead of a node. */
  readonly isClass: boolean;
  /** Address of the static site from which learners of a class load the page. */
  readonly classSite: string | undefined;
  readonly keepPods: boolean;
  readonly storeLimits: StoreLimits;
  /** File with a fault plan. */
  readonly faults: string | undefined;
  readonly onDisconnect: 'release' | 'keep';
  readonly probesOfStoppedPods: 'missed' | 'held' | 'made';
  readonly podSecurity: PodSecurityLevel;
  readonly allowPrivileged: boolean;
  readonly allowHostPath: boolean;
  readonly allowHostNamespaces: boolean;
  readonly open: boolean;
  readonly build: boolean;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

export type CommandLine =
  | { readonly action: 'help' | 'version' }
  | { readonly action: 'serve'; readonly options: ServerOptions };

/**
 * Parses the command line.
 * @throws UsageError that names the invalid option
 */
export function parseCommandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): CommandLine {
  const values = tokenize(args);
  if (values.help) return { action: 'help' };
  if (values.version) return { action: 'version' };
  const text = (name: string): string | undefined => {
    const definition: OptionDefinition | undefined = definitions.find((candidate) => candidate.name === name);
    const given = values[name] ?? (definition?.variable === undefined ? undefined : environment[definition.variable]);
    return typeof given === 'string' ? checked(definition, given) : definition?.fallback?.(environment);
  };
  const flag = (name: string): boolean => values[name] === true;
  const directory = (name: string): string | undefined => {
    const path = text(name);
    return path === undefined ? undefined : resolve(path);
  };
  const options: ServerOptions = {
    runtime: runtimeFor(text('runtime') as ServerOptions['runtime'], {
      simulation: text('simulation'),
      snapshot: text('snapshot'),
    }),
    criOverGrpc: flag('cri-over-grpc'),
    simulation: directory('simulation'),
    snapshot: directory('snapshot'),
    port: Number(text('port')),
    // A class listens on all addresses by default, because learners are on other machines.
    host: flag('class') && values.host === undefined ? '0.0.0.0' : (text('host') ?? '').replace(/^\[(.*)\]$/, '$1'),
    token: text('token'),
    tls: bothOrNeither(directory('tls-cert'), directory('tls-key')),
    insecure: flag('insecure'),
    readOnly: flag('read-only'),
    showSecrets: flag('show-secrets'),
    stateDir: directory('state-dir') ?? '',
    isDefaultStateDir: values['state-dir'] === undefined,
    manifestDir: directory('manifest-dir'),
    manifestUrl: text('manifest-url'),
    profile: text('profile') as ServerOptions['profile'],
    featureGates: parseFeatureGates(text('feature-gates'), text('profile') as ServerOptions['profile']),
    podCgroups: text('pod-cgroups') as ServerOptions['podCgroups'],
    nodeName: text('node-name') ?? '',
    sandboxImage: text('sandbox-image'),
    imageGC: imageGCPolicy(
      text('image-gc'),
      Number(text('image-gc-high-threshold')),
      Number(text('image-gc-low-threshold')),
    ),
    network: {
      networkPlugin: text('network-plugin') as NetworkPluginName,
      cniConfDir: directory('cni-conf-dir') ?? '',
      cniBinDirs: (text('cni-bin-dir') ?? '')
        .split(',')
        .filter(Boolean)
        .map((path) => resolve(path)),
    },
    cluster: observedCluster(directory('kubeconfig'), text('context'), text('namespace')),
    isClass: flag('class'),
    classSite: text('class-site'),
    keepPods: flag('keep-pods'),
    storeLimits: { maxBytes: Number(text('runs-size')) * 1024 ** 2, maxAge: Number(text('runs-age')) * 24 * 3_600_000 },
    faults: directory('faults'),
    onDisconnect: text('on-disconnect') as ServerOptions['onDisconnect'],
    probesOfStoppedPods: text('probes-of-stopped-pods') as ServerOptions['probesOfStoppedPods'],
    podSecurity: text('pod-security') as ServerOptions['podSecurity'],
    allowPrivileged: flag('allow-privileged'),
    allowHostPath: flag('allow-host-path'),
    allowHostNamespaces: flag('allow-host-namespaces'),
    open: flag('open'),
    build: !flag('no-build'),
    logLevel: text('log-level') as ServerOptions['logLevel'],
  };
  checkExposure(options);
  checkClass(options);
  if (options.cluster && options.simulation !== undefined)
    throw new UsageError('--kubeconfig looks at a real cluster: --simulation says nothing about that, leave one out');
  if (options.cluster && !['127.0.0.1', 'localhost', '::1'].includes(options.host))
    throw new UsageError('--kubeconfig serves this machine alone: leave --host out');
  checkPolicy(options);
  if (options.criOverGrpc && options.runtime !== 'auto' && options.runtime !== 'docker')
    throw new UsageError(`--cri-over-grpc is for Docker, not for --runtime ${options.runtime}`);
  return { action: 'serve', options };
}

/**
 * Checks the options of a class.
 * @throws UsageError for options that a class doesn't support
 */
function checkClass({ isClass, classSite, cluster, tls }: ServerOptions): void {
  if (classSite !== undefined && !isClass)
    throw new UsageError('--class-site belongs to --class: learners of a class load the page from it');
  if (classSite?.startsWith('https:') && tls === undefined)
    throw new UsageError(
      '--class-site: a page loaded over HTTPS connects only to a server with a certificate: give --tls-cert and ' +
        '--tls-key',
    );
  if (isClass && cluster) throw new UsageError('--class and --kubeconfig serve different things: leave one out');
}

/**
 * Returns the runtime to use. `--simulation` and `--snapshot` imply the simulator.
 * @throws UsageError if the user chose another runtime
 */
function runtimeFor(
  runtime: ServerOptions['runtime'],
  files: Readonly<Record<'simulation' | 'snapshot', string | undefined>>,
): ServerOptions['runtime'] {
  const [given] = Object.entries(files).flatMap(([name, file]) => (file === undefined ? [] : [name]));
  if (given === undefined) return runtime;
  if (runtime !== 'auto' && runtime !== 'sim')
    throw new UsageError(`--${given} is for the simulator, not for --runtime ${runtime}`);
  return 'sim';
}

/**
 * Returns the cluster to observe.
 * @throws UsageError for a context or a namespace without a cluster
 */
function observedCluster(
  kubeconfig: string | undefined,
  context: string | undefined,
  namespace: string | undefined,
): ServerOptions['cluster'] {
  if (kubeconfig !== undefined) return { kubeconfig, context, namespace };
  if (context !== undefined || namespace !== undefined)
    throw new UsageError('--context and --namespace belong to --kubeconfig: name the file too');
  return undefined;
}

/**
 * Returns the files of the certificate.
 * @throws UsageError if only the certificate or only the key is given
 */
function bothOrNeither(certificate: string | undefined, key: string | undefined): ServerOptions['tls'] {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined)
    throw new UsageError('--tls-cert and --tls-key belong together: give both');
  return { certificate, key };
}

/**
 * Checks the pod security options.
 * @throws UsageError if they contradict each other
 */
function checkPolicy({ podSecurity, allowPrivileged, allowHostPath, allowHostNamespaces }: ServerOptions): void {
  if (podSecurity === 'restricted' && (allowPrivileged || allowHostPath || allowHostNamespaces))
    throw new UsageError(
      '--pod-security restricted and options that permit more than baseline contradict each other: leave one out',
    );
}

/** Returns option names and their values; a switch is true. */
function tokenize(args: readonly string[]): Readonly<Record<string, string | boolean | undefined>> {
  const options = Object.fromEntries(
    definitions.map((definition: OptionDefinition) => [
      definition.name,
      { type: definition.value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  // `pnpm start -- --port 1` passes the `--` on to the program.
  const words = args[0] === '--' ? args.slice(1) : args;
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
      throw new UsageError(`unknown option ${/'([^']+)'/.exec(message)?.[1] ?? ''} (--help lists all)`, {
        cause: error,
      });
    if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
      throw new UsageError(`unexpected argument ${/'([^']*)'/.exec(message)?.[1] ?? ''} (--help lists all options)`, {
        cause: error,
      });
    throw new UsageError(`${message.split('\n')[0]} (--help lists all options)`, { cause: error });
  }
}

function checked(definition: OptionDefinition | undefined, given: string): string {
  if (given === '')
    throw new UsageError(
      `--${definition?.name} needs a value${definition?.expected ? `: ${definition.expected}` : ''}`,
    );
  if (definition?.schema && !definition.schema.safeParse(given).success) {
    // A token is a secret, so the message doesn't repeat it.
    const shown = definition.name === 'token' ? '' : ` ${JSON.stringify(given)}`;
    throw new UsageError(`--${definition.name}${shown} is not ${definition.expected}`);
  }
  return given;
}

function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join(`\n${indent}`);
}

/** Returns the text of `--help`. */
export function helpText(): string {
  const indent = ' '.repeat(28);
  const rows = documentedOptions().map(({ name, value, help: text, shownDefault }) => {
    const option = `--${name}${value ? ` ${value}` : ''}`;
    const help = wrap(`${text}${shownDefault ? ` (default: ${shownDefault})` : ''}`, 92, indent);
    return option.length > 24 ? `  ${option}\n${indent}${help}` : `  ${option.padEnd(26)}${help}`;
  });
  return [
    'Podscope: watch the kubelet run your pods, step by step, in the browser.',
    '',
    `Usage: ${callOf('start')} [options]`,
    '',
    'Options:',
    ...rows,
    '',
    'The server prints the address of the page and the path of a kubeconfig for kubectl.',
    'Ctrl+C stops it cleanly; a second Ctrl+C at once.',
  ].join('\n');
}
