/** The dialects in which a command's streams are carried. Upstream: remotecommand constants (apimachinery, v1.36). */

/** Over SPDY, best first. v2 mends v1, v3 adds resizing, v4 makes the error stream JSON. */
export const spdyProtocols = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'] as const;

/** Over WebSocket, best first. v5 lets the client close a channel. */
export const webSocketProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'v4.base64.channel.k8s.io', 'channel.k8s.io', 'base64.channel.k8s.io'] as const;

/** True when the outcome goes as a JSON status object, not as text. */
export const hasJsonStatus = (protocol: string): boolean => /^v[45]\./.test(protocol);

/** True when the terminal can be resized. */
export const hasResize = (protocol: string): boolean => /^v[345]\./.test(protocol);

/** True when messages are base64 text. */
export const isBase64 = (protocol: string): boolean => protocol.includes('base64');

/** Channels of WebSocket messages. */
export const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** Which streams a client asked for. */
export interface RemoteCommandStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}
