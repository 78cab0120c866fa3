/**
 * Plays a scenario's pod on a real engine. The manifest is applied through the API. The actions of the scenario use the
 * API or the `docker` command.
 */
import { type ContainerStatus, type Event, type Pod, parseManifests } from '@podscope/k8s';
import {
  type Act,
  type ContainerMoment,
  type DockerOutcome,
  dockerOutcomeOf,
  type EventMoment,
  type PodMoment,
  type Scenario,
  type ScenarioProfile,
} from '@podscope/scenarios';
import { vi } from 'vitest';
import { docker } from './docker.ts';
import type { KubeApi } from './kube-api.ts';
import { type Registry, startRegistry } from './registry.ts';

const namespace = '/api/v1/namespaces/default';

/** A scenario whose addresses were replaced by addresses that exist on this machine. */
export interface Played {
  readonly name: string;
  readonly manifest: string;
  readonly acts: readonly Act[];
  readonly outcome: DockerOutcome;
  /** Exit codes of containers that an act restarts, by name: the status lacks them if garbage collection was faster. */
  readonly exits: Map<string, number>;
  readonly cleanUp: () => Promise<void>;
}

/**
 * Returns a copy of busybox with another id. The kubelet lets only those pods use the image that pulled it with their
 * secret, so other tests must not use the same image id.
 */
async function ownImage(id: string): Promise<string> {
  const container = await docker('create', 'busybox:1.36');
  const name = `podscope-scenario/${id}`;
  await docker('commit', '--change', `LABEL io.podscope.scenario=${id}`, container, name);
  await docker('rm', container);
  return name;
}

/**
 * Starts the registry of a scenario that has one, and puts its address into the manifest and the acts.
 * @throws Error if the scenario can't be played on a real engine with this release
 */
export async function prepare(scenario: Scenario, profile: ScenarioProfile): Promise<Played> {
  const { id } = scenario;
  const outcome = dockerOutcomeOf(scenario, profile);
  if (!outcome) throw new Error(`${id} can't be played on Docker with ${profile}`);
  const name = outcome.pod ?? id;
  const { manifest, acts = [] } = ofRelease(scenario, profile);
  const { registry: wanted } = outcome;
  const brought = acts.flatMap((act) => (act.do === 'addImage' ? [act.image] : []));
  const removeImages = async (images: readonly string[]): Promise<void> => {
    for (const each of images) await docker('rmi', '--force', each).catch(() => undefined);
  };
  const exits = new Map<string, number>();
  if (!wanted) return { name, manifest, acts, outcome, exits, cleanUp: () => removeImages(brought) };
  const registry: Registry = await startRegistry({ login: wanted.login });
  const image = await ownImage(`${id}:${profile}`);
  const reference = await registry.push(image, wanted.image);
  await docker('rmi', image);
  const place = <Value>(value: Value): Value =>
    JSON.parse(
      JSON.stringify(value).replaceAll(wanted.replaces, wanted.replaces === wanted.image ? reference : registry.host),
    ) as Value;
  return {
    name,
    manifest: place(manifest),
    acts: place(acts),
    outcome,
    exits,
    async cleanUp() {
      await registry.stop();
      await removeImages([reference, ...brought]);
    },
  };
}

/**
 * Gives the images of acts different names per release. They belong to the engine, so releases that are played at the
 * same time would share them.
 */
function ofRelease({ manifest, acts = [] }: Scenario, profile: ScenarioProfile): Pick<Scenario, 'manifest' | 'acts'> {
  const brought = acts.flatMap((act) => (act.do === 'addImage' ? [act.image] : []));
  const own = (text: string): string =>
    brought.reduce((all, image) => all.replaceAll(image, `${image}-${profile}`), text);
  return {
    manifest: own(manifest),
    acts: acts.map((act) => (act.do === 'addImage' ? { ...act, image: own(act.image) } : act)),
  };
}

/** The `timeoutSeconds` of probes that don't set it, and the smallest grace period of pods without hooks. */
const patienceSeconds = 30;

/**
 * Returns a copy of an object for a busy machine. Each probe has a `timeoutSeconds`, because an engine can need longer
 * than the default second to start a command, and a container whose probe times out is killed. A pod without a preStop
 * hook has enough time to end by itself.
 */
function forBusyMachine(object: object): object {
  const set = (key: string, value: unknown): unknown => {
    if (/^(?:liveness|readiness|startup)Probe$/.test(key))
      return { timeoutSeconds: patienceSeconds, ...(value as object) };
    if (key !== 'spec') return value;
    const { terminationGracePeriodSeconds: seconds = patienceSeconds, ...spec } = value as Pod['spec'];
    if (seconds === 0 || JSON.stringify(spec).includes('"preStop"')) return value;
    return { ...spec, terminationGracePeriodSeconds: Math.max(seconds, patienceSeconds) };
  };
  return JSON.parse(JSON.stringify(object, set)) as object;
}

/**
 * Applies a manifest as `kubectl apply --server-side` does. Probes and stops get time for a busy machine.
 * @throws KubeApiError with the API's message if it rejects the manifest
 */
export async function apply(api: KubeApi, manifest: string): Promise<void> {
  const { objects, errors } = parseManifests(manifest);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
  for (const { object } of objects) {
    const { kind, metadata } = object as { kind: string; metadata: { name: string } };
    const path = `${namespace}/${kind.toLowerCase()}s/${metadata.name}?fieldManager=scenario&force=true`;
    await api.request('PATCH', path, forBusyMachine(object), { 'content-type': 'application/apply-patch+yaml' });
  }
}

const reasonOf = ({ state }: ContainerStatus): string | undefined =>
  state?.waiting?.reason ?? state?.terminated?.reason;
const messageOf = ({ state }: ContainerStatus): string => state?.waiting?.message ?? state?.terminated?.message ?? '';
const exitCodeOf = ({ state, lastState }: ContainerStatus): number | undefined =>
  (state?.terminated ?? lastState?.terminated)?.exitCode;

type Exits = ReadonlyMap<string, number>;

function containerFits({ status }: Pod, wanted: ContainerMoment, exits: Exits): boolean {
  const { name, reason, message = '', ready, restarts = 0, exitCode, ended, memoryLimit } = wanted;
  const all = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  const container = all.find((one) => one.name === name);
  if (!container) return false;
  return (
    (reason === undefined
      ? exitCode !== undefined || container.state?.running !== undefined
      : reasonOf(container) === reason) &&
    messageOf(container).includes(message) &&
    (ready === undefined || container.ready === ready) &&
    (restarts === 0 ? container.restartCount === 0 : container.restartCount >= restarts) &&
    (exitCode === undefined || (exitCodeOf(container) ?? exits.get(name)) === exitCode) &&
    (ended === undefined || container.lastState?.terminated?.reason === ended) &&
    (memoryLimit === undefined || container.resources?.limits?.['memory'] === memoryLimit)
  );
}

function addressOf({ podIP, hostIP }: NonNullable<Pod['status']>): PodMoment['address'] {
  if (!podIP) return 'none';
  return podIP === hostIP ? 'node' : 'own';
}

function podFits(pod: Pod, wanted: PodMoment, exits: Exits): boolean {
  const { reason, message = '', containers = [], conditions = [], address } = wanted;
  const { status = {} } = pod;
  return (
    (reason === undefined || status.reason === reason) &&
    (status.message ?? '').includes(message) &&
    (address === undefined || addressOf(status) === address) &&
    containers.every((container) => containerFits(pod, container, exits)) &&
    conditions.every((condition) => {
      const found = status.conditions?.find(({ type }) => type === condition.type);
      if (!found) return condition.status === 'absent';
      return found.status === (condition.status ?? found.status) && found.reason === (condition.reason ?? found.reason);
    })
  );
}

/**
 * Waits until the pod has the given state.
 * @param begin called once the pod is watched, so that no event is missed
 * @param exits exit codes that the status may lack
 * @throws Error with the pod's last status if it doesn't reach the state
 */
export async function waitForMoment(
  api: KubeApi,
  name: string,
  moment: PodMoment,
  begin?: () => Promise<unknown>,
  exits: Exits = new Map(),
): Promise<void> {
  const { phase } = moment;
  const begun = Promise.withResolvers<unknown>();
  let hasBegun = false;
  let last: Pod | undefined;
  const fits = (pod: Pod | undefined): boolean => {
    if (!hasBegun) {
      hasBegun = true;
      Promise.resolve(begin?.()).then(begun.resolve, begun.reject);
    }
    last = pod ?? last;
    if ((phase === 'gone') !== (pod === undefined)) return false;
    if (phase !== undefined && phase !== 'gone' && pod?.status?.phase !== phase) return false;
    return last === undefined ? phase === 'gone' : podFits(last, moment, exits);
  };
  const seen = api.waitForPod(name, JSON.stringify(moment), fits, 300_000).catch((error: unknown) => {
    throw new Error(`${String(error)}\nlast seen: ${JSON.stringify(last?.status)}`, { cause: error });
  });
  // Also reject with an error of `begin`, because the pod then never reaches the state.
  await Promise.all([seen, begun.promise]);
}

/**
 * Returns the ids of a pod's containers on the engine, newest first. Ignores pods with the same name on other nodes.
 */
async function containersOf(uid: string, ...options: readonly string[]): Promise<readonly string[]> {
  const out = await docker(
    'ps',
    '--no-trunc',
    '--format',
    '{{.ID}}',
    '--filter',
    `label=io.kubernetes.pod.uid=${uid}`,
    ...options,
  );
  return out === '' ? [] : out.split('\n');
}

/**
 * Returns the UID of a pod.
 * @throws Error if the pod doesn't exist
 */
export async function uidOf(api: KubeApi, name: string): Promise<string> {
  const uid = (await api.getPod({ name }))?.metadata.uid;
  if (uid === undefined) throw new Error(`there is no pod ${name}`);
  return uid;
}

const newest = async (api: KubeApi, pod: string, container: string): Promise<string> => {
  const [id] = await containersOf(await uidOf(api, pod), '--filter', `label=io.kubernetes.container.name=${container}`);
  if (!id) throw new Error(`pod ${pod} has no running container ${container}`);
  return id;
};

/** Performs one act. Restarts of node and kubelet aren't supported here, because they also end the server. */
async function performAct(api: KubeApi, act: Act): Promise<unknown> {
  const podPatch = (pod: string, subresource: string, spec: object) =>
    api.request(
      'PATCH',
      `${namespace}/pods/${pod}/${subresource}`,
      { spec },
      { 'content-type': 'application/strategic-merge-patch+json' },
    );
  switch (act.do) {
    case 'apply':
      return apply(api, act.manifest);
    case 'deletePod':
      return api.deletePod({ name: act.pod }, act.gracePeriodSeconds);
    case 'killContainer':
    case 'exitContainer':
      // A process can't be made to exit with a chosen code from outside, so kill it.
      return docker('kill', await newest(api, act.pod, act.container));
    case 'stopSandbox':
      return docker('kill', await newest(api, act.pod, 'POD'));
    case 'addImage':
      return docker('tag', 'busybox:1.36', act.image);
    case 'removeImage':
      return docker('rmi', '--force', act.image);
    case 'debug':
      return podPatch(act.pod, 'ephemeralcontainers', { ephemeralContainers: [act.container] });
    case 'resize':
      return podPatch(act.pod, 'resize', { containers: [{ name: act.container, resources: act.resources }] });
    default:
      throw new Error(`${act.do} can't be done on Docker`);
  }
}

/**
 * Notes the exit code of a container once it exits. Between the creation and the start of the next instance, garbage
 * collection counts that one as dead and removes the one before, as upstream (kuberuntime_gc.go, evictableContainers).
 */
async function noteExit(
  api: KubeApi,
  { pod, container }: { readonly pod: string; readonly container: string },
  exits: Map<string, number>,
): Promise<void> {
  docker('wait', await newest(api, pod, container)).then(
    (code) => exits.set(container, Number(code)),
    // The pod was removed before the container exited.
    () => undefined,
  );
}

/** Returns true for an act that restarts the node or the kubelet. */
export const isRestart = ({ do: what }: Act): boolean => what === 'restartNode' || what === 'restartKubelet';

/**
 * Performs the acts, each after the pod has reached the state that the act requires. If an act ends the pod, the pod is
 * watched to its end.
 * @param begin called once the pod is watched, so that the first act isn't too late
 * @returns the API's rejections of acts, in the page's wording
 */
export async function performActs(
  api: KubeApi,
  { name, acts, outcome, exits }: Played,
  begin?: () => Promise<unknown>,
): Promise<readonly string[]> {
  const { before = [] } = outcome;
  const refused: string[] = [];
  if (acts.length === 0) await begin?.();
  for (const [index, act] of acts.entries()) {
    await waitForMoment(api, name, before[index] ?? {}, index === 0 ? begin : undefined);
    if (isRestart(act)) continue;
    if (outcome.phase === 'gone' && index === acts.length - 1) {
      await waitForMoment(api, name, outcome, () => performAct(api, act));
      continue;
    }
    if (act.do === 'resize') await noteExit(api, act, exits);
    await performAct(api, act).catch((error: unknown) => {
      if (act.do !== 'apply') throw error;
      refused.push(String(error));
    });
  }
  return refused;
}

/**
 * Performs an act that restarts the node, on the containers of a pod while the kubelet is down.
 * @param uid UID of the pod
 */
export async function whileDown({ acts }: Played, uid: string): Promise<void> {
  for (const act of acts) {
    if (act.do !== 'restartNode') continue;
    const ids = await containersOf(uid, '--all');
    await Promise.all(
      ids.map((id) => (act.containersGone ? docker('rm', '--force', id) : docker('kill', id).catch(() => undefined))),
    );
  }
}

/** Waits until the pod's containers have exited by themselves. The sandbox doesn't count. */
export async function waitForExits(uid: string): Promise<void> {
  await docker('wait', ...(await containersOf(uid, '--all', '--filter', 'label=io.kubernetes.docker.type=container')));
}

const eventFits = (wanted: EventMoment, { reason, message = '', involvedObject }: Event): boolean =>
  reason === wanted.reason &&
  message.includes(wanted.message ?? '') &&
  (wanted.container === undefined || (involvedObject.fieldPath?.endsWith(`{${wanted.container}}`) ?? false));

const timesOf = (wanted: EventMoment, events: readonly Event[]): number =>
  events.filter((event) => eventFits(wanted, event)).reduce((sum, { count = 1 }) => sum + count, 0);

/**
 * Waits until the pod has the outcome that the library states, including its events and the output of its containers. A
 * pod that is deleted is watched to its end.
 * @throws Error if the pod doesn't reach the outcome
 */
export async function waitForOutcome(api: KubeApi, { name, outcome, exits }: Played): Promise<void> {
  const { phase, events = [], noEvents = [], logs = [] } = outcome;
  if (phase !== 'gone') await waitForMoment(api, name, outcome, undefined, exits);
  const waitOptions = { timeout: 180_000, interval: 200 };
  await vi.waitFor(async () => {
    const seen = await api.events(name);
    for (const wanted of events) {
      if (timesOf(wanted, seen) >= (wanted.count ?? 1)) continue;
      const all = seen.map(({ reason, message, count }) => `${reason} ×${count}: ${message}`);
      throw new Error(`pod ${name} has no event ${JSON.stringify(wanted)}, but\n${all.join('\n')}`);
    }
  }, waitOptions);
  for (const { container, line } of logs) {
    await vi.waitFor(async () => {
      const log = await api.logs(name, `?container=${container}`);
      if (!log.includes(line))
        throw new Error(
          `container ${container} of pod ${name} has not written ${JSON.stringify(line)}, but ${JSON.stringify(log)}`,
        );
    }, waitOptions);
  }
  const seen = await api.events(name);
  for (const unwanted of noEvents) {
    const found = seen.find((event) => eventFits(unwanted, event));
    if (found) throw new Error(`pod ${name} has an event ${JSON.stringify(unwanted)}: ${found.message}`);
  }
}
