/** A scenario: a name, what the node is like, and how the conversation goes. */
import type { startTestCluster } from '../test-cluster.ts';
import type { Conversation } from './conversation.ts';

type ClusterOptions = NonNullable<Parameters<typeof startTestCluster>[0]>;

export interface Scenario {
  /** Name of its golden text. */
  readonly name: string;
  readonly options?: Pick<ClusterOptions, 'debug'>;
  readonly run: (conversation: Conversation) => Promise<void>;
}

/** A pod of one container that goes on running. */
export const runningPod = (name: string, image = 'busybox:1.36'): string => podOf(name, [{ name: 'app', image }]);

interface ContainerSketch {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly more?: object;
}

const containerOf = ({ name, image = 'busybox:1.36', command = ['sleep', '3600'], more = {} }: ContainerSketch): object => ({ name, image, command, ...more });

/** A manifest of a pod with these containers. */
export const podOf = (name: string, containers: readonly ContainerSketch[], spec: object = {}, init: readonly ContainerSketch[] = []): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: containers.map(containerOf),
      ...(init.length > 0 ? { initContainers: init.map(containerOf) } : {}),
      ...spec,
    },
  });

/** A pod whose container exits at once with code 1, again and again. */
export const crashingPod = (name: string): string => podOf(name, [{ name: 'app', command: ['sh', '-c', 'exit 1'] }]);
