/** Assembles the server: starts runtime, node, API, stream and page, and stops them in reverse order. */
import { mkdtemp } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NodeHost, systemClock } from '@podscope/node';
import { noticeInEnglish } from '@podscope/protocol';
import { background, Tracer } from '@podscope/trace';
import type { Logger } from 'pino';
import { createClassStarter } from './classroom/class-starter.ts';
import { Cleanup } from './cleanup.ts';
import { exposureWarning } from './cli/exposure.ts';
import type { ServerOptions } from './cli/server-options.ts';
import { ScriptLease } from './debug/debug-api.ts';
import { debugFile } from './debug/debug-file.ts';
import { readFaultPlan } from './debug/fault-plan-file.ts';
import { createApp } from './http/app.ts';
import { startDualServer, type UpgradeListener } from './http/dual-server.ts';
import { RestartGate } from './http/restart-gate.ts';
import { createStream } from './http/stream.ts';
import { createUpgradeListener } from './http/upgrades.ts';
import { kubeconfig } from './kubeconfig.ts';
import { createKubeletServer, type KubeletServer } from './kubelet-api/kubelet-server.ts';
import { noMachine, thisMachine } from './kubelet-api/stats/machine-usage.ts';
import { nodeUsage } from './kubelet-api/stats/node-usage.ts';
import { StatsProvider } from './kubelet-api/stats/stats-provider.ts';
import { PodStreams } from './kubernetes-api/pods/pod-streams.ts';
import { pollManifests, watchManifests } from './manifests/static-pods.ts';
import { SavedRuns } from './runs/saved-runs.ts';
import { chooseRuntime } from './runtime/choose-runtime.ts';
import { createNode } from './runtime/create-node.ts';
import type { CommonOptions, HostedNode, NodeHooks } from './runtime/hosted-node.ts';
import { runtimeStreams } from './runtime/runtime-streams.ts';
import { readSimulationFile } from './runtime/simulation-file.ts';
import { readSnapshotFile } from './runtime/snapshot-file.ts';
import { AccessControl } from './security/access.ts';
import { isWildcard } from './security/origin.ts';
import { newToken } from './security/token.ts';
import { openTokenSigner } from './security/token-signer.ts';
import { asStartError } from './start-error.ts';
import { FilePersistence } from './state/file-persistence.ts';
import { canMake, openStateDirectory, type StateDirectory, writePrivately } from './state/state-directory.ts';
import { retainedWithStore } from './store/retained.ts';
import { readGivenCertificate } from './tls/given-certificate.ts';
import { loadCertificate } from './tls/load-certificate.ts';
import { productVersion } from './version.ts';

export interface ServerHooks {
  readonly logger: Logger;
  /** Prints a message on the console. */
  readonly notify: (message: string) => void;
  /** Builds the page and returns its directory; returns undefined if no page is served. */
  readonly preparePage: () => Promise<string | undefined>;
}

export interface RunningServer {
  /** The current node: a rerun of a simulation replaces it. */
  readonly nodeHost: NodeHost;
  readonly port: number;
  readonly token: string;
  /** Address of the page, with the token. */
  readonly url: string;
  readonly kubeconfigPath: string;
  /** Name and version of the container runtime, for display. */
  readonly runtime: string;
  readonly notices: readonly string[];
  /** Stops the server, and also its pods unless `--keep-pods` is set. */
  stop(): Promise<void>;
}

const destroySocket: UpgradeListener = (_request, socket) => void socket.destroy();

/**
 * Starts a server.
 * @throws StartError with the reason in one line
 */
export async function startServer(options: ServerOptions, hooks: ServerHooks): Promise<RunningServer> {
  const cleanup = new Cleanup();
  try {
    return await compose(options, hooks, cleanup);
  } catch (error) {
    // Throw the first failure, and ignore failures of the cleanup.
    await cleanup.run().catch(() => undefined);
    throw asStartError(error, options.stateDir);
  }
}

const unavailable =
  (message: string): RequestListener =>
  (_request, response) => {
    response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '1' }).end(message);
  };

/**
 * Opens the state directory. If the default directory can't be created, for example in a read-only home directory, uses
 * a temporary one. A temporary directory may be lost at a reboot.
 */
async function openState(
  { stateDir, isDefaultStateDir }: Pick<ServerOptions, 'stateDir' | 'isDefaultStateDir'>,
  notify: (message: string) => void,
): Promise<StateDirectory> {
  if (!isDefaultStateDir || (await canMake(stateDir))) return openStateDirectory(stateDir);
  const temporary = await mkdtemp(join(tmpdir(), 'podscope-state-'));
  notify(`${stateDir} cannot be written: state is kept in ${temporary} (--state-dir names another directory)`);
  return openStateDirectory(temporary);
}

async function compose(
  options: ServerOptions,
  { logger, notify, preparePage }: ServerHooks,
  cleanup: Cleanup,
): Promise<RunningServer> {
  const faultPlan = options.faults === undefined ? undefined : await readFaultPlan(options.faults);
  const simulation = options.simulation === undefined ? undefined : await readSimulationFile(options.simulation);
  const restored =
    options.snapshot === undefined ? undefined : await readSnapshotFile(options.snapshot, options.profile);
  const state = await openState(options, notify);
  cleanup.add(() => state.release());
  const given = options.tls && (await readGivenCertificate(options.tls));
  const certificate = given ?? (await loadCertificate(state, options.host));

  // Bind the port first, so that the start fails before anything is built or started if the port is in use.
  let onRequest: RequestListener = unavailable('The server is starting.\n');
  let onUpgrade: UpgradeListener = destroySocket;
  let node: HostedNode | undefined;
  const restartGate = new RestartGate(async () => node?.ready);
  const server = await startDualServer({
    ...certificate,
    tlsOnly: given !== undefined,
    host: options.host,
    port: options.port,
    onRequest: restartGate.requests(() => onRequest),
    onUpgrade: restartGate.upgrades(() => onUpgrade),
  });
  cleanup.add(() => server.close());

  const clock = systemClock();
  const runs = new SavedRuns({ file: state.join('runs.db'), limits: options.storeLimits, clock, logger, notify });
  cleanup.add(() => runs.close());
  const chosen = await chooseRuntime(options, state, clock, notify);
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
    staticPods: [
      ...(options.manifestDir === undefined ? [] : (['file'] as const)),
      ...(options.manifestUrl === undefined ? [] : (['http'] as const)),
    ],
    debug: {
      persistence: debugFile(state.join('debugger.json'), (message) => logger.warn(message)),
      options: {
        onDisconnect: options.readOnly ? 'release' : options.onDisconnect,
        probes: options.probesOfStoppedPods,
      },
    },
    notices: [...(warning === undefined ? [] : [warning]), ...(chosen.notices ?? []), ...runs.notices],
    openArchive: runs.openArchive,
    ...(runs.store ? { retainedEvents: retainedWithStore } : {}),
    version: productVersion,
    kubeconfig: kubeconfigPath,
    onError: (message, error) => logger.error({ err: error }, message),
  };
  const hooks: NodeHooks = {
    prepare: (nodeHost) => runs.attach(nodeHost),
    begin: (nodeHost) => {
      if (faultPlan !== undefined) nodeHost.debugger.setFaultPlan(faultPlan);
    },
    onRerun: () => {
      restartGate.clear();
      scripts.moved();
      routeToNode();
    },
  };
  const { host, configuration } = await createNode(chosen, common, hooks, {
    options,
    simulation,
    restored,
    state,
    clock,
  });
  node = host;
  const token = options.token ?? newToken();
  const access = new AccessControl(token, () => ({ host: options.host, port: server.port, names: given?.names }));
  // Cleanup runs in reverse order: the pods stop before the connections of clients close, so clients see them stop.
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
  const classes = createClassStarter(
    { certificate: given, pageDirectory, logger, port: server.port + 1 },
    () => host.nodeHost.readOnly,
  );
  cleanup.add(() => classes.close());
  let kubelet: KubeletServer | undefined;
  cleanup.add(() => kubelet?.close());
  /** Routes requests to the current node. */
  const routeToNode = (): void => {
    const { nodeHost, containerRuntime } = host;
    const isSimulated = chosen.runtimeKind === 'sim';
    const stats = new StatsProvider({
      runtime: containerRuntime.runtime,
      clock: nodeHost.clock,
      machine: isSimulated ? noMachine : thisMachine,
      knowsRates: isSimulated,
      ctx: background(nodeHost.clock, new Tracer()),
    });
    if (!isSimulated) nodeHost.commandTable.register({ nodeUsage: () => nodeUsage(stats) });
    kubelet?.close();
    kubelet = createKubeletServer({
      nodeHost,
      node: configuration,
      manifestDirectory: options.manifestDir,
      imageGC: options.imageGC,
      stats,
    });
    onRequest = createApp({ nodeHost, kubelet, access, logger, pageDirectory, scripts, runs: runs.store, classes });
    onUpgrade = createUpgradeListener({
      access,
      stream,
      podStreams: new PodStreams({ nodeHost, streams: runtimeStreams(containerRuntime) }),
    });
  };
  routeToNode();

  const name = isWildcard(options.host) ? (given?.names[0] ?? '127.0.0.1') : options.host;
  const reachable = name.includes(':') ? `[${name}]` : name;
  const tlsServerName = given === undefined || given.names.includes(name) ? undefined : given.names[0];
  await writePrivately(
    kubeconfigPath,
    kubeconfig({ server: `https://${reachable}:${server.port}`, ca: certificate.ca, token, tlsServerName }),
  );
  const { runtime, notices } = host.nodeHost.nodeInfo();
  return {
    get nodeHost() {
      return host.nodeHost;
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
