/** Waits for the engine's events about containers, and returns when they happened. */
import { type ClientRequest, request } from 'node:http';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const eventSchema = z.object({
  Action: z.string(),
  Actor: z.object({ ID: z.string(), Attributes: z.record(z.string(), z.string()) }),
  timeNano: z.number(),
});

type EngineEvent = z.infer<typeof eventSchema>;

/** Receives the engine's events from the moment it is opened. */
export class EngineEvents {
  readonly #request: ClientRequest;
  readonly #waiting = new Set<(event: EngineEvent) => void>();

  private constructor(stream: ClientRequest) {
    this.#request = stream;
  }

  /** Resolves when the engine sends events. */
  static open(socketPath: string): Promise<EngineEvents> {
    const filters = encodeURIComponent(JSON.stringify({ type: ['container'], event: ['start', 'die'] }));
    return new Promise((resolve, reject) => {
      const stream = request({ socketPath, path: `/events?filters=${filters}` }, (response) => {
        const lines = createInterface({ input: response });
        lines.on('line', (line) => {
          const event = eventSchema.parse(JSON.parse(line));
          for (const look of events.#waiting) look(event);
        });
        // Closing the connection interrupts the stream, which is then reported as an error.
        for (const source of [response, lines]) source.on('error', () => undefined);
        resolve(events);
      });
      const events = new EngineEvents(stream);
      stream.on('error', reject).end();
    });
  }

  /** Returns the time at which the engine recorded the next wanted event, in milliseconds since 1970. */
  next(action: 'start' | 'die', isWanted: (labels: Readonly<Record<string, string>>) => boolean): Promise<number> {
    return new Promise((resolve) => {
      const look = (event: EngineEvent): void => {
        if (event.Action !== action || !isWanted(event.Actor.Attributes)) return;
        this.#waiting.delete(look);
        resolve(event.timeNano / 1e6);
      };
      this.#waiting.add(look);
    });
  }

  close(): void {
    this.#request.destroy();
  }
}
