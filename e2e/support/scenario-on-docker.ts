/** Plays a teaching pod on a real engine: its manifest through the API, its acts by the API or by the engine's own command line. */
import { type ContainerStatus, type Pod, parseManifests } from '@podscope/k8s';
import type { Act, ContainerMoment, DockerOutcome, PodMoment, Scenario } from '@podscope/scenarios';
import { vi } from 'vitest';
import { docker, podContainers } from './docker.ts';
import type { KubeApi } from './kube-api.ts';
import { type Registry, startRegistry } from './registry.ts';

const namespace = '/api/v1/namespaces/default';

/** A scenario as it is played on one machine: with addresses that there are. */
export interface Played {
  readonly name: string;
  readonly manifest: string;
  readonly acts: readonly Act[];
  readonly outcome: DockerOutcome;
  readonly cleanUp: () => Promise<void>;
}

/** Busybox under another id: whoever pulled an image with a secret is the only one who may use it, whatever else it is called. */
async function ownImage(id: string): Promise<string> {
  const container = await docker('create', 'busybox:1.36');
  const name = `podscope-scenario/${id}:test`;
  await docker('commit', '--change', `LABEL io.podscope.scenario=${id}`, container, name);
  await docker('rm', container);
  return name;
}

/** Starts the registry that a scenario wants, if it does, and puts its address into manifest and acts. */
export async function prepare({ id, manifest, acts = [], docker: outcome }: Scenario & { readonly docker: DockerOutcome }): Promise<Played> {
  const name = outcome.pod ?? id;
  const { registry: wanted } = outcome;
  const brought = acts.flatMap((act) => (act.do === 'addImage' ? [act.image] : []));
  const removeImages = async (images: readonly string[]): Promise<void> => {
    for (const each of images) await docker('rmi', '--force', each).catch(() => undefined);
  };
  if (!wanted) return { name, manifest, acts, outcome, cleanUp: () => removeImages(brought) };
  const registry: Registry = await startRegistry({ login: wanted.login });
  const image = await ownImage(id);
  const reference = await registry.push(image, wanted.image);
  await docker('rmi', image);
  const place = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll(wanted.replaces, wanted.replaces === wanted.image ? reference : registry.host)) as Value;
  return {
    name,
    manifest: place(manifest),
    acts: place(acts),
    outcome,
    async cleanUp() {
      await registry.stop();
      await removeImages([reference, ...brought]);
    },
  };
}

/** As `kubectl apply --server-side` does. @throws KubeApiError what the API says when it refuses */
export async function apply(api: KubeApi, manifest: string): Promise<void> {
  const { objects, errors } = parseManifests(manifest);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
  for (const { object } of objects) {
    const { kind, metadata } = object as { kind: string; metadata: { name: string } };
    const path = `${namespace}/${kind.toLowerCase()}s/${metadata.name}?fieldManager=scenario&force=true`;
    await api.request('PATCH', path, object, { 'content-type': 'application/apply-patch+yaml' });
  }
}

const reasonOf = ({ state }: ContainerStatus): string | undefined => state?.waiting?.reason ?? state?.terminated?.reason;
const exitCodeOf = ({ state, lastState }: ContainerStatus): number | undefined => (state?.terminated ?? lastState?.terminated)?.exitCode;

function containerFits({ status }: Pod, { name, reason, restarts = 0, exitCode, memoryLimit }: ContainerMoment): boolean {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? []), ...(status?.ephemeralContainerStatuses ?? [])];
  const container = all.find((one) => one.name === name);
  if (!container) return false;
  return (
    (reason === undefined ? exitCode !== undefined || container.state?.running !== undefined : reasonOf(container) === reason) &&
    (restarts === 0 ? container.restartCount === 0 : container.restartCount >= restarts) &&
    (exitCode === undefined || exitCodeOf(container) === exitCode) &&
    (memoryLimit === undefined || container.resources?.limits?.['memory'] === memoryLimit)
  );
}

/**
 * Waits until the pod is so.
 * @param begin done once the pod is watched, so that nothing of what comes of it is missed
 * @throws Error with its last status when it does not become so
 */
export async function waitForMoment(
  api: KubeApi,
  name: string,
  { phase, containers = [], condition }: PodMoment,
  begin?: () => Promise<unknown>,
): Promise<void> {
  let last: Pod | undefined;
  let begun: Promise<unknown> | undefined;
  const fits = (pod: Pod | undefined): boolean => {
    begun ??= begin?.();
    last = pod ?? last;
    if ((phase === 'gone') !== (pod === undefined)) return false;
    if (phase !== undefined && phase !== 'gone' && pod?.status?.phase !== phase) return false;
    if (condition && !last?.status?.conditions?.some(({ type, reason }) => type === condition.type && reason === condition.reason)) return false;
    return containers.every((container) => last !== undefined && containerFits(last, container));
  };
  await api.waitForPod(name, JSON.stringify({ phase, containers, condition }), fits, 170_000).catch((error: unknown) => {
    throw new Error(`${String(error)}\nlast seen: ${JSON.stringify(last?.status)}`);
  });
  await begun;
}

const newest = async (pod: string, container: string): Promise<string> => {
  const out = await docker(
    'ps',
    '--no-trunc',
    '--format',
    '{{.ID}}',
    '--filter',
    `label=io.kubernetes.pod.name=${pod}`,
    '--filter',
    `label=io.kubernetes.container.name=${container}`,
  );
  const [id] = out.split('\n');
  if (!id) throw new Error(`pod ${pod} has no running container ${container}`);
  return id;
};

/** Does one act. Restarts of node and kubelet are not among them: they take the server with them. */
async function performAct(api: KubeApi, act: Act): Promise<unknown> {
  const podPatch = (pod: string, subresource: string, spec: object) =>
    api.request('PATCH', `${namespace}/pods/${pod}/${subresource}`, { spec }, { 'content-type': 'application/strategic-merge-patch+json' });
  switch (act.do) {
    case 'apply':
      return apply(api, act.manifest);
    case 'deletePod':
      return api.deletePod({ name: act.pod }, act.gracePeriodSeconds);
    case 'killContainer':
    case 'exitContainer':
      // From outside a process can't be given an exit code of one's choice.
      return docker('kill', await newest(act.pod, act.container));
    case 'stopSandbox':
      return docker('kill', await newest(act.pod, 'POD'));
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

/** What restarts the node or the kubelet. */
export const isRestart = ({ do: what }: Act): boolean => what === 'restartNode' || what === 'restartKubelet';

/** Does the acts, each when the pod is as it has to be before; one that ends the pod is watched. @returns what the API refused, as the page says it too */
export async function performActs(api: KubeApi, { name, acts, outcome }: Played): Promise<readonly string[]> {
  const { before = [] } = outcome;
  const refused: string[] = [];
  for (const [index, act] of acts.entries()) {
    await waitForMoment(api, name, before[index] ?? {});
    if (isRestart(act)) continue;
    if (outcome.phase === 'gone' && index === acts.length - 1) {
      await waitForMoment(api, name, outcome, () => performAct(api, act));
      continue;
    }
    await performAct(api, act).catch((error: unknown) => {
      if (act.do !== 'apply') throw error;
      refused.push(String(error));
    });
  }
  return refused;
}

/** What an act that restarts the node does to the pod's containers while the kubelet is down. */
export async function whileDown({ name, acts }: Played): Promise<void> {
  for (const act of acts) {
    if (act.do !== 'restartNode') continue;
    await Promise.all((await podContainers(name)).map((id) => (act.containersGone ? docker('rm', '--force', id) : docker('kill', id).catch(() => undefined))));
  }
}

/** Waits until the pod has become what the library says; one that is gone has been watched to its end. @throws Error when it does not */
export async function waitForOutcome(api: KubeApi, { name, outcome }: Played): Promise<void> {
  if (outcome.phase !== 'gone') await waitForMoment(api, name, outcome);
  const { events = [] } = outcome;
  await vi.waitFor(
    async () => {
      const seen = (await api.events(name)).map(({ reason }) => reason ?? '');
      for (const reason of events) if (!seen.includes(reason)) throw new Error(`pod ${name} has no event ${reason}, but ${seen.join(', ')}`);
    },
    { timeout: 60_000, interval: 200 },
  );
}
