/** Explains messages of storage drivers and of the kubelet that have one usual cause and a command that shows it. */
import { textOf } from '@podscope/trace/explain';
import type { PodCase } from '../pod-case.ts';
import { journalUnits, onNode } from '../runtime.ts';
import { type Explained, volumeOf } from './volume-case.ts';

type Values = Readonly<Record<string, string>>;

/** The prefixes of the texts: `<id>Title`, `<id>` and `<id>Look`, or also `<id>Fix`, a change of the template. */
type Id = 'mountUuid' | 'mountTarget' | 'mountUsed' | 'mountProtocol' | 'mountUnwatched' | 'mountDetached';

const explained =
  (id: Id, command: (it: PodCase, values: Values) => string, origin: Explained['origin'] = 'storage') =>
  (it: PodCase, message: string, found: RegExpExecArray): Explained => {
    const { name, claim } = volumeOf(it, message);
    const what = found.groups?.['what'] ?? '';
    const values = { volume: name, claim: claim ?? name, node: it.node, what, namespace: it.namespace };
    return {
      origin,
      title: textOf(`${id}Title`, values),
      cause: [textOf(id, values)],
      next: [{ why: textOf(`${id}Look`, values), command: command(it, values) }],
    };
  };

/** The messages and their explanations. The first one that matches decides. */
export const mountMessages: readonly (readonly [
  RegExp,
  (it: PodCase, message: string, found: RegExpExecArray) => Explained,
])[] = [
  [
    /duplicate UUID/i,
    explained('mountUuid', (_it, { volume }) => `kubectl patch pv ${volume} -p '{"spec":{"mountOptions":["nouuid"]}}'`),
  ],
  [
    /Failed to resolve "(?<what>fs-[\w.-]+)"/,
    explained(
      'mountTarget',
      (_it, { what = '' }) => `aws efs describe-mount-targets --file-system-id ${what.split('.')[0] ?? what}`,
    ),
  ],
  [
    /(?:is|are) still (?:being )?(?:used|in use|mapped|mounted)|has watchers/,
    explained('mountUsed', (_it, { volume }) => `kubectl get volumeattachments | grep -E 'NAME|${volume}'`),
  ],
  [
    /mount\.nfs: (?<what>Protocol not supported|requested NFS version or transport protocol is not supported|Protocol family not supported)/,
    explained('mountProtocol', (_it, { volume }) => `kubectl get pv ${volume} -o yaml`),
  ],
  [
    /object "[^"]+"\/"(?<what>[^"]+)" not registered/,
    explained(
      'mountUnwatched',
      (it) => onNode(it, `journalctl -u kubelet ${journalUnits(it)} -n 100 --no-pager`),
      'kubelet',
    ),
  ],
  [
    /(?:volume )?(?<what>\S+) is not ready for workloads/,
    explained(
      'mountDetached',
      (_it, { what = '' }) => `kubectl -n longhorn-system describe volumes.longhorn.io ${what}`,
    ),
  ],
];
