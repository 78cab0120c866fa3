/** Lists the environment variables that Podscope reads, in Markdown for docs/reference/options.md. */

/** The effect of each environment variable, by its name. */
export const environmentVariables: Readonly<Record<string, string>> = {
  PODSCOPE_TOKEN: 'the token of the server, like `--token`',
  PODSCOPE_HEALTH_PORT: 'the port for the health check of the [container image](../use/container.md); default: 4400',
  PODSCOPE_ROOT: 'the clone that the [Playwright kit](../use/playwright.md#install) starts',
  DOCKER_HOST: 'the address of the engine; default: `unix:///var/run/docker.sock`',
  DOCKER_TLS_VERIFY: 'any value: connect to a `tcp://` engine with TLS; port 2376 does the same',
  DOCKER_CERT_PATH: 'the directory of `ca.pem`, `cert.pem` and `key.pem` for such an engine',
  SSH_AUTH_SOCK: 'the SSH agent for an `ssh://` engine',
  KUBECONFIG: 'the kubeconfigs of `why` and `kubectl podscope`; default: `~/.kube/config`',
  XDG_STATE_HOME: 'the parent of the state directory `podscope`; default: `~/.local/state`',
  XDG_RUNTIME_DIR: 'the parent of the default socket of `cri` for a user other than root',
  NO_COLOR: 'any value: no colors and no bold text on a terminal',
  CI: 'any value: no progress lines while a command works',
  OTEL_EXPORTER_OTLP_HEADERS: 'headers for the [export of `observe`](../use/observe.md#many-nodes)',
  PATH: 'the directories in which Podscope looks for programs, such as kubectl',
};
