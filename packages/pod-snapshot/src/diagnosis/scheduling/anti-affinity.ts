/** Explains required pod affinity and anti-affinity that exclude nodes. Upstream: the scheduler's InterPodAffinity. */
import { textOf } from '@podscope/trace/explain';
import { appSelector, factsOf, type PodCase } from '../pod-case.ts';
import type { Explained, Reason } from './reason.ts';

/** Returns the topology keys of the pod's required terms. */
function affinityKey(it: PodCase, kind: 'podAntiAffinity' | 'podAffinity'): string {
  const terms = it.pod.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map(({ topologyKey }) => topologyKey).join(', ') || 'kubernetes.io/hostname';
}

/** Returns the labels of the pods that the pod's required terms select, and whether the pod has these labels itself. */
function selected(
  { pod }: PodCase,
  kind: 'podAntiAffinity' | 'podAffinity',
): { readonly selector: string; readonly isOwn: boolean } {
  const labels = pod.metadata.labels ?? {};
  const terms = pod.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const wanted = terms.map(({ labelSelector: { matchLabels = {}, matchExpressions = [] } = {} }) => ({
    text: [
      ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
      ...matchExpressions.map(({ key, operator, values = [] }) =>
        operator === 'In' ? `${key} in (${values.join(',')})` : operator === 'Exists' ? key : '',
      ),
    ]
      .filter((each) => each !== '')
      .join(','),
    isOwn:
      Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
      matchExpressions.every(({ key, operator, values = [] }) => {
        const value = labels[key];
        return operator === 'Exists' || (operator === 'In' && value !== undefined && values.includes(value));
      }),
  }));
  return { selector: wanted.find(({ text }) => text !== '')?.text ?? '', isOwn: wanted.some(({ isOwn }) => isOwn) };
}

/** Explains that anti-affinity of the pod, or of pods that run already, excludes nodes. */
export function antiAffinity(it: PodCase, { nodes, text }: Reason): Explained {
  const isOther = /existing pods/.test(text);
  const { selector, isOwn } = selected(it, 'podAntiAffinity');
  const kind = isOther ? 'Other' : isOwn ? 'Own' : selector === '' ? '' : 'Pods';
  const values = { nodes, key: affinityKey(it, 'podAntiAffinity'), selector, owner: it.owner.label };
  return {
    cause: textOf(`schedAnti${kind}`, values),
    ...(kind === 'Own' && it.owner.kind === 'Deployment' ? { more: textOf('schedAntiRollout', values) } : {}),
    facts: factsOf(['spec.affinity.podAntiAffinity', it.pod.spec.affinity?.podAntiAffinity]),
    until: textOf('schedUntilAnti', values),
    next: [
      isOther
        ? {
            why: textOf('schedAntiOtherWho'),
            command:
              'kubectl get pods -A -o ' +
              "custom-columns='NODE:.spec.nodeName,NAMESPACE:.metadata.namespace,POD:.metadata.name," +
              'AVOIDS:.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[*]' +
              ".labelSelector' " +
              "| grep -v '<none>'",
          }
        : kind === 'Pods'
          ? { why: textOf('schedWherePods'), command: it.kubectl(`get pods -o wide -l '${selector}'`) }
          : { why: textOf('schedWhere'), command: it.kubectl(`get pods -o wide${appSelector(it)}`) },
      ...it.change(kind === 'Own' ? 'schedAntiOwnFix' : 'schedAntiFix'),
    ],
  };
}

/** Explains that nodes lack a pod that required pod affinity selects. */
export function podAffinity(it: PodCase, { nodes }: Reason): Explained {
  const { selector } = selected(it, 'podAffinity');
  const values = { nodes, key: affinityKey(it, 'podAffinity'), selector };
  return {
    cause: textOf(selector === '' ? 'schedAffinity' : 'schedAffinityPods', values),
    facts: factsOf(['spec.affinity.podAffinity', it.pod.spec.affinity?.podAffinity]),
    until: textOf('schedUntilAffinity'),
    next: [
      {
        why: textOf('schedWhereOthers'),
        command:
          selector === ''
            ? 'kubectl get pods -A -o wide --show-labels'
            : it.kubectl(`get pods -o wide -l '${selector}'`),
      },
      ...it.change('schedAffinityFix'),
    ],
  };
}
