/** Derives from a snapshot which images are on the node, and how the registries answer from which pulls fail. */
import { readImageReference } from '@podscope/base';
import type { Pod } from '@podscope/k8s';
import { type RegistryOptions, unknownImage } from '@podscope/simulated-runtime';
import { partsOf, type Repository, ranAnotherTag } from './image-references.ts';
import { knownContainers } from './past-instances.ts';
import type { PodSnapshot } from './pod-snapshot.ts';

const never = /^$/;

/** A registry that has every image and requires no credentials. */
const open: Omit<RegistryOptions, 'host'> = {
  otherRepositories: unknownImage,
  missingTags: never,
  missingRepositories: never,
};

const exactly = (text: string): RegExp =>
  new RegExp(`^(?:library/)?${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);

/** Registry behavior by error message; the first match applies. */
const behaviors: readonly (readonly [RegExp, (image: Repository) => Omit<RegistryOptions, 'host'>])[] = [
  [/toomanyrequests|rate limit/i, () => ({ ...open, rateLimit: { pulls: 0, period: 21_600_000 } })],
  [
    /no basic auth|unauthorized|authentication required|401/i,
    () => ({ ...open, credentials: [{ username: '', password: '' }] }),
  ],
  [/no such host/i, () => ({ ...open, failure: 'no such host' })],
  [/connection refused/i, () => ({ ...open, failure: 'connection refused' })],
  [/timeout|deadline exceeded|canceled while waiting/i, () => ({ ...open, failure: 'timeout' })],
  [/\b50[0-4]\b|unavailable/i, () => ({ ...open, failure: 'unavailable' })],
  [/denied|does not exist|insufficient_scope|403/i, ({ path }) => ({ ...open, missingRepositories: exactly(path) })],
];

/** Returns the registry behavior for any other message: the tag is missing. */
const missingTag = ({ tag }: Repository): Omit<RegistryOptions, 'host'> => ({ ...open, missingTags: exactly(tag) });

/** Returns the messages of a container's failed pull; undefined if the container doesn't wait for its image. */
function pullFailure({ pod, events }: PodSnapshot, name: string): string | undefined {
  const waiting = knownContainers(pod).find(({ container }) => container.name === name)?.status.state?.waiting;
  if (!['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable'].includes(waiting?.reason ?? '')) return undefined;
  const failed = events.findLast(
    ({ reason, message, container }) =>
      reason === 'Failed' && container === name && message.startsWith('Failed to pull image'),
  );
  return `${waiting?.message ?? ''} ${failed?.message ?? ''}`;
}

const containersOf = ({ spec }: Pod) => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
  ...(spec.ephemeralContainers ?? []),
];

/** Returns whether a waiting reason implies that the image was present. */
const impliesImage = (reason = ''): boolean =>
  ['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError', 'CrashLoopBackOff'].includes(reason);

/** Returns whether a `Pulled` event names the image. */
const wasPulled = ({ events }: PodSnapshot, image: string): boolean =>
  events.some(({ reason, message }) => reason === 'Pulled' && message.includes(`"${image}"`));

export interface SnapshotImages {
  /** The references of the images that are on the node. */
  readonly present: readonly string[];
  readonly registries: readonly RegistryOptions[];
}

/** Reads images and registries from the pod's statuses and events. */
export function readImages(snapshot: PodSnapshot): SnapshotImages {
  const registries = new Map<string, Omit<RegistryOptions, 'host'>>();
  for (const { name, image = '' } of containersOf(snapshot.pod)) {
    const failure = pullFailure(snapshot, name);
    if (failure === undefined) continue;
    const parts = partsOf(image);
    const behavior = behaviors.find(([pattern]) => pattern.test(failure))?.[1] ?? missingTag;
    registries.set(parts.host, behavior(parts));
  }
  const present = knownContainers(snapshot.pod)
    .filter(
      ({ container, status }) =>
        (status.imageID !== '' &&
          pullFailure(snapshot, container.name) === undefined &&
          !ranAnotherTag(snapshot.pod, container, status)) ||
        impliesImage(status.state?.waiting?.reason) ||
        ((status.state?.waiting?.reason === 'ContainerCreating' ||
          status.state?.waiting?.reason === 'PodInitializing') &&
          wasPulled(snapshot, container.image ?? '')),
    )
    .map(({ container }) => container.image ?? '')
    // The image in the spec may have been changed to an invalid reference.
    .filter((image) => readImageReference(image) !== undefined);
  return {
    present,
    registries: [...[...registries].map(([host, behavior]) => ({ host, ...behavior })), { host: '*', ...open }],
  };
}
