/** Explains that a registry doesn't have an image: a tag, digest or repository is wrong, was removed, or has moved. */
import { textOf } from '@podscope/trace/explain';
import { factsOf } from '../pod-case.ts';
import { type Ask, type Explained, nameOf, setImage } from './credentials.ts';
import { movedTo } from './known-images.ts';

/** Returns the command that lists the tags of a repository, with the tool of the cloud whose registry it is in. */
function listTags(place: string): string {
  const slash = place.indexOf('/');
  const [registry, repository] = [place.slice(0, slash), place.slice(slash + 1)];
  const ecr = /^(?<account>\d+)\.dkr\.ecr(?:-fips)?\.(?<region>[\w-]+)\.amazonaws\./.exec(registry)?.groups;
  if (ecr)
    return (
      `aws ecr describe-images --registry-id ${ecr['account']} --region ${ecr['region']} ` +
      `--repository-name ${repository} --query 'imageDetails[].imageTags[]'`
    );
  const azure = /^(?<name>[\w-]+)\.azurecr\.io$/.exec(registry)?.groups?.['name'];
  if (azure !== undefined) return `az acr repository show-tags -n ${azure} --repository ${repository}`;
  return registry.endsWith('.pkg.dev')
    ? `gcloud artifacts docker tags list ${place}`
    : `skopeo list-tags docker://${place}`;
}

/**
 * Returns the tag of another image of the pod that differs only by a leading v, with the container that uses it;
 * undefined without one. Images of one release mostly have the same tag.
 */
function siblingOf({ it, container, name }: Ask): { readonly tag: string; readonly other: string } | undefined {
  const plain = (tag: string): string => tag.replace(/^v(?=\d)/, '');
  for (const { name: other, spec } of it.containers) {
    const { registry, version } = nameOf(spec.image ?? '');
    if (other === container.name || registry !== name.registry || !/\d/.test(version)) continue;
    if (version !== name.version && plain(version) === plain(name.version)) return { tag: version, other };
  }
  return undefined;
}

/** Explains a pull that failed because the registry doesn't have the image. @param said the message of the pull */
export function missingImage(ask: Ask, said: string): Explained {
  const { values, name, container } = ask;
  const isDigest = name.version.startsWith('sha256:');
  const isRepository = /name unknown|NAME_UNKNOWN|repository \S+ not found|repository does not exist/i.test(said);
  const moved = movedTo(name);
  const sibling = siblingOf(ask);
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
      ...(sibling === undefined || moved !== undefined ? [] : [textOf('imgSibling', { ...values, ...sibling })]),
    ],
    facts: factsOf([`${container.specPath}.image`, container.spec.image]),
    next:
      moved === undefined
        ? [
            { why: textOf('imgTags', values), command: listTags(`${values['registry']}/${values['repository']}`) },
            ...(sibling === undefined
              ? setImage(ask, '')
              : ask.it.set(
                  'imgSetSibling',
                  { ...values, ...sibling, container: container.name },
                  (ref) => `image ${ref} ${container.name}=${name.registry}/${name.repository}:${sibling.tag}`,
                )),
          ]
        : [...setImage(ask, target), { why: textOf('imgMovedTags', { ...values, moved }), command: listTags(moved) }],
  };
}
