/** Serves the built page and simulates a node: welcomes pages and sends the events of a measurement at its pace. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { siteHandler } from '@podscope/playwright/site';
import {
  EventPacker,
  maxEventsPerMessage,
  protocolVersion,
  type ServerMessage,
  type SplitEvent,
  splitEvent,
} from '@podscope/protocol';
import { type TraceEvent, toJson } from '@podscope/trace';
import { type WebSocket, WebSocketServer } from 'ws';

const webRoot = resolve(import.meta.dirname, '../../../../web');

/** Builds the page for production into a directory. */
export async function buildPage(directory: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    root: webRoot,
    configFile: join(webRoot, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: directory, emptyOutDir: true, sourcemap: false, manifest: true },
  });
}

export interface BenchNode {
  readonly url: string;
  /** Adds events to the log and sends them to every page, in as many messages as the protocol requires. */
  send(events: readonly TraceEvent[]): void;
  /** Closes every socket. Pages can reconnect after `open` is called. */
  cut(): void;
  open(): void;
  readonly pages: number;
  /** Number of the newest event; 0 without events. */
  readonly lastSeq: number;
  stop(): Promise<void>;
}

function* splitFrom(events: readonly TraceEvent[], start: number): Generator<SplitEvent> {
  for (let at = start; at < events.length; at++) yield splitEvent(events[at] as TraceEvent, toJson);
}

/** Serves the page in `directory`, with a run that is empty at first. */
export async function serveNode(directory: string): Promise<BenchNode> {
  const log: TraceEvent[] = [];
  const sockets = new Set<WebSocket>();
  let isOpen = true;
  const server = createServer(siteHandler(directory));
  const streams = new WebSocketServer({ noServer: true });
  const send = (socket: WebSocket, message: ServerMessage): void => socket.send(toJson(message));
  const sendEvents = (socket: WebSocket, events: readonly TraceEvent[]): void => {
    for (let at = 0; at < events.length; at += maxEventsPerMessage)
      send(socket, { type: 'events', events: events.slice(at, at + maxEventsPerMessage) });
  };
  /** Sends past events in packed form, as the node does. */
  const sendPacked = (socket: WebSocket, events: readonly TraceEvent[]): void => {
    const packer = new EventPacker();
    for (let at = 0; at < events.length; ) {
      const { text, count } = packer.pack(splitFrom(events, at));
      at += count;
      socket.send(text);
    }
  };
  const welcome = (socket: WebSocket, after: number, isPacked: boolean): void => {
    const node = {
      run: 'bench',
      startedAt: 0,
      version: 'bench',
      nodeName: 'bench',
      runtime: { name: 'docker', version: '20.10', kind: 'docker' as const },
      profile: 'v1.36',
      steps: [],
      readOnly: false,
      notices: [],
    };
    send(socket, {
      type: 'welcome',
      protocol: protocolVersion,
      node,
      firstSeq: 1,
      lastSeq: log.length,
      after,
      // For a recorded log, the node's current time is the time of the last event.
      now: log.at(-1)?.time ?? Date.now(),
      pods: [],
    });
    (isPacked ? sendPacked : sendEvents)(socket, log.slice(after));
    sockets.add(socket);
  };
  server.on('upgrade', (request, stream, head) => {
    if (!isOpen) {
      stream.destroy();
      return;
    }
    streams.handleUpgrade(request, stream, head, (socket) => {
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as {
          readonly type: string;
          readonly id: number;
          readonly after?: number;
          readonly packed?: boolean;
        };
        if (message.type === 'hello') welcome(socket, message.after ?? 0, message.packed === true);
        else
          send(socket, {
            type: 'failure',
            id: message.id,
            reason: 'MethodNotAllowed',
            message: 'this node only sends events',
          });
      });
      socket.on('close', () => sockets.delete(socket));
    });
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    send(events) {
      for (const event of events) log.push(event);
      for (const socket of sockets) sendEvents(socket, events);
    },
    cut() {
      isOpen = false;
      for (const socket of sockets) socket.terminate();
      sockets.clear();
    },
    open() {
      isOpen = true;
    },
    get lastSeq() {
      return log.length;
    },
    get pages() {
      return sockets.size;
    },
    stop: () =>
      new Promise((stopped) => {
        for (const socket of sockets) socket.terminate();
        server.closeAllConnections();
        server.close(() => stopped());
      }),
  };
}
