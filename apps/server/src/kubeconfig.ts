/** Renders the kubeconfig with which kubectl reaches this server. */
import { stringify } from 'yaml';

export interface KubeconfigOptions {
  /** The address of the server, for example `https://127.0.0.1:4400`. */
  readonly server: string;
  /** PEM of the certificate authority. */
  readonly ca: string;
  readonly token: string;
  /** The name to verify in the certificate, if it differs from the host in the address. */
  readonly tlsServerName?: string | undefined;
}

const name = 'podscope';

/** Returns the content of the file. Upstream: clientcmd/api/v1 Config. */
export function kubeconfig({ server, ca, token, tlsServerName }: KubeconfigOptions): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server,
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
          ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
        },
      },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
    preferences: {},
  });
}
