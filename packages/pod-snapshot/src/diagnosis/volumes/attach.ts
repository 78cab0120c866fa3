/** Diagnoses volumes that the attach/detach controller can't attach to the node. */
import { textOf } from '@podscope/trace/explain';
import { factsOf, type PodCase } from '../pod-case.ts';
import { type Explained, volumeOf } from './volume-case.ts';

const isDead = (it: PodCase, who: string): string => it.kubectl(`get pods ${who} -o wide`);

/** Diagnoses a volume that is still attached to another node. */
export function multiAttach(it: PodCase, message: string): Explained {
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

/** Diagnoses a volume whose VolumeAttachment doesn't exist. */
export function notAttached(it: PodCase, message: string): Explained {
  const { claim, name, path } = volumeOf(it, message);
  const values = { claim: claim ?? name, volume: name, node: it.node };
  return {
    origin: 'storage',
    title: textOf('attachTitle', values),
    cause: [textOf('attachNone', values), textOf('notKubeletAttach')],
    facts: factsOf([`${path}.persistentVolumeClaim.claimName`, claim]),
    outlook: [textOf('attachOutlook')],
    next: [
      { why: textOf('attachList', values), command: `kubectl get volumeattachments | grep ${name || it.node}` },
      { why: textOf('attachController'), command: "kubectl get pods -A | grep -iE 'csi.*controller'" },
      ...(it.owner.replaces
        ? [{ why: textOf('attachAgain', values), command: it.kubectl(`delete pod ${it.name}`) }]
        : []),
    ],
  };
}

/** Diagnoses any other failure to attach a volume. */
export function attachFinding(it: PodCase, message: string): Explained {
  const { claim, name, path } = volumeOf(it, message);
  const isInUse =
    /VolumeInUse|(?:already|still|currently) (?:being )?(?:attached|in use|used by)|attached to (?:another|a different|instance)|in use by/i.test(
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
  const driver = /waiting for external-attacher of (?<driver>\S+) CSI driver/.exec(message)?.groups?.['driver'];
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
      ...(driver === undefined ? [] : [textOf('attachDriver', { ...values, driver })]),
      textOf('notKubeletAttach'),
    ],
    facts: factsOf([`${path}.persistentVolumeClaim.claimName`, claim]),
    outlook: [textOf(disk === undefined ? 'attachOutlook' : 'attachGoneOutlook')],
    next: [
      ...(isDenied
        ? [
            {
              why: textOf('attachDeniedFix', values),
              command:
                'kubectl get serviceaccounts -A -o yaml | ' +
                "grep -iE 'name: .*csi|role-arn|client-id|gcp-service-account'",
            },
          ]
        : []),
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
