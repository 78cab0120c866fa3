/** Generates the systemd units of the relay. systemd keeps the listening socket open while the relay restarts. */
import { relayArguments, relayEnvironment, relayNodeOption } from '@podscope/relay';
import type { FileChange } from './kubelet-files.ts';

export const socketUnit = 'podscope-relay.socket';
export const serviceUnit = 'podscope-relay.service';
export const exportUnit = 'podscope-export.service';
/** The file with environment variables of the export, such as OTEL_EXPORTER_OTLP_HEADERS. */
const exportEnvironment = '/etc/podscope/export.env';

export interface UnitOptions {
  /** Paths of the Node.js executable and of the relay program that it runs. */
  readonly node: string;
  readonly program: string;
  /** Paths of the sockets of the relay, the container runtime, its image service, and for debuggers. */
  readonly listen: string;
  readonly runtime: string;
  readonly imageRuntime: string | undefined;
  readonly control: string;
  readonly version: string;
  /** The unit of the kubelet. */
  readonly kubeletUnit: string;
  /** Owner and permissions of the runtime's socket. */
  readonly access: { readonly uid: number; readonly gid: number; readonly mode: number };
  /** The command line of the program that exports spans; undefined to export nothing. */
  readonly exporter?: readonly string[] | undefined;
}

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text.replaceAll('%', '%%') : JSON.stringify(text).replaceAll('%', '%%');

/**
 * Returns the units, and a drop-in for the kubelet's unit that starts the socket before the kubelet. The export is a
 * unit of its own: its end never affects the relay.
 */
export function unitFiles(options: UnitOptions): readonly FileChange[] {
  const { node, program, access, listen, kubeletUnit, exporter } = options;
  const command = [node, relayNodeOption, program, ...relayArguments(options)].map(quoted).join(' ');
  const environment = Object.entries(relayEnvironment)
    .map(([name, value]) => `Environment=${name}=${value}\n`)
    .join('');
  const mode = access.mode.toString(8).padStart(4, '0');
  const file = (path: string, after: string): FileChange => ({ path, before: undefined, after, mode: 0o644 });
  return [
    file(
      `/etc/systemd/system/${socketUnit}`,
      `[Unit]
Description=Podscope: socket of the CRI relay

[Socket]
ListenStream=${listen}
SocketMode=${mode}
SocketUser=${access.uid}
SocketGroup=${access.gid}
TriggerLimitIntervalSec=0

[Install]
WantedBy=sockets.target
`,
    ),
    file(
      `/etc/systemd/system/${serviceUnit}`,
      `[Unit]
Description=Podscope: CRI relay between kubelet and container runtime
Requires=${socketUnit}
After=${socketUnit}
StartLimitIntervalSec=0

[Service]
${environment}ExecStart=${command}
Restart=always
RestartSec=100ms
OOMScoreAdjust=-999
`,
    ),
    file(
      `/etc/systemd/system/${kubeletUnit}.d/20-podscope.conf`,
      `[Unit]
Wants=${socketUnit}
After=${socketUnit}
`,
    ),
    ...(exporter
      ? [
          file(
            `/etc/systemd/system/${exportUnit}`,
            `[Unit]
Description=Podscope: exports the CRI calls of this node's pods as OTLP spans
Wants=${socketUnit} network-online.target
After=${socketUnit} network-online.target
StartLimitIntervalSec=0

[Service]
EnvironmentFile=-${exportEnvironment}
ExecStart=${[node, ...exporter].map(quoted).join(' ')}
Restart=always
RestartSec=5s

[Install]
WantedBy=multi-user.target
`,
          ),
        ]
      : []),
  ];
}
