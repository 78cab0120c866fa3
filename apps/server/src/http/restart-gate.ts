/**
 * Delays requests while a simulation is being rerun. Also ends the open responses of the previous run, because watches
 * of that run would never end.
 */
import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { UpgradeListener } from './dual-server.ts';
import { requestUrl } from './request-url.ts';

export class RestartGate {
  readonly #ready: () => Promise<void>;
  readonly #responses = new Set<ServerResponse>();
  readonly #sockets = new Set<Duplex>();

  /** @param ready resolves when requests may continue after a rerun */
  constructor(ready: () => Promise<void>) {
    this.#ready = ready;
  }

  /**
   * Returns a listener that delays requests until the gate is open.
   * @param listener returns the current request listener. It is called after the delay, because a rerun replaces the
   * listener
   */
  requests(listener: () => RequestListener): RequestListener {
    const admit = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
      await this.#ready();
      if (response.destroyed) return;
      this.#responses.add(response);
      response.on('close', () => this.#responses.delete(response));
      listener()(request, response);
    };
    return (request, response) => void admit(request, response);
  }

  /**
   * Returns a listener that delays upgrades until the gate is open. {@link clear} doesn't close WebSocket connections,
   * because their sessions close them with a reason.
   */
  upgrades(listener: () => UpgradeListener): UpgradeListener {
    const admit = async (...[request, socket, head]: Parameters<UpgradeListener>): Promise<void> => {
      const onError = (): void => void socket.destroy();
      socket.on('error', onError);
      await this.#ready();
      socket.off('error', onError);
      if (socket.destroyed) return;
      if (requestUrl(request).pathname !== '/stream') {
        this.#sockets.add(socket);
        socket.on('close', () => this.#sockets.delete(socket));
      }
      listener()(request, socket, head);
    };
    return (request, socket, head) => void admit(request, socket, head);
  }

  /** Ends all open responses. Clients retry and are served by the new run. */
  clear(): void {
    for (const response of this.#responses) {
      if (!response.headersSent)
        response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '1' });
      response.end();
    }
    for (const socket of this.#sockets) socket.destroy();
  }
}
