/** Loads or pulls the images of the recordings into this engine. */

import { UsageError } from '@podscope/command-line';
import type { DockerEngine } from '@podscope/dockershim/testing/docker-engine';
import type { Recording } from './recording.ts';

const busybox = 'busybox:1.36';
const present = /^Container image "(.+)" already present on machine(?: and can be accessed by the pod)?$/;

const has = (engine: DockerEngine, image: string): Promise<boolean> =>
  engine.call('GET', `/images/${encodeURIComponent(image)}/json`).then(
    () => true,
    () => false,
  );

/**
 * Tags busybox with the other names that the image had on the recordings' machine. If another image is missing, the
 * runs that need it will differ from their recordings.
 * @param onMissing called for each missing image
 * @returns a function that removes the tags again
 * @throws UsageError with a remedy if busybox itself is missing
 */
export async function provideImages(
  engine: DockerEngine,
  recordings: readonly Recording[],
  onMissing: (image: string) => void = () => undefined,
): Promise<() => Promise<void>> {
  const named = recordings.flatMap(({ events }) => events.map(({ message }) => present.exec(message)?.[1]));
  const wanted = [...new Set(named.filter((image): image is string => image !== undefined))];
  const tagged: string[] = [];
  if (!(await has(engine, busybox)))
    throw new UsageError(`the engine has no image ${busybox}: run \`npx -y pnpm@12 local-images\` first`);
  for (const image of wanted) {
    if (await has(engine, image)) continue;
    const [repo = '', tag = 'latest'] = image.split(':');
    if (repo !== 'busybox') {
      onMissing(image);
      continue;
    }
    await engine.call(
      'POST',
      `/images/${encodeURIComponent(busybox)}/tag?repo=${encodeURIComponent(repo)}&tag=${encodeURIComponent(tag)}`,
    );
    tagged.push(image);
  }
  return async () => {
    for (const image of tagged)
      await engine.call('DELETE', `/images/${encodeURIComponent(image)}?noprune=1`).catch(() => undefined);
  };
}
