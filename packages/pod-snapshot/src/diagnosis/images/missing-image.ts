/** Explains that a registry doesn't have an image: a tag, digest or repository is wrong, was removed, or has moved. */
import { textOf } from '@podscope/trace/explain';
import { factsOf } from '../pod-case.ts';
import { type Ask, type Explained, setImage } from './credentials.ts';
import { movedTo } from './known-images.ts';

/** Explains a pull that failed because the registry doesn't have the image. @param said the message of the pull */
export function missingImage(ask: Ask, said: string): Explained {
  const { values, name, container } = ask;
  const isDigest = name.version.startsWith('sha256:');
  const isRepository = /name unknown|NAME_UNKNOWN|repository \S+ not found|repository does not exist/i.test(said);
  const moved = movedTo(name);
  const target = `${moved}${isDigest ? '@' : ':'}${name.version}`;
  return {
    title: textOf(isRepository ? 'imgRepositoryTitle' : isDigest ? 'imgDigestTitle' : 'imgTagTitle', values),
    cause: [
      textOf(
        moved === undefined
          ? isRepository
            ? 'imgRepository'
            : isDigest
              ? 'imgDigest'
              : 'imgTag'
          : /bitnamilegacy/.test(moved)
            ? 'imgBitnami'
            : 'imgMoved',
        { ...values, moved: moved ?? '' },
      ),
    ],
    facts: factsOf([`${container.specPath}.image`, container.spec.image]),
    next:
      moved === undefined
        ? [
            {
              why: textOf('imgTags', values),
              command: `skopeo list-tags docker://${values['registry']}/${values['repository']}`,
            },
            ...setImage(ask, ''),
          ]
        : [
            ...setImage(ask, target),
            { why: textOf('imgMovedTags', { ...values, moved }), command: `skopeo list-tags docker://${moved}` },
          ],
  };
}
