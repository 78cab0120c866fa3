/** Creates the namespaces of a pod and of each of its containers. */
import type { NamespaceMode, NamespaceOption } from '@podscope/cri';
import type { Kernel } from '../kernel/kernel.ts';
import type { Namespaces, PidNamespace, ResidentProcess } from '../kernel/pid-namespace.ts';

/** Stores the namespaces that the containers of a pod share. */
export class SandboxNamespaces {
  readonly namespaces: Namespaces;
  readonly #kernel: Kernel;
  readonly #pause: ResidentProcess;
  #pid: PidNamespace | undefined;

  /** @param pause the process that is process 1 if the whole pod shares a PID namespace */
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

  /**
   * Returns the PID namespace of a container.
   * @param target the namespace that a container with the mode TARGET joins
   */
  pidNamespace(mode: NamespaceMode, target: PidNamespace | undefined): PidNamespace {
    if (mode === 'NODE') return this.#kernel.pidNamespace;
    if (mode === 'TARGET' && target) return target;
    if (mode === 'POD') return (this.#pid ??= this.#kernel.newPidNamespace(this.#pause));
    return this.#kernel.newPidNamespace();
  }

  /** Ends the pause process. In a PID namespace that the pod shares, this kills all other processes. */
  end(): void {
    this.#pid?.end();
  }
}
