/** Explains why Karpenter can make no node for a pod. Upstream: provisioning/scheduling of sigs.k8s.io/karpenter. */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import type { SnapshotEvent } from '../../pod-snapshot.ts';
import type { PodCase } from '../pod-case.ts';
import type { Explained } from './reason.ts';

type Kind = 'Taint' | 'Limit' | 'Size' | 'Labels' | 'Other';

/** The causes for which a pool can't serve a pod, by Karpenter's words. The first one that matches decides. */
const kinds: readonly (readonly [Kind, RegExp])[] = [
  ['Taint', /did not tolerate/],
  ['Limit', /exceed limits|limit/],
  ['Size', /no instance type (?:satisfied|met|which|has)/],
  ['Labels', /incompatible requirements|does not have known values|key [^,]+, [^,]+ not in/],
];

interface Pool {
  readonly name: string;
  readonly kind: Kind;
  readonly text: string;
}

/** Returns the pools in a message, with what each says. */
function poolsIn(message: string): readonly Pool[] {
  return message.split(/(?=incompatible with (?:nodepool|provisioner) ")/).flatMap((part) => {
    const { name, text = '' } =
      /^incompatible with (?:nodepool|provisioner) "(?<name>[^"]+)",?\s*(?:daemonset overhead=\{[^}]*\},?\s*)?(?<text>[\s\S]*?)[;,\s]*$/.exec(
        part,
      )?.groups ?? {};
    if (name === undefined) return [];
    return [{ name, text, kind: kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? 'Other' }];
  });
}

const order: readonly Kind[] = ['Limit', 'Size', 'Labels', 'Other', 'Taint'];

/** Returns the requirements of the pod itself that a message repeats, for example `zone In [a]`. */
function ownRequirements({ pod: { spec } }: PodCase, text: string): readonly string[] {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const own = [
    ...Object.keys(spec.nodeSelector ?? {}),
    ...terms.flatMap(({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key)),
  ];
  return [...text.matchAll(/(?<key>[\w./-]+) (?:In|NotIn|Exists|Gt|Lt|DoesNotExist) ?(?:\[[^\]]*\])?/g)].flatMap(
    ({ 0: whole, groups }) =>
      own.includes(groups?.['key'] ?? '') && !/nodepool|provisioner-name/.test(whole) ? [whole.trim()] : [],
  );
}

/** Explains why Karpenter makes no node; undefined if the message names no pool. */
export function karpenterReason(it: PodCase, { message }: SnapshotEvent): Explained | undefined {
  const pools = poolsIn(message).toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const [first] = pools;
  if (!first) return undefined;
  const resources = /satisfied resources (?<resources>\{[^}]*\})|resources=(?<other>\{[^}]*\})/.exec(
    first.text,
  )?.groups;
  const asked = (resources?.['resources'] ?? resources?.['other'] ?? '')
    .replaceAll(/[{}"\\]/g, '')
    .replaceAll(':', ' ')
    .replaceAll(',', ', ');
  const own = ownRequirements(it, first.text).join(', ');
  const values = {
    pool: first.name,
    pools: pools.map(({ name }) => name).join(', '),
    asked,
    own,
    text: first.text.slice(0, 300),
    owner: it.owner.label,
  };
  const look: NextCommand = {
    why: textOf('karpenterLook', values),
    command: `kubectl get nodepools.karpenter.sh ${first.name} -o yaml`,
  };
  return {
    cause: textOf(first.kind === 'Size' && own !== '' ? 'karpenterSizeOf' : `karpenter${first.kind}`, values),
    facts: [],
    until: textOf('karpenterUntil', values),
    next:
      first.kind === 'Limit'
        ? [
            { why: textOf('karpenterRaise', values), command: `kubectl edit nodepools.karpenter.sh ${first.name}` },
            ...it.change('karpenterLess', values),
          ]
        : [
            ...it.change(
              first.kind === 'Taint'
                ? 'karpenterTolerate'
                : first.kind === 'Size'
                  ? own === ''
                    ? 'karpenterLess'
                    : 'karpenterRelaxOrLess'
                  : 'karpenterRelax',
              values,
            ),
            look,
          ],
  };
}
