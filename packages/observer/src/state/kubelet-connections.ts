/**
 * Finds out at which times the kubelet started, from the connections of the calls. A kubelet uses one connection for
 * the runtime service as long as it runs, and its first call there is Version. Other clients use the same relay.
 */
import type { ObservedCall } from '../inputs.ts';

interface Connection {
  /** The places of its first and its last call in the order of all calls. */
  readonly first: number;
  last: number;
  /** The time of its first call. */
  readonly at: number;
  /** True if its first call is Version, as a kubelet's is. So is crictl's. */
  readonly beginsWithVersion: boolean;
  /** True if its first calls may have been missed, because it was first seen after an interruption. */
  readonly mayHaveBegunBefore: boolean;
  /** True if it had one of the {@link kubeletCalls}. */
  isKubelets: boolean;
}

/**
 * The calls that show the kubelet. It calls Status every five seconds, and the others for its pods and its node. Of
 * crictl, only commands that end at once make them, such as `crictl info`; `crictl stats --watch` doesn't.
 */
const kubeletCalls: ReadonlySet<string> = new Set([
  'Status',
  'UpdateRuntimeConfig',
  'RunPodSandbox',
  'CreateContainer',
]);

/** Number of connections that are remembered. Each crictl command has its own. */
const keptConnections = 64;

const overlap = (a: Connection, b: Connection): boolean => a.first < b.last && b.first < a.last;

export class KubeletConnections {
  /** The connections of the runtime service by number, in the order of their first calls. */
  readonly #connections = new Map<number, Connection>();
  /** The starts of which the connections are forgotten. */
  readonly #past: number[] = [];
  #calls = 0;
  #relay: string | undefined;
  #isAfterGap = false;

  /** The number of connections that are remembered. */
  get size(): number {
    return this.#connections.size;
  }

  /** The times at which the kubelet started, in order. */
  get starts(): readonly number[] {
    const started = this.#kubelets()
      .slice(1)
      .filter((each) => each.beginsWithVersion || (each.mayHaveBegunBefore && each.isKubelets));
    return [...this.#past, ...started.map(({ at }) => at)];
  }

  /** Applies the start of a call. */
  called({ connection, service, method, t }: ObservedCall): void {
    if (connection === undefined || !service.endsWith('.RuntimeService')) return;
    const order = ++this.#calls;
    const known = this.#connections.get(connection) ?? {
      first: order,
      last: order,
      at: t,
      beginsWithVersion: method === 'Version',
      mayHaveBegunBefore: this.#isAfterGap,
      isKubelets: false,
    };
    known.last = order;
    if (kubeletCalls.has(method)) known.isKubelets = true;
    if (known.isKubelets) this.#isAfterGap = false;
    this.#connections.set(connection, known);
    if (this.#connections.size > keptConnections) this.#forgetOne();
  }

  /**
   * Continues after an interruption. Each relay process counts the connections from 1, so the known ones are forgotten
   * unless the process is the same.
   * @param relay identifies the process
   */
  resumed(relay: string): void {
    if (relay === this.#relay) this.#isAfterGap = true;
    else {
      this.#past.push(...this.starts.slice(this.#past.length));
      this.#connections.clear();
    }
    this.#relay = relay;
  }

  /**
   * Returns the connections of the kubelet's processes, in order. Their times don't overlap. Where those of two
   * connections do, a kubelet's call decides, and otherwise the earlier connection is the kubelet's: if the kubelet had
   * restarted, that one would be closed.
   */
  #kubelets(): readonly Connection[] {
    const all = [...this.#connections.values()];
    const found: Connection[] = [];
    for (const each of [...all.filter(({ isKubelets }) => isKubelets), ...all.filter(({ isKubelets }) => !isKubelets)])
      if (!found.some((other) => overlap(each, other))) found.push(each);
    return found.toSorted((a, b) => a.first - b.first);
  }

  /** Forgets the oldest connection of another client; without one, that of the kubelet. */
  #forgetOne(): void {
    const kubelets = new Set(this.#kubelets());
    const numbers = [...this.#connections.keys()];
    const isOther = (number: number): boolean => {
      const connection = this.#connections.get(number);
      return connection !== undefined && !kubelets.has(connection);
    };
    const oldest = numbers.find(isOther) ?? numbers[0];
    if (oldest !== undefined) this.#connections.delete(oldest);
  }
}
