/** Declares the protocols of remote commands. Upstream: remotecommand constants (apimachinery, v1.36). */

/** SPDY protocols, preferred first. v2 fixes v1, v3 adds resizing, v4 makes the error stream JSON. */
export const spdyProtocols = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'] as const;

/** WebSocket protocols, preferred first. v5 lets the client close a channel. */
export const webSocketProtocols = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v4.base64.channel.k8s.io',
  'channel.k8s.io',
  'base64.channel.k8s.io',
] as const;

/** Returns true if the outcome is sent as a JSON status, not as text. */
export const hasJsonStatus = (protocol: string): boolean => /^v[45]\./.test(protocol);

/** Returns true if the terminal can be resized. */
export const hasResize = (protocol: string): boolean => /^v[345]\./.test(protocol);

/** Returns true if messages are base64 text. */
export const isBase64 = (protocol: string): boolean => protocol.includes('base64');

/** Channels of WebSocket messages. */
export const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** The streams that a client requested. */
export interface RemoteCommandStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}
