/** Defines scenarios: a name, the options of the node, and the conversation. */

import type { Conversation } from './conversation.ts';
import type { ConversationOptions } from './conversation-node.ts';

export interface Scenario {
  /** Name of the golden file. */
  readonly name: string;
  readonly options?: ConversationOptions;
  readonly run: (conversation: Conversation) => Promise<void>;
}

/** Returns a manifest of a pod with one container that keeps running. */
export const runningPod = (name: string, image = 'busybox:1.36'): string => podOf(name, [{ name: 'app', image }]);

interface ContainerSketch {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly more?: object;
}

const containerOf = ({
  name,
  image = 'busybox:1.36',
  command = ['sleep', '3600'],
  more = {},
}: ContainerSketch): object => ({ name, image, command, ...more });

/** Returns a manifest of a pod with these containers. */
export const podOf = (
  name: string,
  containers: readonly ContainerSketch[],
  spec: object = {},
  init: readonly ContainerSketch[] = [],
): string =>
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

/** Returns a manifest of a pod whose container always exits at once with code 1. */
export const crashingPod = (name: string): string => podOf(name, [{ name: 'app', command: ['sh', '-c', 'exit 1'] }]);
