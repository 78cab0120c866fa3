/**
 * Manages the sessions of all connected clients. A client that can change the run also counts as a client of the
 * debugger while it is connected.
 */
import { Session, type SessionDependencies, type Transport } from './session.ts';

export interface ClientSessionsDependencies extends Omit<SessionDependencies, 'onClosed'> {
  /** Registers a client of the debugger. The returned function unregisters it. */
  readonly attach: () => () => void;
}

/** Opens, counts and ends sessions. */
export class ClientSessions {
  readonly #dependencies: ClientSessionsDependencies;
  readonly #open = new Set<Session>();

  constructor(dependencies: ClientSessionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The number of connected clients. */
  get count(): number {
    return this.#open.size;
  }

  /** Serves a client. The caller calls the session's `closed` when the transport closes. */
  connect(transport: Transport): Session {
    const { attach, ...dependencies } = this.#dependencies;
    const detach = attach();
    const onClosed = (): void => {
      this.#open.delete(session);
      detach();
    };
    const session = new Session({ ...dependencies, onClosed }, transport);
    this.#open.add(session);
    return session;
  }

  /** Sends changed facts about the node to all clients. */
  nodeChanged(): void {
    for (const session of this.#open) session.nodeChanged();
  }

  /**
   * Ends all sessions.
   * @param next the run to which clients should connect next
   */
  end(reason: string, next?: string): void {
    for (const session of this.#open) session.end(1001, reason, next);
  }
}
