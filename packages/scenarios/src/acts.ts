/** Performs the acts of a scenario on a simulated node. */
import type { Simulation } from '@podscope/node/virtual';
import { sleep, type TraceEventOf } from '@podscope/trace';
import type { Act } from './scenario.ts';
import { staticPods } from './static-pods.ts';

const namespace = 'default';

type RuntimeObject = TraceEventOf<'runtimeStateChanged'>;

/**
 * Returns the id of the newest sandbox or container of that name.
 * @throws Error if the runtime has shown no such object
 */
function newest({ nodeHost }: Simulation, pod: string, object: RuntimeObject['object'], name: string): string {
  const { uid } = nodeHost.api.storage.mustGet('Pod', namespace, pod).metadata;
  const shown = nodeHost.log
    .after(0)
    .filter(
      (event): event is RuntimeObject =>
        event.type === 'runtimeStateChanged' && event.pod === uid && event.object === object && event.name === name,
    )
    .filter(({ to }) => to === 'running' || to === 'created');
  const last = shown.at(-1);
  if (!last) throw new Error(`pod ${pod} has no ${object} ${name} to act on yet`);
  return last.id;
}

/**
 * Performs one act.
 * @throws Error if its object doesn't exist, which is a mistake in the scenario
 */
export async function performAct(simulation: Simulation, act: Act): Promise<void> {
  const { clock, nodeHost, simulator } = simulation;
  switch (act.do) {
    case 'apply': {
      const { errors } = await nodeHost.commands.apply(act.manifest);
      if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
      return;
    }
    case 'deletePod':
      return nodeHost.commands.deletePod(namespace, act.pod, act.gracePeriodSeconds);
    case 'killContainer':
      return simulator.killContainer(newest(simulation, act.pod, 'container', act.container));
    case 'exitContainer':
      return simulator.exitContainer(newest(simulation, act.pod, 'container', act.container), act.code);
    case 'stopSandbox':
      return simulator.stopSandboxFromOutside(newest(simulation, act.pod, 'sandbox', 'POD'));
    case 'addImage':
      return simulator.addImage(act.image);
    case 'removeImage':
      return simulator.removeImage(act.image);
    case 'failNext':
      return simulator.failNext(act.operation, act.message, { times: act.times });
    case 'setNetworkReady':
      return simulator.setNetworkReady(act.ready);
    case 'debug':
      nodeHost.api.registry.update(
        'Pod',
        namespace,
        act.pod,
        (pod) => ({
          ...pod,
          spec: { ...pod.spec, ephemeralContainers: [...(pod.spec.ephemeralContainers ?? []), act.container] },
        }),
        { subresource: 'ephemeralcontainers' },
      );
      return;
    case 'resize':
      nodeHost.api.registry.update(
        'Pod',
        namespace,
        act.pod,
        (pod) => ({
          ...pod,
          spec: {
            ...pod.spec,
            containers: pod.spec.containers.map((container) =>
              container.name === act.container ? { ...container, resources: act.resources } : container,
            ),
          },
        }),
        { subresource: 'resize' },
      );
      return;
    case 'restartNode':
      return nodeHost.restartKubelet(async () => {
        await simulator.restartNode({ containersGone: act.containersGone });
        await sleep(clock, act.downFor * 1_000);
      });
    case 'restartKubelet':
      return nodeHost.restartKubelet(() => sleep(clock, act.downFor * 1_000));
    case 'shutdownNode':
      return nodeHost.shutDown({
        gracePeriodSeconds: act.gracePeriod,
        criticalGracePeriodSeconds: act.criticalGracePeriod ?? 0,
      });
    case 'setStaticPods':
      nodeHost.setStaticPods(staticPods(act.manifest, nodeHost.nodeInfo().nodeName));
      return;
    case 'command':
      await nodeHost.commandTable.run(act.command, { signal: new AbortController().signal });
      return;
    default:
      act satisfies never;
  }
}
