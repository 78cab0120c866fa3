/** Explains why a registry refuses a pull without credentials or rights, and how cloud providers grant them. */
import { type ExplainText, type FieldFact, type NextCommand, textOf } from '@podscope/trace/explain';
import { type ContainerCase, eventFact, factsOf, newest, type PodCase } from '../pod-case.ts';
import { onNode } from '../runtime.ts';

/** The parts of an image reference. */
export interface ImageName {
  readonly registry: string;
  readonly repository: string;
  /** The tag or digest. */
  readonly version: string;
}

/** Splits an image as a user writes it. */
export function nameOf(image: string): ImageName {
  const [path = image, digest] = image.split('@');
  const slash = path.indexOf('/');
  const head = slash < 0 ? '' : path.slice(0, slash);
  const hasRegistry = /[.:]|^localhost$/.test(head);
  const rest = hasRegistry ? path.slice(slash + 1) : path;
  const colon = rest.lastIndexOf(':');
  const isTag = colon > rest.lastIndexOf('/');
  return {
    registry: hasRegistry ? head : 'docker.io',
    repository: isTag ? rest.slice(0, colon) : rest,
    version: digest ?? (isTag ? rest.slice(colon + 1) : 'latest'),
  };
}

/** An explanation of a refused pull. */
export interface Explained {
  readonly title: ExplainText;
  readonly cause: readonly ExplainText[];
  readonly facts?: readonly FieldFact[];
  readonly next: readonly NextCommand[];
  readonly origin?: 'registry' | 'network' | 'node' | 'configuration' | 'kubelet';
  readonly certainty?: 'likely' | 'unknown';
  readonly outlook?: readonly ExplainText[];
}

/** The pull that is explained. */
export interface Ask {
  readonly it: PodCase;
  readonly container: ContainerCase;
  readonly image: string;
  readonly name: ImageName;
  readonly values: Readonly<Record<string, string>>;
}

/** Returns the names of the pull secrets of the pod. */
export const secretsOf = ({ pod }: PodCase): readonly string[] =>
  (pod.spec.imagePullSecrets ?? []).map(({ name }) => name ?? '');

/** Returns the command that creates a pull secret. */
export const createSecret = ({ it, values }: Ask, secret: string): NextCommand => ({
  why: textOf('imgCreateSecret', { ...values, secret }),
  command:
    `kubectl create secret docker-registry ${secret} -n ${it.namespace} --docker-server=${values['registry']} ` +
    '--docker-username=USER --docker-password=PASSWORD',
});

/** Returns the commands after which the pod uses a pull secret. */
export const nameSecret = ({ it, values }: Ask, secret: string): readonly NextCommand[] => [
  ...it.change('imgNameSecret', { ...values, secret }),
  {
    why: textOf('imgAccount', { secret, account: it.pod.spec.serviceAccountName ?? 'default' }),
    command: it.kubectl(
      `patch serviceaccount ${it.pod.spec.serviceAccountName ?? 'default'} -p ` +
        `'{"imagePullSecrets":[{"name":"${secret}"}]}'`,
    ),
  },
];

/** Returns the commands that change the image. */
export const setImage = ({ it, container, name, values }: Ask, image: string): readonly NextCommand[] =>
  it.set(
    'imgSet',
    { ...values, container: container.name },
    (ref) => `image ${ref} ${container.name}=${image || `${name.registry}/${name.repository}:TAG`}`,
  );

/** A cloud provider whose nodes may pull from its own registry without a pull secret. */
interface Cloud {
  readonly registry: RegExp;
  /** Matches the provider id of the cloud's own nodes. */
  readonly provider: RegExp;
  readonly values: (ask: Ask) => Readonly<Record<'cloud' | 'right', string>>;
  readonly next: (ask: Ask) => readonly NextCommand[];
  /** The credentials that the registry accepts in a pull secret, and how many hours they are valid. */
  readonly token: (ask: Ask) => { readonly hours: number; readonly user: string; readonly password: string };
}

const regionOf = ({ name: { registry } }: Ask): string =>
  /\.ecr(?:-fips)?\.(?<region>[\w-]+)\./.exec(registry)?.groups?.['region'] ?? 'REGION';

/** Returns the command that creates a pull secret with a new token of the cloud. */
const tokenSecret = (ask: Ask, { token }: Cloud, secret: string): string => {
  const { user, password } = token(ask);
  return (
    `kubectl create secret docker-registry ${secret} -n ${ask.it.namespace} --docker-server=${ask.name.registry} ` +
    `--docker-username=${user} --docker-password="$(${password})"`
  );
};

const grant = (ask: Ask, right: string, command: string): NextCommand => ({
  why: textOf('imgCloudGrant', { ...ask.values, right }),
  command,
});

const clouds: readonly Cloud[] = [
  {
    registry: /\.dkr\.ecr(?:-fips)?\.[\w-]+\.amazonaws\.com/,
    provider: /^aws:/,
    values: () => ({ cloud: 'AWS', right: 'AmazonEC2ContainerRegistryReadOnly' }),
    token: (ask) => ({ hours: 12, user: 'AWS', password: `aws ecr get-login-password --region ${regionOf(ask)}` }),
    next: (ask) => {
      const region = regionOf(ask);
      const account = ask.name.registry.split('.')[0] ?? '';
      return [
        grant(
          ask,
          'AmazonEC2ContainerRegistryReadOnly',
          'aws iam attach-role-policy --role-name NODE-ROLE ' +
            '--policy-arn arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryReadOnly',
        ),
        {
          why: textOf('imgCloudAccount', { ...ask.values, account }),
          command:
            `aws ecr get-repository-policy --registry-id ${account} --region ${region} ` +
            `--repository-name ${ask.name.repository}`,
        },
        {
          why: textOf('imgCloudExists', ask.values),
          command:
            `aws ecr describe-images --registry-id ${account} --region ${region} ` +
            `--repository-name ${ask.name.repository}`,
        },
        {
          why: textOf('imgCloudSecret', { ...ask.values, hours: 12 }),
          command:
            `kubectl create secret docker-registry ecr -n ${ask.it.namespace} --docker-server=${ask.name.registry} ` +
            `--docker-username=AWS --docker-password="$(aws ecr get-login-password --region ${region})"`,
        },
        ...nameSecret(ask, 'ecr'),
      ];
    },
  },
  {
    registry: /(?:^|[.-])(?:gcr\.io|docker\.pkg\.dev)$/,
    provider: /^gce:/,
    values: () => ({ cloud: 'Google Cloud', right: 'roles/artifactregistry.reader' }),
    token: () => ({ hours: 1, user: 'oauth2accesstoken', password: 'gcloud auth print-access-token' }),
    next: (ask) => [
      grant(
        ask,
        'roles/artifactregistry.reader',
        `gcloud projects add-iam-policy-binding ${ask.name.repository.split('/')[0]} ` +
          '--member=serviceAccount:NODE-SERVICE-ACCOUNT --role=roles/artifactregistry.reader',
      ),
      createSecret(ask, 'regcred'),
      ...nameSecret(ask, 'regcred'),
    ],
  },
  {
    registry: /\.azurecr\.io$/,
    provider: /^azure:/,
    values: () => ({ cloud: 'Azure', right: 'AcrPull' }),
    token: ({ name }) => ({
      hours: 3,
      user: '00000000-0000-0000-0000-000000000000',
      password: `az acr login -n ${name.registry.split('.')[0]} --expose-token --query accessToken -o tsv`,
    }),
    next: (ask) => [
      grant(ask, 'AcrPull', `az aks update -n CLUSTER -g GROUP --attach-acr ${ask.name.registry.split('.')[0]}`),
      createSecret(ask, 'regcred'),
      ...nameSecret(ask, 'regcred'),
    ],
  },
];

/**
 * Returns why a registry refused a pull: the pod has no pull secret, its secret is missing, or the secret lacks the
 * right, or its credentials have expired.
 * @param said the message of the failed pull
 */
export function credentials(ask: Ask, said = ''): Explained {
  const { it, values } = ask;
  const secrets = secretsOf(it);
  const missing = newest(it.events, ['FailedToRetrieveImagePullSecret']);
  const gone = /\(([^)]+)\)/.exec(missing?.message ?? '')?.[1]?.split(/,\s*/)[0];
  if (gone !== undefined)
    return {
      title: textOf('imgSecretGoneTitle', { secret: gone }),
      cause: [textOf('imgSecretGone', { ...values, secret: gone })],
      facts: [...factsOf(['spec.imagePullSecrets', secrets.join(', ')]), ...eventFact(missing)],
      next: [
        { why: textOf('objectList', { kind: 'Secret', namespace: it.namespace }), command: it.kubectl('get secrets') },
        createSecret(ask, gone),
      ],
      origin: 'configuration',
    };
  const cloud = clouds.find(({ registry }) => registry.test(ask.name.registry));
  const isElsewhere =
    cloud !== undefined && it.cluster.node?.exists === true && !cloud.provider.test(it.cluster.node.providerId ?? '');
  if (secrets.length === 0 && cloud && isElsewhere) {
    const all = { ...values, ...cloud.values(ask), hours: cloud.token(ask).hours };
    return {
      title: textOf('imgLoginTitle', values),
      cause: [textOf('imgNoSecret', values), textOf('imgTokenOutside', all)],
      facts: factsOf(
        ['spec.imagePullSecrets', '[]'],
        [`spec.providerID of node ${it.node}`, it.cluster.node?.providerId || '(none)'],
      ),
      next: [
        { why: textOf('imgCloudSecret', all), command: tokenSecret(ask, cloud, 'regcred') },
        ...nameSecret(ask, 'regcred'),
        {
          why: textOf('imgTokenAlways', { ...all, node: it.node, secret: 'regcred' }),
          command: onNode(it, "sh -c 'ps ax | grep -o image-credential-provider-[^ ]*'"),
        },
      ],
      origin: 'configuration',
    };
  }
  if (secrets.length === 0 && cloud)
    return {
      title: textOf('imgLoginTitle', values),
      cause: [textOf('imgCloud', { ...values, ...cloud.values(ask) })],
      facts: [{ path: 'spec.imagePullSecrets', value: '[]' }],
      next: cloud.next(ask),
      origin: 'configuration',
    };
  if (secrets.length === 0)
    return {
      title: textOf('imgLoginTitle', values),
      cause: [textOf('imgNoSecret', values)],
      facts: [{ path: 'spec.imagePullSecrets', value: '[]' }],
      next: [createSecret(ask, 'regcred'), ...nameSecret(ask, 'regcred')],
      origin: 'configuration',
    };
  const secret = secrets[0] ?? '';
  const jsonPath = String.raw`-o jsonpath='{.data.\.dockerconfigjson}'`;
  const showSecret: NextCommand = {
    why: textOf('imgSecretServers', { ...values, secret }),
    command: `kubectl get secret ${secret} -n ${it.namespace} ${jsonPath} | base64 -d`,
  };
  if (cloud) {
    const all = { ...values, ...cloud.values(ask), secret: secrets.join(', '), hours: cloud.token(ask).hours };
    const isExpired = /expired|token has (?:been )?revoked/i.test(said);
    const isNone = /no basic auth credentials/i.test(said);
    return {
      title: textOf('imgTokenTitle', all),
      cause: [
        textOf(isExpired ? 'imgTokenExpired' : isNone ? 'imgTokenNone' : 'imgToken', all),
        ...(isExpired ? [] : [textOf('imgTokenElse', all)]),
      ],
      facts: factsOf(['spec.imagePullSecrets', secrets.join(', ')]),
      next: [
        ...(isNone ? [showSecret] : []),
        {
          why: textOf('imgTokenRenew', { ...all, secret }),
          command: `${tokenSecret(ask, cloud, secret)} --dry-run=client -o yaml | kubectl apply -f -`,
        },
        ...(isNone ? [] : [showSecret]),
        {
          why: textOf('imgTokenAlways', { ...all, node: it.node }),
          command: onNode(it, "sh -c 'ps ax | grep -o image-credential-provider-[^ ]*'"),
        },
      ],
      origin: 'configuration',
      ...(isExpired ? {} : { certainty: 'likely' as const }),
    };
  }
  return {
    title: textOf('imgLoginTitle', values),
    cause: [textOf('imgBadSecret', { ...values, secret: secrets.join(', ') })],
    facts: factsOf(['spec.imagePullSecrets', secrets.join(', ')]),
    next: [
      showSecret,
      {
        why: textOf('imgRenewSecret', { ...values, secret }),
        command: `${createSecret(ask, secret).command} --dry-run=client -o yaml | kubectl apply -f -`,
      },
    ],
    origin: 'configuration',
  };
}
