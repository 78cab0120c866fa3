/**
 * Simulates browser tabs in a separate process: receives events over several connections and reports when all have
 * arrived.
 */
import { StreamClient } from './stream-client.ts';

export interface TabsRequest {
  readonly port: number;
  readonly token: string;
  readonly tabs: number;
  readonly from: { readonly run: string; readonly after: number };
  /** Number of the last event to wait for. */
  readonly until: number;
}

process.on('message', (request: TabsRequest) => {
  void receive(request);
});

/** Sends `ready` when all tabs are connected, and `done` when all have received every event. */
async function receive({ port, token, tabs, from, until }: TabsRequest): Promise<void> {
  let complete = 0;
  const done = Promise.withResolvers<void>();
  const clients = await Promise.all(
    Array.from({ length: tabs }, () =>
      StreamClient.connect(
        { port, token },
        ({ seq }) => {
          if (seq === until && ++complete === tabs) done.resolve();
        },
        from,
      ),
    ),
  );
  process.send?.('ready');
  await done.promise;
  process.send?.('done');
  for (const client of clients) client.close();
  process.disconnect();
}
