/** Defines the messages between the server and its dockershim process. They are sent over Node's IPC channel. */
import { networkPlugins } from '@podscope/dockershim';
import { z } from 'zod';

/** The only message that the server sends: the runtime to serve and its socket. */
export const orderSchema = z.object({
  /** The endpoint, for example `unix:///tmp/podscope-x/dockershim.sock`. */
  listen: z.string(),
  stateDirectory: z.string(),
  instance: z.string(),
  sandboxImage: z.string().optional(),
  release: z.enum(['v1.36', 'v1.20']),
  network: z.object({
    networkPlugin: z.enum(networkPlugins).optional(),
    cniConfDir: z.string().optional(),
    cniBinDirs: z.array(z.string()).readonly().optional(),
  }),
});

/** The only message that the process sends: it serves now, or the reason why it can't. */
export const reportSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('serving'),
    cgroupDriver: z.enum(['cgroupfs', 'systemd']),
    deviations: z.array(z.string()),
  }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);

export type DockershimOrder = z.infer<typeof orderSchema>;
export type DockershimReport = z.infer<typeof reportSchema>;
