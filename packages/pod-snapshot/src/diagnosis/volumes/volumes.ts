/**
 * Diagnoses volumes that can't be attached or mounted, from the messages of v1.20 to v1.36. Upstream: the kubelet's
 * volume manager, the attach/detach controller.
 */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import type { SnapshotEvent } from '../../pod-snapshot.ts';
import { eventFact, type Finding, factsOf, newest, type PodCase } from '../pod-case.ts';
import { onNode } from '../runtime.ts';
import { claimNames } from '../scheduling/reason.ts';
import { attachFinding, multiAttach, notAttached } from './attach.ts';
import { mountHelper } from './mount-helper.ts';
import { mountMessages } from './mount-messages.ts';
import { missingObject, secretStore } from './objects.ts';
import { smbMount } from './smb.ts';
import { type Explained, volumeOf } from './volume-case.ts';

/** The causes by their message, the most specific first. */
const causes: readonly (readonly [
  RegExp,
  (it: PodCase, message: string, found: RegExpExecArray) => Explained | undefined,
])[] = [
  [/Multi-Attach error|already exclusively attached/, multiAttach],
  [/volumeattachments\S* "[^"]+" not found/, notAttached],
  ...mountMessages,
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
        {
          why: textOf('csiDriverLog'),
          command: `kubectl describe daemonsets -A | grep -iE -A 40 '^name: .*csi'`,
        },
        { why: textOf('csiElsewhere', { node: it.node }), command: `kubectl cordon ${it.node}` },
      ],
    }),
  ],
  [
    /mount\.nfs: access denied by server while mounting (\S+)/,
    (it, message, [, share = '']) => {
      const [server = '', exported = ''] = share.split(/:(.*)/);
      const { path, volume, name, claim } = volumeOf(it, message);
      const address = it.pod.status?.hostIP;
      return {
        origin: 'storage',
        title: textOf('nfsDeniedTitle', { server, path: exported }),
        cause: [textOf('nfsDenied', { server, path: exported, node: it.node })],
        facts: factsOf([path, volume?.nfs]),
        next: [
          ...(address === undefined
            ? [
                {
                  why: textOf('nfsExports', { server, node: it.node, path: exported }),
                  command: `ssh ${server} sudo exportfs -v`,
                },
                { why: textOf('nodeAddress', { node: it.node }), command: `kubectl get node ${it.node} -o wide` },
              ]
            : [
                {
                  why: textOf('nfsExportsAddress', { server, node: it.node, path: exported, address }),
                  command: `ssh -t ${server} 'sudo vi /etc/exports && sudo exportfs -ra'`,
                },
              ]),
          ...(claim === undefined
            ? it.change('nfsPath', { server, path: exported })
            : [{ why: textOf('nfsVolume', { volume: name }), command: `kubectl get pv ${name} -o yaml` }]),
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
    /mount error\((?<code>13|2|112|113|115|110|111|11|5|16)\):? ?(?<said>[^\n]*)|cannot mount unc[^\n]*|CIFS: VFS[^\n]*/i,
    smbMount,
  ],
  [
    /bad option; for several filesystems \(e\.g\. nfs, cifs\)|mount\.\w+ helper program|unknown filesystem type '?(\w+)'?|(?:exec: "?)?\b(?:mount\.\w+|iscsiadm|glusterfs|rbd|mkfs\.\w+)"?: (?:executable file not found|command not found|no such file)|failed to execute (?:iscsiadm|mount\.\w+|mkfs\.\w+)/,
    mountHelper,
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
    /failed to fetch token: .*is invalid: (?<field>[\w.[\]]+): (?<what>[^\n]+)/,
    (it, message, { groups }) => {
      const values = {
        field: (groups?.['field'] ?? '').replace(/^spec\./, ''),
        what: groups?.['what'] ?? '',
        name: volumeOf(it, message).name,
      };
      return {
        origin: 'configuration',
        title: textOf('tokenFieldTitle', values),
        cause: [textOf('tokenField', values)],
        facts: factsOf([`${volumeOf(it, message).path}.projected`, volumeOf(it, message).volume?.projected]),
        next: it.change('tokenFieldFix', values),
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

/** Returns the commands that show what keeps the storage driver of the node busy. */
const driverLog = (it: PodCase, isCeph: boolean): readonly NextCommand[] => [
  {
    why: textOf('mountBusyLog', { node: it.node }),
    command:
      `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | ` +
      `grep -iE 'csi|${isCeph ? 'rbdplugin|cephfsplugin' : 'node-driver'}'`,
  },
  ...(isCeph
    ? [
        {
          why: textOf('mountBusyHealth'),
          command: 'kubectl get cephclusters.ceph.rook.io -A',
        },
      ]
    : []),
  {
    why: textOf('mountBusyKernel', { node: it.node }),
    command: onNode(it, "sh -c 'dmesg -T | tail -50'"),
  },
];

function otherMount(it: PodCase, message: string): Explained {
  const { claim, name, path, volume } = volumeOf(it, message);
  const isTimeout = /timed out waiting for the condition|context deadline exceeded|DeadlineExceeded/.test(message);
  const isBusy = /an operation with the given Volume ID \S+ already exists|Aborted/.test(message);
  const isAttach = /unattached volumes=\[[^\]]+\]/.test(message) && claim !== undefined;
  const values = { volume: volume?.name ?? name, claim: claim ?? '', node: it.node };
  const begun = isBusy
    ? it.events.find(
        (event) => event.reason === 'FailedMount' && /DeadlineExceeded|context deadline exceeded/.test(event.message),
      )
    : undefined;
  const isCeph = /rook|ceph/i.test(`${message} ${volume?.name ?? ''}`);
  const said = /desc = (?<said>[\s\S]+)$/.exec(message)?.groups?.['said']?.trim().slice(0, 300) ?? '';
  return {
    origin: 'storage',
    title: textOf('mountVolumeTitle', values),
    cause: [
      textOf(isBusy ? 'mountBusy' : isTimeout ? (isAttach ? 'mountUnattached' : 'mountTimeout') : 'mountOther', values),
      ...(begun ? [textOf('mountBusyBegun', values)] : []),
      ...(said === '' || isTimeout || begun ? [] : [textOf('mountSaid', { said })]),
      ...(isBusy && isCeph ? [textOf('mountBusyCeph', values)] : []),
    ],
    facts: factsOf([path, volume?.name]),
    next: [
      ...(isBusy ? driverLog(it, isCeph) : []),
      ...(claim === undefined || isBusy
        ? []
        : [
            { why: textOf('claimDescribe', { claim }), command: it.kubectl(`describe pvc ${claim}`) },
            { why: textOf('attachList', values), command: `kubectl get volumeattachments | grep ${it.node}` },
          ]),
      ...(isBusy
        ? []
        : [
            {
              why: textOf('mountPlugin', { node: it.node }),
              command: `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | grep -i csi`,
            },
          ]),
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
