/** Diagnoses ConfigMaps, Secrets and secret stores to which a pod refers and that don't exist or lack a key. */
import { isRecord } from '@podscope/base';
import { textOf } from '@podscope/trace/explain';
import { accountLook, accountOf, secretGrant, storeOf } from '../cloud-rights.ts';
import { factsOf, type PodCase } from '../pod-case.ts';
import { type Explained, volumeOf } from './volume-case.ts';

/** Diagnoses a ConfigMap or Secret that doesn't exist or lacks a key to which the pod refers. */
export function missingObject(it: PodCase, message: string): Explained | undefined {
  const gone =
    /(?<kind>configmap|secret|object) "?(?:[^"/\s]+\/)?(?<name>[^"\s/]+)"? (?:not found|not registered)/i.exec(
      message,
    )?.groups;
  const key = /references non-existent (?<kind>config|secret) key: (?<key>\S+)/i.exec(message)?.groups;
  const { volume, path, name: volumeName } = volumeOf(it, message);
  if (key) {
    const kind = key['kind'] === 'secret' ? 'Secret' : 'ConfigMap';
    const projected = volume?.projected?.sources ?? [];
    const name =
      volume?.secret?.secretName ??
      volume?.configMap?.name ??
      projected
        .map(({ secret, configMap }) => (kind === 'Secret' ? secret?.name : configMap?.name))
        .find((each) => each !== undefined) ??
      '';
    return objectKey(it, kind, name, key['key'] ?? '', path, { volume: volumeName });
  }
  if (!gone) return undefined;
  const kind =
    /configmap/i.test(gone['kind'] ?? '') || (volume?.configMap !== undefined && gone['kind'] === 'object')
      ? 'ConfigMap'
      : 'Secret';
  return objectGone(it, kind, gone['name'] ?? '', path);
}

/** Returns the keys of a ConfigMap or Secret to which the pod refers, in the order of the spec. */
function keysOf({ pod, containers }: PodCase, kind: 'ConfigMap' | 'Secret', object: string): readonly string[] {
  const isSecret = kind === 'Secret';
  const ofVariables = containers.flatMap(({ spec }) =>
    (spec.env ?? []).flatMap(({ valueFrom }) => {
      const ref = isSecret ? valueFrom?.secretKeyRef : valueFrom?.configMapKeyRef;
      return ref?.name === object && ref.key !== undefined ? [ref.key] : [];
    }),
  );
  const ofFiles = (pod.spec.volumes ?? []).flatMap(({ secret, configMap, projected }) => {
    const sources = [
      { name: isSecret ? secret?.secretName : configMap?.name, items: (isSecret ? secret : configMap)?.items },
      ...(projected?.sources ?? []).map((source) => (isSecret ? source.secret : source.configMap) ?? {}),
    ];
    return sources.flatMap(({ name, items }) => (name === object ? (items ?? []).map(({ key }) => key) : []));
  });
  return [...new Set([...ofVariables, ...ofFiles])];
}

/** Returns true if a container gets all keys of a ConfigMap or Secret as variables. */
const areVariables = ({ containers }: PodCase, kind: 'ConfigMap' | 'Secret', object: string): boolean =>
  containers.some(({ spec }) =>
    (spec.envFrom ?? []).some(
      ({ configMapRef, secretRef }) => (kind === 'Secret' ? secretRef : configMapRef)?.name === object,
    ),
  );

/** Returns true for a Secret with a certificate and its key, according to its keys or its name. */
function isCertificate(it: PodCase, kind: 'ConfigMap' | 'Secret', name: string): boolean {
  const keys = keysOf(it, kind, name);
  if (kind !== 'Secret') return false;
  const isMountedAsOne = (it.pod.spec.volumes ?? []).some(
    (volume) => volume.secret?.secretName === name && /(?:^|[-.])(?:tls|certs?|certificates?)$/.test(volume.name),
  );
  return keys.length === 0
    ? isMountedAsOne || /(?:^|[-.])(?:tls|certs?)$/.test(name)
    : keys.every((key) => /^(?:tls\.(?:crt|key)|ca\.crt)$/.test(key));
}

/** Returns the words of `kubectl` that create an object with the keys to which the pod refers. */
function creation(it: PodCase, kind: 'ConfigMap' | 'Secret', name: string): string {
  const keys = keysOf(it, kind, name);
  if (isCertificate(it, kind, name)) return `create secret tls ${name} --cert=tls.crt --key=tls.key`;
  const isFile = (key: string): boolean => /\.\w+$/.test(key);
  const given = keys.map((key) => (isFile(key) ? `--from-file=${key}` : `--from-literal=${key}=VALUE`));
  // A file of variables becomes a key for each of its lines; otherwise a file becomes one key.
  const unknown = areVariables(it, kind, name)
    ? '--from-env-file=FILE'
    : kind === 'Secret'
      ? '--from-literal=KEY=VALUE'
      : '--from-file=FILE';
  return `create ${kind === 'Secret' ? 'secret generic' : 'configmap'} ${name} ${given.join(' ') || unknown}`;
}

/** Diagnoses a missing object, for volumes and variables. */
export function objectGone(it: PodCase, kind: 'ConfigMap' | 'Secret', name: string, path: string): Explained {
  const { namespace } = it;
  const values = { kind, name, namespace };
  const keys = keysOf(it, kind, name).join(', ');
  const isOwn = name === 'kube-root-ca.crt';
  // Only an operator or a webhook makes an object for one pod.
  if (name.includes(it.name) && it.owner.kind !== 'Pod')
    return {
      origin: 'controller',
      title: textOf('objectGoneTitle', values),
      cause: [textOf('objectGone', values), textOf('objectOfPod', values)],
      facts: factsOf([path, name]),
      next: [
        {
          why: textOf('objectMaker', values),
          command: "kubectl get mutatingwebhookconfigurations; kubectl get pods -A | grep -iE 'operator|injector'",
        },
        ...(it.owner.replaces
          ? [{ why: textOf('objectAgain', values), command: it.kubectl(`delete pod ${it.name}`) }]
          : []),
      ],
    };
  return {
    origin: 'configuration',
    title: textOf('objectGoneTitle', values),
    cause: [
      textOf(isOwn ? 'objectRootCa' : 'objectGone', values),
      ...(isCertificate(it, kind, name) ? [textOf('objectIssued', values)] : []),
    ],
    facts: factsOf([path, name]),
    next: [
      { why: textOf('objectList', values), command: it.kubectl(`get ${kind.toLowerCase()}s`) },
      ...(isOwn
        ? []
        : [
            ...(isCertificate(it, kind, name)
              ? [
                  {
                    why: textOf('objectIssuer', values),
                    command: it.kubectl('describe certificates,certificaterequests,orders,challenges'),
                  },
                ]
              : []),
            {
              why: textOf(keys === '' ? 'objectCreate' : 'objectCreateKeys', { ...values, keys }),
              command: it.kubectl(creation(it, kind, name)),
            },
            ...it.change('objectRename', values),
          ]),
    ],
  };
}

/** Diagnoses an object that lacks the requested key. */
export function objectKey(
  it: PodCase,
  kind: 'ConfigMap' | 'Secret',
  name: string,
  key: string,
  path: string,
  user: { readonly volume?: string; readonly container?: string; readonly variable?: string } = {},
): Explained {
  const values = { kind, name, key, namespace: it.namespace, ...user };
  const field = kind === 'Secret' ? 'stringData' : 'data';
  return {
    origin: 'configuration',
    title: textOf('objectKeyTitle', values),
    cause: [textOf('objectKey', values), ...(user.variable ? [textOf('objectKeyFor', values)] : [])],
    facts: factsOf([path, `${name}: ${key}`]),
    next: [
      { why: textOf('objectKeys', values), command: it.kubectl(`describe ${kind.toLowerCase()} ${name}`) },
      {
        why: textOf('objectKeyAdd', values),
        command: it.kubectl(`patch ${kind.toLowerCase()} ${name} -p '{"${field}":{"${key}":"VALUE"}}'`),
      },
      ...it.change('objectKeyFix', values),
    ],
  };
}

/** Diagnoses a secret store that refuses an object, or lacks it. Upstream: secrets-store-csi-driver. */
export function secretStore(it: PodCase, message: string): Explained | undefined {
  const { volume, path } = volumeOf(it, message);
  const isDenied =
    /failed to login|invalid role|\b40[13]\b|forbidden|denied|unauthorized|not authorized|permission/i.test(message);
  const isGone = /\b404\b|not found|NotFound|does not exist|no secret exists/i.test(message);
  if (!isDenied && !isGone) return undefined;
  const attributes: unknown = isRecord(volume?.csi) ? volume.csi['volumeAttributes'] : undefined;
  const provider = isRecord(attributes) ? attributes['secretProviderClass'] : undefined;
  const type = typeof provider === 'string' ? provider : '';
  const values = {
    class: type,
    store:
      /(?:key vault|vault) '(?<name>[^']+)'/i.exec(message)?.groups?.['name'] ??
      /(?<host>[\w-]+\.vault\.azure\.net|https?:\/\/[\w.:-]+)/.exec(message)?.groups?.['host'] ??
      storeOf(message),
    account: accountOf(it),
    // A cloud's answer has several lines, with JSON and rules of hyphens between them.
    said: message
      .replaceAll(/\\[rn]|\s|[{}"]|-{4,}/g, ' ')
      .replaceAll(/ {2,}/g, ' ')
      .trim()
      .slice(-250)
      .replace(/^\S* /, ''),
  };
  const grant = secretGrant(it, message);
  return {
    origin: 'storage',
    title: textOf('vaultTitle', values),
    cause: [textOf(isDenied ? 'vault' : 'vaultGone', values)],
    facts: factsOf([path, volume?.csi]),
    next: [
      ...(grant && isDenied ? [grant] : []),
      {
        why: textOf(isDenied ? 'vaultFix' : 'vaultGoneFix', values),
        command: it.kubectl(`edit secretproviderclass ${type}`),
      },
      accountLook(it),
    ],
  };
}
