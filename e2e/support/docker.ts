/** Inspects and changes the Docker engine through the `docker` command, without using Podscope. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Podscope } from './podscope.ts';

const exec = promisify(execFile);

/** Runs `docker …` and returns its output without surrounding space. */
export async function docker(...args: readonly string[]): Promise<string> {
  const { stdout } = await exec('docker', args as string[], { maxBuffer: 16 << 20 });
  return stdout.trim();
}

/** Creates an image that differs from another only in its id, and returns its name. */
export async function derivedImage(image: string): Promise<string> {
  const name = `podscope-test/derived:${randomUUID()}`;
  const container = await docker('create', image, 'true');
  await docker('commit', '--change', `LABEL name=${name}`, container, name);
  await docker('rm', container);
  return name;
}

/** Selects some containers of a pod. */
interface ContainerFilter {
  /** dockershim's container type. Default: both. */
  readonly type?: 'podsandbox' | 'container';
  /** True to omit containers that don't run. */
  readonly isRunning?: boolean;
}

/**
 * Returns the ids of the containers of a server's pod, newest first. Works also after the pod is deleted or the server
 * is stopped. Ignores pods with the same name that other servers run on the same engine.
 */
export async function podContainers(
  { instance }: Pick<Podscope, 'instance'>,
  podName: string,
  { type, isRunning = false }: ContainerFilter = {},
): Promise<readonly string[]> {
  const filters = [
    `label=io.podscope.instance=${instance}`,
    `label=io.kubernetes.pod.name=${podName}`,
    ...(type ? [`label=io.kubernetes.docker.type=${type}`] : []),
    ...(isRunning ? ['status=running'] : []),
  ];
  const out = await docker(
    'ps',
    '-a',
    '--no-trunc',
    '--format',
    '{{.ID}}',
    ...filters.flatMap((filter) => ['--filter', filter]),
  );
  return out === '' ? [] : out.split('\n');
}
