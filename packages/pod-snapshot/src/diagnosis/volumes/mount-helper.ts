/**
 * Diagnoses nodes that lack the program or kernel module for a file system, and names its package. Upstream: mount(8)
 * and the mount helpers of the file systems.
 */
import { textOf } from '@podscope/trace/explain';
import { factsOf, type PodCase } from '../pod-case.ts';
import { onNode } from '../runtime.ts';
import { type Explained, volumeOf } from './volume-case.ts';

/** The packages of a file system: for Debian and Ubuntu, for the Red Hat family, and for SUSE. */
type Packages = readonly [apt: string, dnf: string, zypper: string];

const same = (name: string): Packages => [name, name, name];

const packages: readonly (readonly [type: RegExp, Packages])[] = [
  [/^nfs4?$/, ['nfs-common', 'nfs-utils', 'nfs-client']],
  [/^(?:cifs|smb3?)$/, same('cifs-utils')],
  [/^(?:ceph|rbd|fuse\.ceph)$/, same('ceph-common')],
  [/^(?:glusterfs|fuse\.glusterfs)$/, ['glusterfs-client', 'glusterfs-fuse', 'glusterfs']],
  [/^(?:iscsi|iscsiadm)$/, ['open-iscsi', 'iscsi-initiator-utils', 'open-iscsi']],
  [/^efs$/, same('amazon-efs-utils')],
  [/^lustre$/, ['lustre-client-modules', 'lustre-client', 'lustre-client']],
  [/^xfs$/, same('xfsprogs')],
  [/^btrfs$/, ['btrfs-progs', 'btrfs-progs', 'btrfsprogs']],
  [/^(?:fuse\.)?sshfs$/, ['sshfs', 'fuse-sshfs', 'sshfs']],
  [/^(?:fuse\.)?s3fs$/, ['s3fs', 's3fs-fuse', 's3fs']],
  [/^davfs2?$/, same('davfs2')],
];

/** Returns the type of the file system that a message or the volume names. */
function typeOf(it: PodCase, message: string): string {
  const { volume } = volumeOf(it, message);
  return (
    /unknown filesystem type '?(?<type>[\w.]+)/.exec(message)?.groups?.['type'] ??
    /(?:^|\s)-t (?<type>[\w.]+)/.exec(message)?.groups?.['type'] ??
    /"?mount\.(?!<)(?<type>\w+)"?: (?:executable|command|no such)/.exec(message)?.groups?.['type'] ??
    /\b(?<type>iscsiadm|rbd|glusterfs)"?: (?:executable|command|no such)/.exec(message)?.groups?.['type'] ??
    /failed to execute (?:mount\.)?(?<type>\w+)/.exec(message)?.groups?.['type'] ??
    /mkfs\.(?<type>\w+)/.exec(message)?.groups?.['type'] ??
    (volume?.nfs ? 'nfs' : '')
  );
}

/** Returns the index of the package manager that an operating system uses; undefined if it is unknown. */
function managerOf(osImage: string): 0 | 1 | 2 | undefined {
  if (/ubuntu|debian/i.test(osImage)) return 0;
  if (/red hat|rhel|centos|fedora|rocky|alma|amazon|oracle/i.test(osImage)) return 1;
  return /suse|sles/i.test(osImage) ? 2 : undefined;
}

const install = ['apt-get install -y', 'dnf install -y', 'zypper install -y'] as const;

/** Diagnoses a mount that fails because its node lacks the helper program or the kernel module. */
export function mountHelper(it: PodCase, message: string): Explained {
  const type = typeOf(it, message);
  const known = packages.find(([pattern]) => pattern.test(type))?.[1];
  const osImage = it.cluster.node?.osImage ?? '';
  const manager = managerOf(osImage);
  const [apt = '', dnf = ''] = known ?? [];
  const name =
    known === undefined
      ? type === ''
        ? 'mount helper'
        : `mount.${type}`
      : manager === undefined
        ? apt === dnf
          ? apt
          : `${apt} (Debian, Ubuntu) / ${dnf} (RHEL, Amazon Linux)`
        : known[manager];
  const isModule = /unknown filesystem type/.test(message);
  const values = { node: it.node, type, package: name, helper: name, owner: it.owner.label };
  return {
    origin: 'node',
    title: textOf('mountHelperTitle', values),
    cause: [
      textOf(
        type === ''
          ? 'mountHelper'
          : isModule
            ? 'mountHelperModule'
            : /^(?:iscsiadm|rbd)$/.test(type)
              ? 'mountHelperTool'
              : 'mountHelperPackage',
        values,
      ),
    ],
    facts: factsOf([`status.nodeInfo.osImage of node ${it.node}`, osImage]),
    next: [
      known === undefined
        ? { why: textOf('mountHelperInstall', values), command: onNode(it, "sh -c 'ls /sbin/mount.*'") }
        : {
            why: textOf('mountHelperAdd', values),
            command: onNode(
              it,
              manager === undefined
                ? `sh -c 'apt-get install -y ${apt} || dnf install -y ${dnf}'`
                : `${install[manager]} ${known[manager]}`,
            ),
          },
      { why: textOf('mountHelperElse', values), command: `kubectl cordon ${it.node}` },
      ...(it.owner.replaces
        ? [{ why: textOf('mountHelperMove', values), command: it.kubectl(`delete pod ${it.name}`) }]
        : []),
    ],
  };
}
