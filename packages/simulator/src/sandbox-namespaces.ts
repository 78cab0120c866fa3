/** The namespaces of a pod, and those that each of its containers runs in. */
import type { NamespaceMode, NamespaceOption } from '@podscope/cri';
import type { Kernel, Namespaces } from './kernel/kernel.ts';
import type { PidNamespace, ResidentProcess } from './kernel/pid-namespace.ts';

/** What the containers of a pod share. */
export class SandboxNamespaces {
  readonly namespaces: Namespaces;
  readonly #kernel: Kernel;
  readonly #pause: ResidentProcess;
  #pid: PidNamespace | undefined;

  /** @param pause what is process 1 where the pod's processes see each other */
  constructor(kernel: Kernel, { network, ipc }: NamespaceOption, pause: ResidentProcess) {
    this.#kernel = kernel;
    this.#pause = pause;
    const own = kernel.newNamespaces();
    const { namespaces: node } = kernel;
    this.namespaces = {
      net: network === 'NODE' ? node.net : own.net,
      ipc: ipc === 'NODE' ? node.ipc : own.ipc,
      uts: network === 'NODE' ? node.uts : own.uts,
    };
  }

  /** The PID namespace for a container. @param target that of the container which is joined with TARGET */
  pidNamespace(mode: NamespaceMode, target: PidNamespace | undefined): PidNamespace {
    if (mode === 'NODE') return this.#kernel.pidNamespace;
    if (mode === 'TARGET' && target) return target;
    if (mode === 'POD') return (this.#pid ??= this.#kernel.newPidNamespace(this.#pause));
    return this.#kernel.newPidNamespace();
  }

  /** The pause process is gone: where it was process 1, all others go with it. */
  end(): void {
    this.#pid?.end();
  }
}
