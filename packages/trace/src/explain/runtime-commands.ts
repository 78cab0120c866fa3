/** Returns the commands to try on a node, in the words of its container runtime. */

import type { Attributes } from '../event.ts';
import { listAt, textAt } from '../folds/attribute-values.ts';

/** `docker`: the commands of Docker Engine. `cri`: crictl, which every other CRI runtime answers. */
export type RuntimeKind = 'docker' | 'cri';

export interface RuntimeCommands {
  readonly pull: (image: string) => string;
  readonly images: string;
  readonly info: string;
  readonly inspectSandbox: (id: string) => string;
  /** A shell in a new container of the image. */
  readonly shell: (image: string) => string;
}

const commands: Readonly<Record<RuntimeKind, RuntimeCommands>> = {
  docker: {
    pull: (image) => `docker pull ${image}`,
    images: 'docker images',
    info: 'docker info',
    inspectSandbox: (id) => `docker inspect ${id.slice(0, 12)}`,
    shell: (image) => `docker run --rm -it --entrypoint sh ${image}`,
  },
  cri: {
    pull: (image) => `crictl pull ${image}`,
    images: 'crictl images',
    info: 'crictl info',
    inspectSandbox: (id) => `crictl inspectp ${id.slice(0, 13)}`,
    // crictl needs files for this; kubectl runs the image on any runtime.
    shell: (image) => `kubectl run try --rm -it --restart=Never --image=${image} --command -- sh`,
  },
};

const statusLists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

/** Returns the runtime that a status names in its container ids, such as `containerd://4f…`. */
function runtimeOf(status: Attributes): RuntimeKind | undefined {
  for (const list of statusLists) {
    for (const container of listAt(status, list)) {
      const scheme = /^([^:/]+):\/\//.exec(textAt(container, 'containerID') ?? '')?.[1];
      if (scheme !== undefined) return scheme === 'docker' ? 'docker' : 'cri';
    }
  }
  return undefined;
}

/**
 * Returns the commands for the runtime that the status names, or else for `known`. Without either it returns those of
 * crictl, because the kubelet has driven Docker only through other programs since v1.24.
 */
export const runtimeCommands = (status: Attributes, known: RuntimeKind = 'cri'): RuntimeCommands =>
  commands[runtimeOf(status) ?? known];
