/** Runs real kubectl versions against a server, each with its own home directory and namespace. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { startTestServer, type TestServer } from './test-server.ts';

/** The paths of the kubectl programs to test. The test command sets them in an environment variable. */
export const kubectlPaths: readonly string[] = (process.env.PODSCOPE_TEST_KUBECTL ?? 'kubectl').split(':');

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** One version of kubectl. */
export interface Kubectl {
  /** The minor version, such as 20 or 32. */
  readonly minor: number;
  readonly namespace: string;
  run(args: readonly string[], options?: RunOptions): Promise<Output>;
  /** Starts a command that runs until the test stops it. */
  start(args: readonly string[]): ChildProcessWithoutNullStreams;
  /** The path of the program. Together with `environment`, tests use it to start kubectl in other ways. */
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * The error of a kubectl that has sent no request. On a busy machine the server, which runs in the process of the test,
 * may not respond within kubectl's ten seconds for a TLS handshake.
 */
const notConnected = /TLS handshake timeout/;

/** Maximum duration of a command, in milliseconds. It is longer than any `--timeout` of a command. */
const timeout = 300_000;

function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  stdin: string | undefined,
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { env, cwd, timeout, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(error);
        else resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      },
    );
    // A command can end before it has read its input.
    child.stdin?.on('error', () => undefined).end(stdin);
  });
}

async function createKubectl(program: string, index: number, server: TestServer, folder: string): Promise<Kubectl> {
  const home = join(folder, `home-${index}`);
  const namespace = `kubectl-${index}`;
  await mkdir(home, { recursive: true });
  const config = parse(await readFile(server.kubeconfigPath, 'utf8')) as {
    contexts: { context: { namespace: string } }[];
  };
  for (const { context } of config.contexts) context.namespace = namespace;
  const kubeconfig = join(home, 'config');
  await writeFile(kubeconfig, stringify(config), { mode: 0o600 });
  // Each kubectl has its own home directory, because kubectl caches discovery by address.
  const environment = { ...process.env, KUBECONFIG: kubeconfig, HOME: home };
  const execute = async (args: readonly string[], options: RunOptions = {}): Promise<Output> => {
    for (;;) {
      const output = await run(program, args, { ...environment, ...options.environment }, folder, options.stdin);
      if (!notConnected.test(output.stderr)) return output;
    }
  };
  const { stdout } = await execute(['version', '--client', '-o', 'json']);
  const { clientVersion } = JSON.parse(stdout) as { clientVersion: { minor: string } };
  return {
    minor: Number.parseInt(clientVersion.minor, 10),
    namespace,
    program,
    environment,
    run: execute,
    start: (args) => {
      const child = spawn(program, args, { env: environment, cwd: folder });
      child.stdin.on('error', () => undefined);
      return child;
    },
  };
}

/** A server on Docker, and all kubectl versions. */
export interface KubectlBench {
  readonly server: TestServer;
  readonly kubectls: readonly Kubectl[];
  /** The working directory of commands. Manifests have relative names, so that all versions print the same names. */
  readonly folder: string;
  file(name: string, text: string): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts a server with these arguments and creates a namespace for each version of kubectl. */
export async function startKubectlBench(args: readonly string[]): Promise<KubectlBench> {
  const folder = await mkdtemp(join(tmpdir(), 'podscope-kubectl-'));
  const server = await startTestServer(args);
  const kubectls = await Promise.all(
    kubectlPaths.map((program, index) => createKubectl(program, index, server, folder)),
  );
  for (const kubectl of kubectls) await kubectl.run(['create', 'namespace', kubectl.namespace]);
  return {
    server,
    kubectls,
    folder,
    file: async (name, text) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    },
    dispose: async () => {
      await server.dispose();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Returns the manifest of a pod with one container that runs a shell command. */
export const shellPod = (name: string, command: string, more = ''): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels: { app: ${name} }
spec:
  terminationGracePeriodSeconds: 1
${more}  containers:
    - name: app
      image: busybox:1.36
      imagePullPolicy: IfNotPresent
      command: [sh, -c, ${JSON.stringify(command)}]
`;
