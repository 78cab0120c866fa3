/** Inspects and changes the Docker engine through its command line, without involving Podscope. */
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

/** Selects containers of a pod. */
interface ContainerFilter {
  /** dockershim's container type. Default: both. */
  readonly type?: 'podsandbox' | 'container';
  /** Omits containers that don't run. */
  readonly isRunning?: boolean;
}

/**
 * Returns the ids of the containers of a server's pod, newest first, also when the pod is deleted or the server
 * stopped. Other servers on the same engine may run pods of the same name.
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
