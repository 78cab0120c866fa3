/**
 * Diagnoses volumes that can't be attached or mounted, from the messages of v1.20 to v1.36. Upstream: the kubelet's
 * volume manager, the attach/detach controller.
 */
import { isRecord } from '@podscope/base';
import { type ExplainText, type FieldFact, type NextCommand, textOf } from '@podscope/trace/explain';
import type { SnapshotEvent } from '../pod-snapshot.ts';
import { eventFact, type Finding, factsOf, newest, type PodCase } from './pod-case.ts';
import { onNode } from './runtime.ts';
import { claimNames } from './scheduling/reason.ts';

interface Explained {
  readonly origin: Finding['origin'];
  readonly title: ExplainText;
  readonly cause: readonly ExplainText[];
  readonly facts?: readonly FieldFact[];
  readonly next: readonly NextCommand[];
  readonly outlook?: readonly ExplainText[];
}

/**
 * Returns the volume of the pod to which a message refers. If the message contains the name of a PV, the pod's volume
 * with a claim is taken.
 */
function volumeOf(it: PodCase, message: string) {
  const volumes = it.pod.spec.volumes ?? [];
  const name = /for volume "([^"]+)"/.exec(message)?.[1] ?? '';
  const unmounted = /unmounted volumes=\[([^\]]+)\]/.exec(message)?.[1]?.split(/[ ,]+/)[0];
  const index = volumes.findIndex((volume) => volume.name === name || volume.name === unmounted);
  const claimed = volumes.findIndex(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined);
  const at = index >= 0 ? index : claimed;
  const volume = volumes[at];
  return {
    name: name || (unmounted ?? ''),
    volume,
    path: `spec.volumes[${at}]`,
    claim: volume?.persistentVolumeClaim?.claimName,
  };
}

/** Diagnoses a ConfigMap or Secret that doesn't exist or lacks a key to which the pod refers. */
function missingObject(it: PodCase, message: string): Explained | undefined {
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

/** Diagnoses a missing object, for volumes and variables. */
export function objectGone(it: PodCase, kind: 'ConfigMap' | 'Secret', name: string, path: string): Explained {
  const { namespace } = it;
  const values = { kind, name, namespace };
  const create =
    kind === 'Secret'
      ? `create secret generic ${name} --from-literal=KEY=VALUE`
      : `create configmap ${name} --from-file=FILE`;
  const isOwn = name === 'kube-root-ca.crt';
  return {
    origin: 'configuration',
    title: textOf('objectGoneTitle', values),
    cause: [textOf(isOwn ? 'objectRootCa' : 'objectGone', values)],
    facts: factsOf([path, name]),
    next: [
      { why: textOf('objectList', values), command: it.kubectl(`get ${kind.toLowerCase()}s`) },
      ...(isOwn
        ? []
        : [{ why: textOf('objectCreate', values), command: it.kubectl(create) }, ...it.change('objectRename', values)]),
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
function secretStore(it: PodCase, message: string): Explained | undefined {
  const { volume, path } = volumeOf(it, message);
  const isDenied = /\b40[13]\b|forbidden|denied|unauthorized|not authorized|permission/i.test(message);
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
      '',
    account: it.pod.spec.serviceAccountName ?? 'default',
    said: message.slice(-300).replace(/^[^:]*: /, ''),
  };
  return {
    origin: 'storage',
    title: textOf('vaultTitle', values),
    cause: [textOf(isDenied ? 'vault' : 'vaultGone', values)],
    facts: factsOf([path, volume?.csi]),
    next: [
      {
        why: textOf(isDenied ? 'vaultFix' : 'vaultGoneFix', values),
        command: it.kubectl(`edit secretproviderclass ${type}`),
      },
      {
        why: textOf('runCloudAccount', values),
        command: it.kubectl(`get serviceaccount ${values.account} -o yaml`),
      },
    ],
  };
}

const isDead = (it: PodCase, who: string): string => it.kubectl(`get pods ${who} -o wide`);

function multiAttach(it: PodCase, message: string): Explained {
  const { claim, path, name } = volumeOf(it, message);
  const holders = /used by pod\(s\) (?<pods>[^"]+?)\s*$/.exec(message)?.groups?.['pods']?.split(/,\s*/) ?? [];
  const names = holders.map((each) => each.replace(/^[^/]*\//, '')).join(' ');
  const elsewhere = /on node(?:\(s\))? (?<node>\S+)/.exec(message)?.groups?.['node'];
  const values = { claim: claim ?? name, pods: names, node: it.node, other: elsewhere ?? '' };
  return {
    origin: 'storage',
    title: textOf('multiAttachTitle', values),
    cause: [
      textOf(names ? 'multiAttach' : elsewhere ? 'multiAttachNode' : 'multiAttachAny', values),
      ...(it.owner.kind === 'Deployment' ? [textOf('multiAttachRolling', { owner: it.owner.label })] : []),
      textOf('notKubeletAttach'),
    ],
    facts: factsOf([`${path}.persistentVolumeClaim.claimName`, claim]),
    outlook: [
      textOf('multiAttachOutlook', values),
      ...(it.owner.kind === 'Deployment' ? [textOf('multiAttachForever')] : []),
      textOf('multiAttachDead'),
    ],
    next: [
      { why: textOf('multiAttachWho', values), command: names ? isDead(it, names) : 'kubectl get volumeattachments' },
      ...(names ? [{ why: textOf('multiAttachLet', values), command: it.kubectl(`delete pod ${names}`) }] : []),
      ...(it.owner.kind === 'Deployment'
        ? [
            {
              why: textOf('multiAttachRecreate', { owner: it.owner.label }),
              command: it.kubectl(
                `patch ${it.owner.ref} --type=merge -p ` +
                  `'{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}'`,
              ),
            },
          ]
        : []),
    ],
  };
}

/** The causes by their message, the most specific first. */
const causes: readonly (readonly [
  RegExp,
  (it: PodCase, message: string, found: RegExpExecArray) => Explained | undefined,
])[] = [
  [/Multi-Attach error|already exclusively attached/, multiAttach],
  [/(?:configmap|secret|object) "?\S+"? (?:not found|not registered)|references non-existent/i, missingObject],
  [
    /\b(?!Volume|Disk|Instance|Node|Image|Snapshot)(?<kind>[A-Z]\w+)(?:\.(?<group>[a-z][\w.-]+\.[a-z]+))? "(?<name>[^"]+)" not found/,
    (it, message, { groups }) => {
      const { kind = '', group = '', name = '' } = groups ?? {};
      const values = { kind, name, namespace: it.namespace };
      const resource = `${kind.toLowerCase()}${kind.endsWith('s') ? 'es' : 's'}${group === '' ? '' : `.${group}`}`;
      return {
        origin: 'configuration',
        title: textOf('objectGoneTitle', values),
        cause: [textOf('objectGone', values)],
        facts: factsOf([volumeOf(it, message).path, volumeOf(it, message).volume?.csi]),
        next: [
          { why: textOf('volumeObjectLook', values), command: it.kubectl(`get ${resource}`) },
          ...it.change('objectRename', values),
        ],
      };
    },
  ],
  [
    /driver name (\S+) not found in the list of registered CSI drivers/,
    (it, _message, [, driver = '']) => ({
      origin: 'storage',
      title: textOf('csiDriverTitle', { driver, node: it.node }),
      cause: [textOf('csiDriver', { driver, node: it.node })],
      next: [
        { why: textOf('csiNode', { driver, node: it.node }), command: `kubectl get csinode ${it.node} -o yaml` },
        {
          why: textOf('csiPods', { driver, node: it.node }),
          command: `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | grep -i csi`,
        },
      ],
    }),
  ],
  [
    /mount\.nfs: access denied by server while mounting (\S+)/,
    (it, message, [, share = '']) => {
      const [server = '', exported = ''] = share.split(/:(.*)/);
      const { path, volume } = volumeOf(it, message);
      return {
        origin: 'storage',
        title: textOf('nfsDeniedTitle', { server, path: exported }),
        cause: [textOf('nfsDenied', { server, path: exported, node: it.node })],
        facts: factsOf([path, volume?.nfs]),
        next: [
          {
            why: textOf('nfsExports', { server, node: it.node, path: exported }),
            command: `ssh ${server} sudo exportfs -v`,
          },
          { why: textOf('nodeAddress', { node: it.node }), command: `kubectl get node ${it.node} -o wide` },
          ...it.change('nfsPath', { server, path: exported }),
        ],
      };
    },
  ],
  [
    /mount\.nfs:[^\n]*(?:timed out|Connection (?:refused|timed out)|No route to host|Failed to resolve server|No such file)|Connection timed out|mounting[^\n]*timed out/i,
    (it, message) => {
      const { path, volume } = volumeOf(it, message);
      const server = volume?.nfs?.server ?? /(\S+?):\//.exec(message)?.[1] ?? '';
      const said = /mount\.nfs: ([^\n]+)/.exec(message)?.[1] ?? 'timed out';
      return {
        origin: 'storage',
        title: textOf('nfsDownTitle', { server }),
        cause: [textOf('nfsDown', { server, node: it.node, said })],
        facts: factsOf([path, volume?.nfs]),
        next: [
          {
            why: textOf('nfsReach', { server, node: it.node }),
            command: onNode(it, `sh -c 'nc -zv ${server} 2049; showmount -e ${server}'`),
          },
        ],
      };
    },
  ],
  [
    /bad option; for several filesystems \(e\.g\. nfs, cifs\)|mount\.\w+ helper program|unknown filesystem type '?(\w+)'?/,
    (it, message) => {
      const { volume } = volumeOf(it, message);
      const helper = volume?.nfs ? 'nfs-common' : 'mount helper';
      return {
        origin: 'node',
        title: textOf('mountHelperTitle', { node: it.node }),
        cause: [textOf('mountHelper', { node: it.node, helper })],
        next: [
          {
            why: textOf('mountHelperInstall', { node: it.node, helper }),
            command: onNode(it, "sh -c 'ls /sbin/mount.*'"),
          },
        ],
      };
    },
  ],
  [
    /hostPath type check failed: (\S+) is not an? ([\w ]+)/,
    (it, message, [, path = '', type = '']) => ({
      origin: 'node',
      title: textOf('hostPathTitle', { path, node: it.node }),
      cause: [
        textOf('hostPath', { path, type, node: it.node, wanted: volumeOf(it, message).volume?.hostPath?.type ?? '' }),
      ],
      facts: factsOf([`${volumeOf(it, message).path}.hostPath`, volumeOf(it, message).volume?.hostPath]),
      next: [
        { why: textOf('hostPathLook', { path, node: it.node }), command: onNode(it, `ls -ld ${path}`) },
        ...it.change('hostPathFix', { path, type: type.trim() === 'directory' ? 'DirectoryOrCreate' : 'FileOrCreate' }),
      ],
    }),
  ],
  [
    /is not a (?:block device|mountable volume)|wrong fs type|bad superblock|structure needs cleaning|can't read superblock|has an error: |fsck/i,
    (it, message) => {
      const { claim, name } = volumeOf(it, message);
      return {
        origin: 'storage',
        title: textOf('badFsTitle', { claim: claim ?? name }),
        cause: [textOf('badFs', { claim: claim ?? name, node: it.node })],
        next: [
          ...(['StatefulSet', 'Deployment'].includes(it.owner.kind)
            ? [
                {
                  why: textOf('badFsRepair', { claim: claim ?? name, owner: it.owner.label }),
                  command: it.kubectl(`scale ${it.owner.ref} --replicas=0`),
                },
              ]
            : it.change('badFsRepair', { claim: claim ?? name })),
          { why: textOf('badFsLook', { node: it.node }), command: onNode(it, "sh -c 'dmesg | tail -50; lsblk -f'") },
          ...(claim === undefined
            ? []
            : [{ why: textOf('claimDescribe', { claim }), command: it.kubectl(`describe pvc ${claim}`) }]),
        ],
      };
    },
  ],
  [
    /failed to (?:prepare )?subPath|subpath/i,
    (it) => ({
      origin: 'storage',
      title: textOf('subPathTitle'),
      cause: [textOf('subPath')],
      next: it.change('subPathFix'),
    }),
  ],
  [
    /persistentvolumeclaim "?(?:[^"/]+\/)?([^"\s]+)"? (?:not found|is being deleted)|error processing PVC \S+?\/(\S+):/,
    (it, _message, found) => {
      const claim = found[1] ?? found[2] ?? '';
      return {
        origin: 'storage',
        title: textOf('claimMissingTitle', { claim }),
        cause: [textOf('claimMissing', { claim, namespace: it.namespace })],
        next: [
          { why: textOf('claimList', { namespace: it.namespace }), command: `kubectl get pvc -n ${it.namespace}` },
          ...it.change('claimRename', { claim }),
        ],
      };
    },
  ],
  [
    /token .*audience|failed to fetch token|serviceaccount "?([^"\s]+)"? not found|serviceaccounts "?([^"\s]+)"? not found/i,
    (it) => ({
      origin: 'configuration',
      title: textOf('tokenTitle', { account: it.pod.spec.serviceAccountName ?? 'default' }),
      cause: [textOf('token', { account: it.pod.spec.serviceAccountName ?? 'default', namespace: it.namespace })],
      facts: factsOf(['spec.serviceAccountName', it.pod.spec.serviceAccountName]),
      next: [
        { why: textOf('tokenLook', { namespace: it.namespace }), command: it.kubectl('get serviceaccounts') },
        {
          why: textOf('tokenMake', { account: it.pod.spec.serviceAccountName ?? 'default' }),
          command: it.kubectl(`create serviceaccount ${it.pod.spec.serviceAccountName ?? 'default'}`),
        },
        ...it.change('tokenRename'),
      ],
    }),
  ],
  [/secrets store|secretproviderclass|SecretProviderClass/, secretStore],
];

function attachFinding(it: PodCase, message: string): Explained {
  const { claim, name, path } = volumeOf(it, message);
  const isInUse =
    /VolumeInUse|(?:already|still|currently) (?:attached|in use)|attached to (?:another|a different|instance)|in use by/i.test(
      message,
    );
  const isDenied = /permission|unauthorized|forbidden|AccessDenied|not authorized/i.test(message);
  const isLimit = /limit|maximum|too many|exceed/i.test(message);
  const isGone = /not found|does not exist|NotFound/i.test(message);
  const disk =
    isGone && !isInUse && !isLimit && !isDenied
      ? (/\b(?:vol-[0-9a-f]{8,}|disks?\/[\w.-]+)/i.exec(message)?.[0] ??
        /(?:volume|disk) ['"]?(?<id>[\w./-]+)['"]? (?:was )?(?:not found|does not exist)/i.exec(message)?.groups?.[
          'id'
        ])
      : undefined;
  const values = { claim: claim ?? name, volume: name, node: it.node, disk: disk ?? '' };
  return {
    origin: 'storage',
    title: textOf('attachTitle', values),
    cause: [
      textOf(
        isInUse
          ? 'attachInUse'
          : isDenied
            ? 'attachDenied'
            : isLimit
              ? 'attachLimit'
              : disk !== undefined
                ? 'attachDiskGone'
                : isGone
                  ? 'attachGone'
                  : 'attach',
        values,
      ),
      textOf('notKubeletAttach'),
    ],
    facts: factsOf([`${path}.persistentVolumeClaim.claimName`, claim]),
    outlook: [textOf(disk === undefined ? 'attachOutlook' : 'attachGoneOutlook')],
    next: [
      ...(isLimit
        ? [
            {
              why: textOf('attachLimitFix', values),
              command: `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node}`,
            },
            { why: textOf('attachLimitMove', values), command: `kubectl cordon ${it.node}` },
          ]
        : []),
      ...(isGone && !isLimit && !isInUse
        ? [{ why: textOf('attachGoneFix', values), command: it.kubectl('get volumesnapshots') }]
        : []),
      { why: textOf('attachList', values), command: `kubectl get volumeattachments | grep ${name || it.node}` },
      { why: textOf('attachController'), command: "kubectl get pods -A | grep -iE 'csi.*controller'" },
      ...(claim === undefined
        ? []
        : [{ why: textOf('claimDescribe', { claim }), command: it.kubectl(`describe pvc ${claim}`) }]),
    ],
  };
}

function otherMount(it: PodCase, message: string): Explained {
  const { claim, name, path, volume } = volumeOf(it, message);
  const isTimeout = /timed out waiting for the condition|context deadline exceeded|DeadlineExceeded/.test(message);
  const isBusy = /an operation with the given Volume ID \S+ already exists|Aborted/.test(message);
  const isAttach = /unattached volumes=\[[^\]]+\]/.test(message) && claim !== undefined;
  const values = { volume: volume?.name ?? name, claim: claim ?? '', node: it.node };
  const said = /desc = (?<said>[\s\S]+)$/.exec(message)?.groups?.['said']?.trim().slice(0, 300) ?? '';
  return {
    origin: 'storage',
    title: textOf('mountVolumeTitle', values),
    cause: [
      textOf(isBusy ? 'mountBusy' : isTimeout ? (isAttach ? 'mountUnattached' : 'mountTimeout') : 'mountOther', values),
      ...(said === '' || isTimeout ? [] : [textOf('mountSaid', { said })]),
    ],
    facts: factsOf([path, volume?.name]),
    next: [
      ...(claim === undefined
        ? []
        : [
            { why: textOf('claimDescribe', { claim }), command: it.kubectl(`describe pvc ${claim}`) },
            { why: textOf('attachList', values), command: `kubectl get volumeattachments | grep ${it.node}` },
          ]),
      {
        why: textOf('mountPlugin', { node: it.node }),
        command: `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | grep -i csi`,
      },
    ],
  };
}

/** Returns true if a volume may still prevent the pod from starting, because no container has run yet. */
const holdsBack = (it: PodCase): boolean =>
  it.containers.every(
    ({ status, runningSince, ended }) => status === undefined || (runningSince === undefined && ended === undefined),
  );

/** Diagnoses volumes that prevent a pod from starting. */
export function volumeFindings(it: PodCase): readonly Finding[] {
  if (it.node === '' || !holdsBack(it) || it.pod.status?.phase === 'Failed') return [];
  const attached = newest(it.events, ['SuccessfulAttachVolume']);
  const attach = newest(it.events, ['FailedAttachVolume']);
  const mounts = it.events.filter(({ reason }) => reason === 'FailedMount' || reason === 'FailedMapVolume');
  // The failure of the volume itself says more than "Unable to attach or mount volumes: … timed out".
  const mount =
    mounts.findLast(({ message }) => !message.startsWith('Unable to attach or mount volumes')) ?? mounts.at(-1);
  const isAttach =
    attach !== undefined &&
    (attached === undefined || attached.last < attach.last) &&
    (mount === undefined || mount.message.startsWith('Unable to attach') || attach.last >= mount.last);
  const event: SnapshotEvent | undefined = isAttach ? attach : mount;
  if (!event) return [];
  const { message } = event;
  let found: Explained | undefined;
  for (const [pattern, explain] of causes) {
    const match = pattern.exec(message);
    found = match ? explain(it, message, match) : undefined;
    if (found) break;
  }
  found ??= isAttach ? attachFinding(it, message) : otherMount(it, message);
  const { origin, title, cause, facts = [], next, outlook = [textOf('mountOutlook')] } = found;
  return [
    {
      reason: event.reason,
      severity: 'error',
      origin,
      title,
      cause: [...cause, textOf('mountBlocks', { claims: claimNames(it).length })],
      said: message,
      facts: [...facts, ...eventFact(event)],
      outlook,
      next,
    },
  ];
}
