/** Connects to the server of this page with a WebSocket. */
import type { Channel, ChannelListener, OpenChannel } from './channel.ts';

const streamUrl = (base: string): string => {
  const url = new URL('/stream', base);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
};

/**
 * Returns true if the server rejects the page. The browser gives no reason for a failed WebSocket handshake, so an
 * ordinary request is sent to get the status.
 */
async function isTurnedAway(base: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('/', base), { method: 'HEAD', cache: 'no-store', redirect: 'manual' });
    return response.status === 401 || response.status === 403;
  } catch {
    return false;
  }
}

/** Returns channels to `/stream` on the origin of `base`. The page's cookie authenticates them. */
export const webSocketChannel =
  (base: string): OpenChannel =>
  (listener: ChannelListener): Channel => {
    const explain = async (reason: string): Promise<void> => {
      const refused = await isTurnedAway(base);
      if (!silent) listener.closed({ reason, refused });
    };
    const socket = new WebSocket(streamUrl(base));
    let wasOpen = false;
    let silent = false;
    socket.addEventListener('open', () => {
      wasOpen = true;
      listener.opened();
    });
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!silent && typeof data === 'string') listener.message(data);
    });
    socket.addEventListener('close', ({ reason }) => {
      if (silent) return;
      if (wasOpen) {
        listener.closed({ reason, refused: false });
        return;
      }
      void explain(reason);
    });
    return {
      send: (text) => socket.send(text),
      close() {
        silent = true;
        socket.close();
      },
    };
  };
