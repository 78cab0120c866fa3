/** Parses the command line of the server and checks that the options can be combined. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '@podscope/command-line';
import type { NetworkPluginName } from '@podscope/dockershim';
import { checkExposure } from './exposure.ts';
import { parseFeatureGates } from './feature-gates.ts';
import { imageGCPolicy } from './image-gc.ts';
import { type OptionDefinition, optionDefinitions } from './option-definitions.ts';
import type { CommandLine, ServerOptions } from './server-options.ts';

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
    const definition: OptionDefinition | undefined = optionDefinitions.find((candidate) => candidate.name === name);
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
    throw new UsageError(
      '--kubeconfig observes a real cluster, and --simulation configures a simulated node: omit one',
    );
  if (options.cluster && !['127.0.0.1', 'localhost', '::1'].includes(options.host))
    throw new UsageError('--kubeconfig serves only this machine: omit --host');
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
  if (isClass && cluster) throw new UsageError('--class and --kubeconfig cannot be combined: omit one');
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
 * Returns the files of the certificate and its key.
 * @throws UsageError if only one of the two is given
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
      '--pod-security restricted and options that permit more than baseline contradict each other: omit one',
    );
}

/** Returns option names and their values; a switch is true. */
function tokenize(args: readonly string[]): Readonly<Record<string, string | boolean | undefined>> {
  const options = Object.fromEntries(
    optionDefinitions.map((definition: OptionDefinition) => [
      definition.name,
      { type: definition.value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  // `pnpm start -- --port 1` passes the `--` to the program.
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
    // The message doesn't repeat a token, because it is a secret.
    const shown = definition.name === 'token' ? '' : ` ${JSON.stringify(given)}`;
    throw new UsageError(`--${definition.name}${shown} is not ${definition.expected}`);
  }
  return given;
}
