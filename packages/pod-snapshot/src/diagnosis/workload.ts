/**
 * Diagnoses a controller of pods: pods that the API server refuses (quota, Pod Security, webhooks, LimitRange),
 * rollouts past their deadline, and controllers that need no pods. Upstream: the wording of the admission plugins and
 * of the deployment, job and daemonset controllers (v1.36).
 */
import { isRecord } from '@podscope/base';
import { type Diagnosis, type FieldFact, type NextCommand, textOf } from '@podscope/trace/explain';
import type { SnapshotEvent } from '../pod-snapshot.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A controller and the facts about it in the cluster. */
export interface Workload {
  /** For example, `Deployment`. */
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly object: Fields;
  /** The events of the controller and, for a Deployment, those of its newest ReplicaSet, the oldest first. */
  readonly events: readonly SnapshotEvent[];
}

interface Ask {
  readonly ref: string;
  readonly kubectl: (words: string) => string;
  readonly values: Readonly<Record<string, string>>;
  readonly edit: (why: Parameters<typeof textOf>[0], more?: Readonly<Record<string, string>>) => NextCommand;
}

interface Explained extends Pick<Diagnosis, 'title' | 'cause' | 'next'> {
  readonly origin: NonNullable<Diagnosis['origin']>;
}

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});
const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The refusals of the API server by their message, the most specific first. */
const refusals: readonly (readonly [RegExp, (ask: Ask, found: RegExpExecArray) => Explained])[] = [
  [
    /exceeded quota: (?<quota>\S+), requested: (?<requested>\S+), used: (?<used>\S+), limited: (?<limited>\S+)/,
    ({ values, kubectl, edit }, { groups }) => ({
      origin: 'configuration',
      title: textOf('wlQuotaTitle', { ...values, ...groups }),
      cause: [textOf('wlQuota', { ...values, ...groups })],
      next: [
        { why: textOf('wlQuotaLook'), command: kubectl(`describe quota ${groups?.['quota'] ?? ''}`) },
        edit('wlQuotaLower'),
      ],
    }),
  ],
  [
    /failed quota: (?<quota>[^:\s]+): must specify (?<resources>[^"\n]+)/,
    ({ values, kubectl, edit }, { groups }) => ({
      origin: 'configuration',
      title: textOf('wlQuotaTitle', { ...values, ...groups }),
      cause: [textOf('wlQuotaMust', { ...values, ...groups })],
      next: [
        edit('wlQuotaSet', groups),
        { why: textOf('wlQuotaLook'), command: kubectl(`describe quota ${groups?.['quota'] ?? ''}`) },
      ],
    }),
  ],
  [
    /violates PodSecurity "(?<level>[^"]+)": (?<what>[^\n]+)/,
    ({ values, edit }, { groups }) => ({
      origin: 'configuration',
      title: textOf('wlSecurityTitle', values),
      cause: [textOf('wlSecurity', { ...values, ...groups })],
      next: [
        edit('wlSecurityFix'),
        {
          why: textOf('wlSecurityLevel'),
          command: `kubectl get namespace ${values['namespace']} --show-labels`,
        },
      ],
    }),
  ],
  [
    /failed calling webhook "(?<webhook>[^"]+)"/,
    ({ values }, { groups, input }) => {
      const service = /https:\/\/(?<name>[\w-]+)\.(?<space>[\w-]+)\.svc/.exec(input)?.groups;
      const all = { ...values, webhook: groups?.['webhook'] ?? '' };
      return {
        origin: 'controller',
        title: textOf('wlWebhookDownTitle', all),
        cause: [textOf('wlWebhookDown', all)],
        next: [
          {
            why: textOf('wlWebhookDownPods'),
            command: service
              ? `kubectl -n ${service['space']} get pods,endpointslices`
              : `kubectl get pods -A | grep -i ${all.webhook.split('.')[0] ?? ''}`,
          },
          {
            why: textOf('wlWebhookDownLook'),
            command:
              'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml | ' +
              `grep -n -B 5 -A 20 ${all.webhook}`,
          },
        ],
      };
    },
  ],
  [
    /admission webhook "(?<webhook>[^"]+)" denied the request:? ?(?<what>[\s\S]+)/,
    ({ values, edit }, { groups }) => ({
      origin: 'configuration',
      title: textOf('wlWebhookTitle', { ...values, ...groups }),
      cause: [textOf('wlWebhook', { ...values, ...groups })],
      next: [edit('wlWebhookFix')],
    }),
  ],
  [
    /(?<what>(?:maximum|minimum) \S+ (?:usage|limit|request)[^\n]*|\S+ max limit to request ratio[^\n]*)/,
    ({ values, kubectl, edit }, { groups }) => ({
      origin: 'configuration',
      title: textOf('wlRangeTitle', values),
      cause: [textOf('wlRange', { ...values, ...groups })],
      next: [{ why: textOf('wlRangeLook'), command: kubectl('describe limitranges') }, edit('wlRangeFix')],
    }),
  ],
  [
    /error looking up service account \S+?\/(?<account>[^:\s]+): serviceaccount "[^"]+" not found|serviceaccounts? "(?<other>[^"]+)" not found/,
    ({ values, kubectl, edit }, { groups }) => {
      const all = { ...values, account: groups?.['account'] ?? groups?.['other'] ?? '' };
      return {
        origin: 'configuration',
        title: textOf('wlAccountTitle', all),
        cause: [textOf('wlAccount', all)],
        next: [
          { why: textOf('wlAccountMake'), command: kubectl(`create serviceaccount ${all.account}`) },
          edit('wlAccountFix', all),
        ],
      };
    },
  ],
];

/** Returns the finding that pods can't be created, from the message of the event or condition. */
function refused(ask: Ask, message: string, facts: readonly FieldFact[]): Diagnosis {
  const what = message.replace(/^Error creating: /, '').replace(/^pods? "[^"]*" is forbidden: /, '');
  let found: Explained | undefined;
  for (const [pattern, explain] of refusals) {
    const match = pattern.exec(message);
    if (match) found = explain(ask, match);
    if (found) break;
  }
  found ??= {
    origin: 'configuration',
    title: textOf('wlCreateTitle', ask.values),
    cause: [textOf('wlCreate', { ...ask.values, what })],
    next: [ask.edit('wlCreateFix')],
  };
  return {
    reason: 'FailedCreate',
    severity: 'error',
    ...found,
    said: message,
    facts,
    outlook: [textOf('wlCreateOutlook')],
  };
}

/** Returns the finding that a controller needs no pods, which isn't a failure. */
const idle = (
  reason: string,
  title: Diagnosis['title'],
  cause: Diagnosis['title'],
  outlook: Diagnosis['title'],
  fact: FieldFact,
  next: readonly NextCommand[],
): Diagnosis => ({
  reason,
  severity: 'info',
  origin: 'configuration',
  title,
  cause: [cause],
  facts: [fact],
  outlook: [outlook],
  next,
});

/** Returns the problems of the controller itself. Problems of its pods aren't included. */
export function diagnoseWorkload({ kind, name, namespace, object, events }: Workload): readonly Diagnosis[] {
  const ref = `${kind.toLowerCase()}/${name}`;
  const kubectl = (words: string): string => `kubectl ${namespace === 'default' ? '' : `-n ${namespace} `}${words}`;
  const values = { owner: `${kind} ${name}`, namespace };
  const ask: Ask = {
    ref,
    kubectl,
    values,
    edit: (why, more = {}) => ({ why: textOf(why, { ...values, ...more }), command: kubectl(`edit ${ref}`) }),
  };
  const spec = fieldsOf(object['spec']);
  const status = fieldsOf(object['status']);
  const conditions = Array.isArray(status['conditions']) ? status['conditions'].filter(isRecord) : [];
  const condition = (type: string): Fields | undefined =>
    conditions.find((each) => each['type'] === type && each['status'] === 'True');
  const found: Diagnosis[] = [];
  const created = events.findLast(({ reason }) => reason === 'SuccessfulCreate');
  const event = events.findLast(({ reason }) => reason === 'FailedCreate');
  const failure = condition('ReplicaFailure');
  if (event && (failure || !created || created.last < event.last))
    found.push(
      refused(ask, event.message, [
        { path: `event ${event.reason}${event.count > 1 ? ` (${event.count} times)` : ''}`, value: event.message },
      ]),
    );
  else if (failure)
    found.push(
      refused(ask, wordOf(failure['message']), [
        { path: 'status.conditions[ReplicaFailure]', value: wordOf(failure['message']) },
      ]),
    );
  const progressing = conditions.find((each) => each['type'] === 'Progressing');
  if (progressing?.['reason'] === 'ProgressDeadlineExceeded')
    found.push({
      reason: 'ProgressDeadlineExceeded',
      severity: 'error',
      origin: 'controller',
      title: textOf('wlDeadlineTitle', values),
      cause: [textOf('wlDeadline', { ...values, seconds: Number(spec['progressDeadlineSeconds'] ?? 600) })],
      facts: [{ path: 'status.conditions[Progressing]', value: wordOf(progressing['message']) }],
      outlook: [textOf('wlDeadlineOutlook')],
      next: [
        { why: textOf('wlStatus'), command: kubectl(`rollout status ${ref} --timeout=10s`) },
        { why: textOf('wlUndo', values), command: kubectl(`rollout undo ${ref}`) },
      ],
    });
  const failed = kind === 'Job' ? condition('Failed') : undefined;
  if (failed) {
    const reason = wordOf(failed['reason']);
    const limit = Number(spec['backoffLimit'] ?? 6);
    found.push({
      reason,
      severity: 'error',
      origin: 'controller',
      title: textOf('wlJobFailedTitle', values),
      cause: [
        reason === 'BackoffLimitExceeded'
          ? textOf('wlJobBackoff', { limit })
          : reason === 'DeadlineExceeded'
            ? textOf('wlJobDeadline', { seconds: Number(spec['activeDeadlineSeconds'] ?? 0) })
            : textOf('wlJobOther', { what: wordOf(failed['message']) }),
      ],
      facts: [{ path: 'status.conditions[Failed]', value: `${reason}: ${wordOf(failed['message'])}` }],
      outlook: [textOf('wlJobOutlook')],
      next: [{ why: textOf('wlJobAgain'), command: kubectl(`get ${ref} -o yaml > ${name}.yaml`) }],
    });
  }
  if (spec['paused'] === true)
    found.push(
      idle(
        'Paused',
        textOf('wlPausedTitle', values),
        textOf('wlPaused'),
        textOf('wlPausedOutlook'),
        { path: 'spec.paused', value: 'true' },
        [{ why: textOf('wlResume'), command: kubectl(`rollout resume ${ref}`) }],
      ),
    );
  if (spec['suspend'] === true)
    found.push(
      idle(
        'Suspended',
        textOf('wlSuspendedTitle', values),
        textOf('wlSuspended'),
        textOf('wlPausedOutlook'),
        { path: 'spec.suspend', value: 'true' },
        [{ why: textOf('wlUnsuspend'), command: kubectl(`patch ${ref} -p '{"spec":{"suspend":false}}'`) }],
      ),
    );
  if (spec['replicas'] === 0)
    found.push(
      idle(
        'ScaledToZero',
        textOf('wlZeroTitle', values),
        textOf('wlZero'),
        textOf('wlZeroOutlook'),
        { path: 'spec.replicas', value: '0' },
        [
          { why: textOf('wlAutoscaler'), command: kubectl('get hpa,scaledobjects.keda.sh') },
          { why: textOf('wlScale'), command: kubectl(`scale ${ref} --replicas=1`) },
        ],
      ),
    );
  if (kind === 'DaemonSet' && status['desiredNumberScheduled'] === 0)
    found.push(
      idle(
        'NoMatchingNode',
        textOf('wlNoNodeTitle', values),
        textOf('wlNoNode'),
        textOf('wlNoNodeOutlook'),
        { path: 'status.desiredNumberScheduled', value: '0' },
        [{ why: textOf('schedShowLabels'), command: 'kubectl get nodes --show-labels' }, ask.edit('schedSelector')],
      ),
    );
  const generation = Number(fieldsOf(object['metadata'])['generation'] ?? 0);
  const observed = Number(status['observedGeneration'] ?? generation);
  if (observed < generation)
    found.push({
      reason: 'NotObserved',
      severity: 'waiting',
      origin: 'controller',
      certainty: 'likely',
      title: textOf('wlOldTitle', values),
      cause: [textOf('wlOld', { observed, generation })],
      facts: [{ path: 'status.observedGeneration', value: String(observed) }],
      outlook: [textOf('wlPausedOutlook')],
      next: [{ why: textOf('wlOldLook'), command: 'kubectl -n kube-system get pods | grep controller-manager' }],
    });
  return found;
}
