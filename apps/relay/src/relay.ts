/** Runs a relay: forwards the connections of clients to the runtime, and serves the debugger. */
import type { Socket } from 'node:net';
import { ControlServer, type RelayFacts } from './control/control-server.ts';
import { ClientConnection } from './forward/client-connection.ts';
import { CallRegistry } from './forward/observer.ts';

export class Relay {
  readonly #facts: RelayFacts;
  readonly #calls = new CallRegistry();
  readonly #control: ControlServer;
  readonly #connections = new Set<ClientConnection>();
  #lastConnection = 0;

  constructor(facts: RelayFacts) {
    this.#facts = facts;
    this.#control = new ControlServer(facts, this.#calls);
  }

  /** Serves a client, such as a kubelet or crictl. */
  acceptClient(socket: Socket): void {
    const connection: ClientConnection = new ClientConnection({
      number: ++this.#lastConnection,
      socket,
      runtimes: this.#facts,
      observer: this.#control,
      calls: this.#calls,
      closed: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
  }

  /** The number of open client connections. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Serves a debugger. */
  acceptDebugger(socket: Socket): void {
    this.#control.accept(socket);
  }

  /** Ends all connections of clients. */
  close(): void {
    for (const connection of Array.from(this.#connections)) connection.end();
  }
}
