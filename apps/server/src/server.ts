/** The composition root: puts runtime, cluster, API, stream and page together, and takes them apart again. */
import { mkdir, readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { type Cluster, systemClock } from '@podscope/cluster';
import type { NodeConfiguration } from '@podscope/kubelet';
import { noticeInEnglish } from '@podscope/protocol';
import { simulatedNode } from '@podscope/simulation';
import type { SimulationSettings } from '@podscope/simulator';
import { background, type Clock, Tracer } from '@podscope/trace';
import type { Logger } from 'pino';
import { exposureWarning } from './cli/exposure.ts';
import type { ServerOptions } from './cli/options.ts';
import { ScriptLease } from './debug/debug-api.ts';
import { debugFile } from './debug/debug-file.ts';
import { readFaultPlan } from './debug/fault-plan-file.ts';
import { createApp } from './http/app.ts';
import { startDualServer, type UpgradeListener } from './http/dual-server.ts';
import { Lobby } from './http/lobby.ts';
import { createStream } from './http/stream.ts';
import { createUpgradeListener } from './http/upgrades.ts';
import { kubeconfig } from './kubeconfig.ts';
import { createKubeletServer, type KubeletServer } from './kubelet-api/kubelet-server.ts';
import { noMachine, thisMachine } from './kubelet-api/stats/machine-usage.ts';
import { StatsProvider } from './kubelet-api/stats/stats-provider.ts';
import { PodStreams } from './kubernetes-api/streams/pod-streams.ts';
import { pollManifests, watchManifests } from './manifests/static-pods.ts';
import { choosePodCgroups } from './os/cgroups/choose-pod-cgroups.ts';
import { machineFacts, nodeConfiguration } from './os/node-facts.ts';
import { productVersion } from './repository.ts';
import { KeptRuns, retainedWithStore } from './runs/kept-runs.ts';
import { chooseRuntime } from './runtime/choose-runtime.ts';
import { type CommonOptions, type HostedNode, type NodeHooks, realNode, simulatedHost } from './runtime/hosted-node.ts';
import { runtimeStreams } from './runtime/runtime-streams.ts';
import { readSimulationFile } from './runtime/simulation-file.ts';
import { AccessControl } from './security/access.ts';
import { isWildcard } from './security/origin.ts';
import { newToken } from './security/token.ts';
import { openTokenSigner } from './security/token-signer.ts';
import { StartError } from './start-error.ts';
import { FilePersistence } from './state/file-persistence.ts';
import { openStateDirectory, type StateDirectory, writePrivately } from './state/state-directory.ts';
import { createServerCertificate, isUsable, type ServerCertificate } from './tls/certificates.ts';
import { readGivenCertificate } from './tls/given-certificate.ts';

export interface ServerHooks {
  readonly logger: Logger;
  /** Something the person at the console should read. */
  readonly notify: (message: string) => void;
  /** Makes the page and returns where it is; undefined when none is served. */
  readonly preparePage: () => Promise<string | undefined>;
}

export interface RunningServer {
  /** As it is now: a simulation that is run again has another one then. */
  readonly cluster: Cluster;
  readonly port: number;
  readonly token: string;
  /** With the token: opens the page. */
  readonly url: string;
  readonly kubeconfigPath: string;
  /** What runs the containers, for people. */
  readonly runtime: string;
  readonly notices: readonly string[];
  /** Ends everything; pods too, unless they are to be kept. */
  stop(): Promise<void>;
}

/** Things to undo, last first. */
class Cleanup {
  readonly #steps: (() => Promise<void> | void)[] = [];

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  /** Does all of them, whatever fails. @throws the first failure, at the end */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

const notYet: UpgradeListener = (_request, socket) => void socket.destroy();

/**
 * Starts a server.
 * @throws StartError saying in one line why it can't
 */
export async function startServer(options: ServerOptions, hooks: ServerHooks): Promise<RunningServer> {
  const cleanup = new Cleanup();
  try {
    return await compose(options, hooks, cleanup);
  } catch (error) {
    // What failed first is what is told.
    await cleanup.run().catch(() => undefined);
    throw startErrorOf(error, options.stateDir);
  }
}

/** Files that can't be written have a remedy: a line says it, where others keep their stack. */
function startErrorOf(error: unknown, stateDir: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const why =
    code === 'ENOSPC' ? 'there is no space left for it' : code === 'EDQUOT' ? 'its quota is used up' : code === 'EROFS' ? 'it is read-only' : undefined;
  if (why === undefined) return error;
  return new StartError(`the state directory ${stateDir} cannot be written, ${why} (${message}): make room, or choose another --state-dir`, { cause: error });
}

const unavailable =
  (message: string): RequestListener =>
  (_request, response) => {
    response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '1' }).end(message);
  };

async function compose(options: ServerOptions, { logger, notify, preparePage }: ServerHooks, cleanup: Cleanup): Promise<RunningServer> {
  const faultPlan = options.faults === undefined ? undefined : await readFaultPlan(options.faults);
  const simulation = options.simulation === undefined ? undefined : await readSimulationFile(options.simulation);
  const state = await openStateDirectory(options.stateDir);
  cleanup.add(() => state.release());
  const given = options.tls && (await readGivenCertificate(options.tls));
  const certificate = given ?? (await loadCertificate(state, options.host));

  // The port is taken before anything is built or started, so that a taken one is told at once.
  let onRequest: RequestListener = unavailable('The server is starting.\n');
  let onUpgrade: UpgradeListener = notYet;
  let node: HostedNode | undefined;
  const lobby = new Lobby(async () => node?.ready);
  const server = await startDualServer({
    ...certificate,
    tlsOnly: given !== undefined,
    host: options.host,
    port: options.port,
    onRequest: lobby.requests(() => onRequest),
    onUpgrade: lobby.upgrades(() => onUpgrade),
  });
  cleanup.add(() => server.close());

  const clock = systemClock();
  const runs = new KeptRuns({ file: state.join('runs.db'), limits: options.storeLimits, clock, logger, notify });
  cleanup.add(() => runs.close());
  const chosen = await chooseRuntime(options, state, clock);
  if (chosen.runtimeKind !== 'sim') cleanup.add(() => chosen.containerRuntime.close());
  const pageDirectory = await preparePage();

  const kubeconfigPath = state.join('kubeconfig');
  const warning = exposureWarning(options);
  if (warning !== undefined) notify(warning);
  const common: CommonOptions = {
    policy: options,
    readOnly: options.readOnly,
    showSecrets: options.showSecrets,
    ...(options.imageGC ? { imageGC: options.imageGC } : {}),
    tokenSigner: await openTokenSigner(state.join('tls', 'service-account.key')),
    persistence: new FilePersistence(state.join('api'), (message) => logger.warn(message)),
    profile: options.profile,
    featureGates: options.featureGates,
    staticPods: [...(options.manifestDir === undefined ? [] : (['file'] as const)), ...(options.manifestUrl === undefined ? [] : (['http'] as const))],
    debug: {
      persistence: debugFile(state.join('debugger.json'), (message) => logger.warn(message)),
      options: { onDisconnect: options.readOnly ? 'release' : options.onDisconnect, probes: options.probesOfStoppedPods },
    },
    notices: [...(warning === undefined ? [] : [warning]), ...(chosen.notices ?? []), ...runs.notices],
    openArchive: runs.openArchive,
    ...(runs.store ? { retainedEvents: retainedWithStore } : {}),
    version: productVersion,
    kubeconfig: kubeconfigPath,
    onError: (message, error) => logger.error({ err: error }, message),
  };
  const hooks: NodeHooks = {
    prepare: (cluster) => runs.attach(cluster),
    begin: (cluster) => {
      if (faultPlan !== undefined) cluster.debugger.setFaultPlan(faultPlan);
    },
    onRerun: () => {
      lobby.clear();
      scripts.moved();
      open();
    },
  };
  const { host, configuration } = await makeNode(chosen, common, hooks, { options, simulation, state, clock });
  node = host;
  const token = options.token ?? newToken();
  const access = new AccessControl(token, () => ({ host: options.host, port: server.port, names: given?.names }));
  // Taken apart in the reverse order: clients hear how the pods end before their connections do.
  const stream = createStream(host, access);
  cleanup.add(() => stream.close());
  cleanup.add(() => host.stop(options.keepPods));
  await host.start();
  const scripts = new ScriptLease(() => host.attach(), clock);
  cleanup.add(() => scripts.end());
  if (options.manifestDir !== undefined) {
    const manifests = watchManifests(options.manifestDir, options, host, notify);
    cleanup.add(() => manifests.close());
    await manifests.start();
  }
  if (options.manifestUrl !== undefined) {
    const manifests = pollManifests(options.manifestUrl, options, host, notify);
    cleanup.add(() => manifests.close());
    await manifests.start();
  }
  let kubelet: KubeletServer | undefined;
  cleanup.add(() => kubelet?.close());
  /** Opens the doors to the node as it is now. */
  const open = (): void => {
    const { cluster, containerRuntime } = host;
    const isSimulated = chosen.runtimeKind === 'sim';
    const stats = new StatsProvider({
      runtime: containerRuntime.runtime,
      clock: cluster.clock,
      machine: isSimulated ? noMachine : thisMachine,
      knowsRates: isSimulated,
      ctx: background(cluster.clock, new Tracer()),
    });
    kubelet?.close();
    kubelet = createKubeletServer({ cluster, node: configuration, manifestDirectory: options.manifestDir, imageGC: options.imageGC, stats });
    onRequest = createApp({ cluster, kubelet, access, logger, pageDirectory, scripts, runs: runs.store });
    onUpgrade = createUpgradeListener({ access, stream, podStreams: new PodStreams({ cluster, streams: runtimeStreams(containerRuntime) }) });
  };
  open();

  const name = isWildcard(options.host) ? (given?.names[0] ?? '127.0.0.1') : options.host;
  const reachable = name.includes(':') ? `[${name}]` : name;
  const tlsServerName = given === undefined || given.names.includes(name) ? undefined : given.names[0];
  await writePrivately(kubeconfigPath, kubeconfig({ server: `https://${reachable}:${server.port}`, ca: certificate.ca, token, tlsServerName }));
  const { runtime, notices } = host.cluster.nodeInfo();
  return {
    get cluster() {
      return host.cluster;
    },
    port: server.port,
    token,
    url: `${given ? 'https' : 'http'}://${reachable}:${server.port}/?token=${token}`,
    kubeconfigPath,
    runtime: runtime.kind === 'sim' ? 'simulator, without real containers' : `${runtime.name} ${runtime.version}`,
    notices: notices.map(noticeInEnglish),
    stop: () => {
      onRequest = unavailable('The server stops.\n');
      return cleanup.run();
    },
  };
}

/** The node that was chosen, and how it is configured. */
async function makeNode(
  chosen: Awaited<ReturnType<typeof chooseRuntime>>,
  common: CommonOptions,
  hooks: NodeHooks,
  {
    options,
    simulation = {},
    state,
    clock,
  }: { readonly options: ServerOptions; readonly simulation?: SimulationSettings | undefined; readonly state: StateDirectory; readonly clock: Clock },
): Promise<{ readonly host: HostedNode; readonly configuration: NodeConfiguration }> {
  const { nodeName, sandboxImage } = options;
  if (chosen.runtimeKind === 'sim') {
    const settings = { ...simulation, ...(sandboxImage === undefined ? {} : { sandboxImage }) };
    return { host: simulatedHost(common, { nodeName, settings }, { ...hooks, clock }), configuration: simulatedNode(nodeName, settings.nodeMemory) };
  }
  const own = await nodeConfiguration({ nodeName, rootDir: state.join('kubelet'), podLogsDir: state.join('pod-logs') });
  const { cgroups, notices } = await choosePodCgroups(options, own.rootDir, chosen.node.cgroupDriver ?? own.cgroupDriver);
  const configuration = { ...own, ...chosen.node, cgroupsPerQOS: cgroups !== undefined };
  const machine = { node: configuration, machine: await machineFacts(), ...(cgroups ? { cgroups } : {}) };
  const host = realNode({ ...common, notices: [...(common.notices ?? []), ...(notices ?? [])] }, { ...chosen, ...machine }, { ...hooks, clock });
  return { host, configuration };
}

/** The kept certificate, or a new one when it is about to end or the host is another. */
async function loadCertificate(state: StateDirectory, host: string): Promise<ServerCertificate> {
  const paths = { ca: state.join('tls', 'ca.crt'), certificate: state.join('tls', 'server.crt'), key: state.join('tls', 'server.key') };
  try {
    await mkdir(state.join('tls'), { recursive: true, mode: 0o700 });
    const [ca, certificate, key] = await Promise.all([readFile(paths.ca, 'utf8'), readFile(paths.certificate, 'utf8'), readFile(paths.key, 'utf8')]);
    const kept = { ca, certificate, key };
    if (isUsable(kept, host)) return kept;
  } catch (error) {
    // Missing or unreadable: it is made anew. A directory that can't be written is told below.
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      throw new StartError(`${state.join('tls')} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  const made = await createServerCertificate(host);
  await Promise.all([writePrivately(paths.ca, made.ca), writePrivately(paths.certificate, made.certificate), writePrivately(paths.key, made.key)]);
  return made;
}
