/** Simulates a PID namespace: it numbers its processes, and kills them all when process 1 ends. */
import type { SignalName } from '../machine/signals.ts';

/**
 * The inode numbers of the namespaces other than the PID namespace. Only the numbers of these namespaces are simulated.
 */
export interface Namespaces {
  readonly net: number;
  readonly ipc: number;
  readonly uts: number;
}

/**
 * A process as other processes see it. It is a container's process or a placeholder, for example for pause or the
 * node's init.
 */
export interface NamespaceMember {
  readonly pid: number;
  readonly argv: readonly string[];
  /** The program's name without its directory. */
  readonly name: string;
  /** The command line that the process shows in place of its own, as nginx does. */
  readonly title?: string | undefined;
  /** The namespaces of the process. Undefined if they equal the namespaces of the process that reads them. */
  readonly namespaces?: Namespaces;
  signal(signal: SignalName): void;
  killTree(): void;
}

/** A placeholder process without a program: pause, and the node's init. */
export interface ResidentProcess {
  readonly argv: readonly string[];
  readonly namespaces?: Namespaces;
  /** Called with each signal that the process receives. */
  readonly onSignal?: (signal: SignalName) => void;
}

/** How many PIDs the start of a container uses, because helper processes of the OCI runtime get numbers, too. */
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

  /** Uses the PIDs that the start of a container needs. */
  enter(): void {
    if (this.#lastPid > 0) this.#lastPid += numbersPerContainer - 1;
  }

  /** Adds the process that `make` creates for the next free PID. */
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
