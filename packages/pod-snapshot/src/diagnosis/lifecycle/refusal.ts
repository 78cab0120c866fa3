/**
 * Diagnoses a pod that its kubelet did not admit. Upstream: lifecycle.PodAdmitHandler implementations and
 * admission_failure_handler.go.
 */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import { factsOf, failedOutlook, type Matcher } from '../pod-case.ts';
import { describeNode } from './node-loss.ts';
import { amountText, nodeResources } from './node-resources.ts';

/** The reasons with which a kubelet refuses a pod. Upstream: lifecycle.PodAdmitHandler implementations. */
const refusals: Readonly<
  Record<
    string,
    | 'refuseAffinity'
    | 'refuseSysctl'
    | 'refuseOs'
    | 'refuseAppArmor'
    | 'refuseTaint'
    | 'refusePorts'
    | 'refuseAdmission'
    | 'refuseTopology'
  >
> = {
  NodeAffinity: 'refuseAffinity',
  MatchNodeSelector: 'refuseAffinity',
  SysctlForbidden: 'refuseSysctl',
  PodOSNotSupported: 'refuseOs',
  PodOSSelectorNodeLabelDoesNotMatch: 'refuseOs',
  AppArmor: 'refuseAppArmor',
  Taint: 'refuseTaint',
  HostPortConflict: 'refusePorts',
  NodePorts: 'refusePorts',
  UnexpectedAdmissionError: 'refuseAdmission',
  InvalidNodeInfo: 'refuseAdmission',
  TopologyAffinityError: 'refuseTopology',
  ResourceAllocationFailure: 'refuseTopology',
};

/** Diagnoses a pod that its kubelet did not admit. */
export const refusalFindings: Matcher = (it) => {
  const { phase, reason = '', message = '' } = it.pod.status ?? {};
  if (phase !== 'Failed') return [];
  const resources = nodeResources.exec(message)?.groups;
  const known = reason.startsWith('OutOf') ? 'refuseResources' : refusals[reason];
  if (known === undefined) return [];
  const resource = resources?.['resource'] ?? reason.replace(/^OutOf/, '');
  const amount = (name: string): string => amountText(resource, Number(resources?.[name] ?? 0));
  const sysctl =
    /sysctl: "([^"]+)"/.exec(message)?.[1] ??
    (it.pod.spec.securityContext?.sysctls ?? []).map(({ name }) => name).join(', ');
  const values = {
    node: it.node,
    resource,
    requested: amount('requested'),
    used: amount('used'),
    capacity: amount('capacity'),
    owner: it.owner.label,
    message,
    sysctl,
  };
  const repeats = known === 'refuseSysctl' || known === 'refuseOs' || known === 'refuseAppArmor';
  const device = /unavailable for (?<resource>\S+?)\. Requested: (?<requested>\d+), Available: (?<available>\d+)/.exec(
    message,
  )?.groups;
  const ofDevice = {
    ...values,
    resource: device?.['resource'] ?? '',
    requested: device?.['requested'] ?? '',
    available: device?.['available'] ?? '',
  };
  const remove: NextCommand = { why: textOf('refuseDelete', values), command: it.kubectl(`delete pod ${it.name}`) };
  const next: readonly NextCommand[] = repeats
    ? [
        ...it.change(
          known === 'refuseSysctl' ? 'refuseSysctlFix' : known === 'refuseOs' ? 'refuseOsFix' : 'refuseAppArmorFix',
          values,
        ),
      ]
    : known === 'refuseAffinity'
      ? [
          { why: textOf('refuseLabels', values), command: `kubectl get node ${it.node} --show-labels` },
          ...(it.owner.replaces ? [remove] : it.change('schedSelector')),
        ]
      : [
          ...(device
            ? [
                {
                  why: textOf('refuseDevicePods', values),
                  command:
                    `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | ` +
                    "grep -iE 'device-plugin|operator|driver'",
                },
              ]
            : []),
          describeNode(it),
          ...(it.owner.replaces ? [remove] : it.change('refuseAlone', values)),
        ];
  return [
    {
      reason,
      severity: 'error',
      origin: 'kubelet',
      title: textOf('refuseTitle', values),
      cause: [
        device
          ? textOf('refuseDevice', ofDevice)
          : textOf(known === 'refuseResources' && !resources ? 'refuseShort' : known, values),
        ...(it.pod.spec.schedulerName === undefined || repeats
          ? []
          : [textOf('refuseRace', values)].slice(known === 'refuseResources' ? 0 : 1)),
      ],
      said: message,
      facts: factsOf(
        ['status.reason', reason],
        ['status.message', message],
        ['spec.securityContext.sysctls', it.pod.spec.securityContext?.sysctls],
      ),
      outlook: [...failedOutlook(it), ...(repeats && it.owner.replaces ? [textOf('refuseEach')] : [])],
      next,
    },
  ];
};
