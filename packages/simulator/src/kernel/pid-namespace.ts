/** A PID namespace: who is process 1, who else is seen there, and what comes to them when process 1 ends. */
import type { SignalName } from '../machine/signals.ts';
import type { Namespaces } from './kernel.ts';

/** A process as others see it: one of a container, or one of the node's own that only stands there. */
export interface NamespaceMember {
  readonly pid: number;
  readonly argv: readonly string[];
  /** The program's name, without its directory. */
  readonly name: string;
  /** Where they are others than those of whoever looks. */
  readonly namespaces?: Namespaces;
  signal(signal: SignalName): void;
  killTree(): void;
}

/** What only stands there: pause, and the node's init. */
export interface ResidentProcess {
  readonly argv: readonly string[];
  readonly namespaces?: Namespaces;
  /** What a signal does to it. */
  readonly onSignal?: (signal: SignalName) => void;
}

/** Processes that a container's runtime needs on the way to its first one take numbers too. */
const numbersPerContainer = 6;

const programName = (argv: readonly string[]): string => (argv[0] ?? '').replace(/^.*\//, '');

export class PidNamespace {
  /** What `/proc/PID/ns/pid` points to. */
  readonly inode: number;
  readonly #members = new Map<number, NamespaceMember>();
  #lastPid = 0;

  /** @param first the process that is there before any container's; without one the first that joins is process 1 */
  constructor(inode: number, first?: ResidentProcess) {
    this.inode = inode;
    if (!first) return;
    const { argv, namespaces, onSignal = () => undefined } = first;
    this.join((pid) => ({ pid, argv, namespaces, name: programName(argv), signal: onSignal, killTree: () => undefined }));
  }

  get members(): readonly NamespaceMember[] {
    return [...this.#members.values()];
  }

  member(pid: number): NamespaceMember | undefined {
    return this.#members.get(pid);
  }

  /** A container is about to start here. */
  enter(): void {
    if (this.#lastPid > 0) this.#lastPid += numbersPerContainer - 1;
  }

  /** Takes in a process, which is made for the number it gets. */
  join<Member extends NamespaceMember>(make: (pid: number) => Member): Member {
    const member = make(++this.#lastPid);
    this.#members.set(member.pid, member);
    return member;
  }

  /** A process has ended. With process 1 the kernel ends all others. */
  leave({ pid }: Pick<NamespaceMember, 'pid'>): void {
    this.#members.delete(pid);
    if (pid === 1) for (const other of this.members) other.killTree();
  }

  /** Process 1, which only stands there, is gone. */
  end(): void {
    this.leave({ pid: 1 });
  }
}
