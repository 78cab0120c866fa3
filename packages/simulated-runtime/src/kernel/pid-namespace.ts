/** A PID namespace: the processes in it, their numbers, and the kill of all when process 1 ends. */
import type { SignalName } from '../machine/signals.ts';

/** Inode numbers of the namespaces that have no content in the simulation. */
export interface Namespaces {
  readonly net: number;
  readonly ipc: number;
  readonly uts: number;
}

/** A process as others see it: a container's process, or a placeholder such as pause or the node's init. */
export interface NamespaceMember {
  readonly pid: number;
  readonly argv: readonly string[];
  /** The program's name without its directory. */
  readonly name: string;
  /** The command line that the program shows instead of its own, such as nginx's. */
  readonly title?: string | undefined;
  /** Undefined if the process has the namespaces of the reading process. */
  readonly namespaces?: Namespaces;
  signal(signal: SignalName): void;
  killTree(): void;
}

/** A placeholder process without a program: pause, and the node's init. */
export interface ResidentProcess {
  readonly argv: readonly string[];
  readonly namespaces?: Namespaces;
  /** Called with each signal it receives. */
  readonly onSignal?: (signal: SignalName) => void;
}

/** PIDs that a container start consumes: the OCI runtime's helper processes take numbers too. */
const numbersPerContainer = 6;

const programName = (argv: readonly string[]): string => (argv[0] ?? '').replace(/^.*\//, '');

export class PidNamespace {
  /** The number in the link `/proc/PID/ns/pid`. */
  readonly inode: number;
  readonly #members = new Map<number, NamespaceMember>();
  #lastPid = 0;

  /** @param first process 1, if it isn't a container's process */
  constructor(inode: number, first?: ResidentProcess) {
    this.inode = inode;
    if (!first) return;
    const { argv, namespaces, onSignal = () => undefined } = first;
    this.join((pid) => ({
      pid,
      argv,
      namespaces,
      name: programName(argv),
      signal: onSignal,
      killTree: () => undefined,
    }));
  }

  get members(): readonly NamespaceMember[] {
    return [...this.#members.values()];
  }

  member(pid: number): NamespaceMember | undefined {
    return this.#members.get(pid);
  }

  /** Reserves the numbers that the start of a container consumes. */
  enter(): void {
    if (this.#lastPid > 0) this.#lastPid += numbersPerContainer - 1;
  }

  /** Adds the process that `make` returns for the next free number. */
  join<Member extends NamespaceMember>(make: (pid: number) => Member): Member {
    const member = make(++this.#lastPid);
    this.#members.set(member.pid, member);
    return member;
  }

  /** Removes a process that has ended. If it was process 1, all others are killed. */
  leave({ pid }: Pick<NamespaceMember, 'pid'>): void {
    this.#members.delete(pid);
    if (pid === 1) for (const other of this.members) other.killTree();
  }

  /** Ends the placeholder process 1. */
  end(): void {
    this.leave({ pid: 1 });
  }
}
