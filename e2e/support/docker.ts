/** Inspects and changes the Docker engine through its command line, as an outsider would. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

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

/** Returns the ids of the containers with that Kubernetes pod name, newest first. @param type dockershim's container type */
export async function podContainers(podName: string, type?: 'podsandbox' | 'container'): Promise<readonly string[]> {
  const filters = [
    `label=io.kubernetes.pod.name=${podName}`,
    ...(type ? [`label=io.kubernetes.docker.type=${type}`] : []),
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
