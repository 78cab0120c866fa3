/** Finds containers of recorded pods that an interrupted run of `twin` left on the engine. */
import { UsageError } from '@podscope/command-line';
import type { DockerEngine } from '@podscope/dockershim/testing/docker-engine';
import { containerInfoFromLabels } from '@podscope/kuberuntime';
import { z } from 'zod';
import type { Recording } from './recording.ts';

const listSchema = z.array(
  z.looseObject({
    Id: z.string(),
    Names: z.array(z.string()).nullish(),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
);

/**
 * Rejects if the engine has containers of these pods. Their names are the same in every run, so each sandbox would
 * fail to be created.
 * @throws UsageError that names the containers and the command that removes them
 */
export async function rejectLeftovers(
  engine: Pick<DockerEngine, 'call'>,
  recordings: readonly Recording[],
): Promise<void> {
  const pods = new Set(recordings.map(({ pod }) => pod.key));
  const containers = listSchema.parse(await engine.call('GET', '/containers/json?all=1'));
  const found = containers.filter(({ Labels: labels }) => {
    const { podNamespace, podName } = containerInfoFromLabels(labels ?? {});
    return pods.has(`${podNamespace}/${podName}`);
  });
  if (found.length === 0) return;
  const names = found.map(({ Id: id, Names: names }) => names?.[0]?.slice(1) ?? id);
  throw new UsageError(
    'the engine has containers of these pods. A run of twin was killed, or one is still running: ' +
      `${names.join(', ')}. If none is running, remove them with: docker rm --force ` +
      found.map(({ Id: id }) => id.slice(0, 12)).join(' '),
  );
}
