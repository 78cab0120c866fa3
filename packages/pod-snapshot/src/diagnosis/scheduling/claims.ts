/** Diagnoses pods that wait for a PersistentVolumeClaim. */
import { type FieldFact, textOf } from '@podscope/trace/explain';
import { type Finding, factsOf, type PodCase } from '../pod-case.ts';

/** Returns the finding about a claim that the scheduler's message names; undefined if the message names no claim. */
export function claimFinding(it: PodCase, message: string, evidence: readonly FieldFact[]): Finding | undefined {
  const missing = /persistentvolumeclaim "(?<name>[^"]+)" not found/.exec(message)?.groups?.['name'];
  const deleted = /persistentvolumeclaim "(?<name>[^"]+)" is being deleted/.exec(message)?.groups?.['name'];
  const lost = /bound to non-existent persistentvolume "(?<name>[^"]*)"/.exec(message)?.groups?.['name'];
  const volumes = (it.pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }, index) =>
    persistentVolumeClaim
      ? [
          {
            index,
            claim: persistentVolumeClaim.claimName,
            path: `spec.volumes[${index}].persistentVolumeClaim.claimName`,
          },
        ]
      : ephemeral
        ? [{ index, claim: `${it.name}-${name}`, path: `spec.volumes[${index}].ephemeral` }]
        : [],
  );
  const facts = (names: readonly string[]): readonly FieldFact[] => [
    ...factsOf(
      ...volumes.filter(({ claim }) => names.includes(claim)).map(({ path, claim }) => [path, claim] as const),
    ),
    ...evidence,
  ];
  const base = { severity: 'error', origin: 'storage', reason: 'Unschedulable', said: message } as const;
  if (missing !== undefined || deleted !== undefined) {
    const claim = missing ?? deleted ?? '';
    const ofSet = it.owner.kind === 'StatefulSet';
    return {
      ...base,
      title: textOf(missing === undefined ? 'claimDeletedTitle' : 'claimMissingTitle', { claim }),
      cause: [
        textOf(missing === undefined ? 'claimDeleted' : 'claimMissing', { claim, namespace: it.namespace }),
        textOf('schedNoKubelet'),
      ],
      facts: facts([claim]),
      outlook: [textOf(missing === undefined ? 'claimDeletedOutlook' : 'claimMissingOutlook', { claim })],
      next: [
        { why: textOf('claimList', { namespace: it.namespace }), command: `kubectl get pvc -n ${it.namespace}` },
        ...(missing !== undefined && !ofSet
          ? [
              {
                why: textOf('claimCreate', { claim, namespace: it.namespace }),
                command: `kubectl create -n ${it.namespace} -f ${claim}.yaml`,
              },
            ]
          : [
              {
                why: textOf(missing === undefined ? 'claimDeletedBy' : 'claimDescribe', { claim }),
                command: it.kubectl(`describe pvc ${claim}`),
              },
            ]),
        ...(missing === undefined ? it.change('claimOther', { claim }) : it.change('claimRename', { claim })),
      ],
    };
  }
  if (lost !== undefined)
    return {
      ...base,
      title: textOf('claimLostTitle', { volume: lost }),
      cause: [textOf('claimLost', { volume: lost, claims: volumes.map(({ claim }) => claim).join(', ') })],
      facts: facts(volumes.map(({ claim }) => claim)),
      outlook: [textOf('claimLostOutlook')],
      next: [
        {
          why: textOf('claimDescribe', { claim: volumes[0]?.claim ?? '' }),
          command: it.kubectl(`describe pvc ${volumes.map(({ claim }) => claim).join(' ')}`),
        },
      ],
    };
  if (/VolumeBinding.*(?:context deadline exceeded|timed out|binding volumes)/.test(message) && volumes.length > 0) {
    const claims = volumes.map(({ claim }) => claim);
    const names = claims.join(', ');
    return {
      ...base,
      title: textOf('preBindTitle', { claims: names }),
      cause: [textOf('preBind', { claims: names }), textOf('claimNotKubelet')],
      facts: facts(claims),
      outlook: [textOf('preBindOutlook')],
      next: [
        { why: textOf('claimDescribe', { claim: names }), command: it.kubectl(`describe pvc ${claims.join(' ')}`) },
        { why: textOf('claimProvisioner'), command: "kubectl get pods -A | grep -iE 'provisioner|csi'" },
      ],
    };
  }
  const isUnbound =
    /unbound (?:immediate )?PersistentVolumeClaims|didn't find available persistent volumes to bind|waiting for (?:ephemeral volume )?controller to create the persistentvolumeclaim|not have enough free storage/i;
  if (!isUnbound.test(message)) return undefined;
  const known = it.cluster.claims ?? [];
  const unbound = volumes.filter(({ claim }) => known.find(({ name }) => name === claim)?.phase !== 'Bound');
  const claims = (unbound.length > 0 ? unbound : volumes).map(({ claim }) => claim);
  const first = known.find(({ name }) => name === claims[0]);
  const names = claims.join(', ');
  const full = /(?<nodes>\d+) node\(s\) did not have enough free storage/.exec(message)?.groups?.['nodes'];
  const isStatic = /didn't find available persistent volumes/.test(message);
  return {
    ...base,
    title: textOf('claimUnboundTitle', { claims: names }),
    cause: [
      full === undefined
        ? textOf(isStatic ? 'claimNoVolume' : 'claimUnbound', { claims: names })
        : textOf('claimCapacity', { claims: names, nodes: full }),
      ...(first?.warning ? [textOf('claimWarning', { warning: first.warning })] : []),
      textOf('claimNotKubelet'),
    ],
    facts: [...facts(claims), ...factsOf(['pvc.spec.storageClassName', first?.storageClass])],
    outlook: [textOf('claimOutlook', { claims: names })],
    next: [
      ...(full === undefined
        ? []
        : [
            {
              why: textOf('claimCapacityLook'),
              command:
                'kubectl get csistoragecapacities -A -o ' +
                "custom-columns='CLASS:.storageClassName,CAPACITY:.capacity,NODES:.nodeTopology.matchLabels'",
            },
          ]),
      { why: textOf('claimDescribe', { claim: names }), command: it.kubectl(`describe pvc ${claims.join(' ')}`) },
      { why: textOf('claimClasses'), command: 'kubectl get storageclass' },
      { why: textOf('claimProvisioner'), command: "kubectl get pods -A | grep -iE 'provisioner|csi'" },
    ],
  };
}
