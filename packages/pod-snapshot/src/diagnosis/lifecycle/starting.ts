/**
 * Diagnoses a pod that waits although nothing in it has failed: readiness gates, init containers, sidecars that
 * continue after their Job, and containers that are starting.
 */
import { textOf } from '@podscope/trace/explain';
import { instantOf, type SnapshotEvent } from '../../pod-snapshot.ts';
import {
  type ContainerCase,
  conditionOf,
  eventFact,
  type Finding,
  factsOf,
  type Matcher,
  newest,
  type PodCase,
  pathOfCondition,
  roughly,
  timed,
} from '../pod-case.ts';
import { lastLines, recognize, tellingLine } from '../program/output.ts';
import { onNode } from '../runtime.ts';
import { loggedTarget, waitTarget } from './wait-target.ts';

/** Diagnoses a pod that waits only for its readiness gates. */
export const gateFindings: Matcher = (it) => {
  const ready = conditionOf(it, 'Ready');
  const gates = it.pod.spec.readinessGates ?? [];
  const open = gates
    .filter(({ conditionType }) => conditionOf(it, conditionType)?.status !== 'True')
    .map(({ conditionType }) => conditionType);
  if (
    open.length === 0 ||
    ready?.status === 'True' ||
    conditionOf(it, 'ContainersReady')?.status !== 'True' ||
    it.pod.metadata.deletionTimestamp !== undefined
  )
    return [];
  const names = open.join(', ');
  const gate = conditionOf(it, open[0] ?? '');
  const said = [gate?.reason, gate?.message].filter(Boolean).join(': ');
  const aws = /elbv2\.k8s\.aws/.test(names);
  const gcp = /cloud\.google\.com/.test(names);
  const codes = aws
    ? /Health checks failed with these codes: \[(?<codes>[^\]]+)\]/.exec(said)?.groups?.['codes']
    : undefined;
  const path = it.pod.spec.containers.find(({ readinessProbe }) => readinessProbe?.httpGet)?.readinessProbe?.httpGet
    ?.path;
  const values = {
    names,
    codes: codes ?? '',
    path: path ?? '/PATH',
    by: aws ? 'AWS Load Balancer Controller' : gcp ? 'GKE NEG controller' : (open[0]?.split('/')[0] ?? ''),
  };
  return [
    {
      reason: 'ReadinessGatesNotReady',
      severity: 'waiting',
      origin: 'controller',
      title: textOf('gatesTitle', values),
      cause: [
        textOf(aws || gcp ? 'gatesLoadBalancer' : 'gatesCause', values),
        ...(said === ''
          ? []
          : codes !== undefined
            ? [textOf(path === undefined ? 'gatesCodes' : 'gatesCodesPath', values)]
            : [textOf(/\b(?:Timeout|timed out)\b/i.test(said) ? 'gatesTimeout' : 'gatesSaid', { ...values, said })]),
      ],
      said: ready?.message,
      facts: factsOf(
        ['spec.readinessGates', names],
        [pathOfCondition(open[0] ?? ''), said],
        [pathOfCondition('Ready'), ready?.reason],
      ),
      outlook: [textOf('gatesOutlook', values)],
      next: aws
        ? [
            ...(codes === undefined
              ? []
              : [
                  {
                    why: textOf('gatesPath', values),
                    command: it.kubectl(
                      `annotate ingress INGRESS alb.ingress.kubernetes.io/healthcheck-path=${values.path} --overwrite`,
                    ),
                  },
                ]),
            { why: textOf('gatesBinding', values), command: it.kubectl('describe targetgroupbindings.elbv2.k8s.aws') },
            {
              why: textOf('gatesController', values),
              command: 'kubectl -n kube-system logs deployment/aws-load-balancer-controller --tail=100',
            },
          ]
        : [
            {
              why: textOf('gatesController', values),
              command:
                'kubectl get pods -A | grep -iE ' +
                `'${gcp ? 'neg|l7-lb' : (values.by.split('.')[0] ?? 'controller')}'`,
            },
          ],
    },
  ];
};

/** Diagnoses containers that wait for others: slow init containers, and sidecars that continue after their Job. */
export const companionFindings: Matcher = (it) => {
  const { phase } = it.pod.status ?? {};
  if (phase === 'Failed' || phase === 'Succeeded' || it.node === '' || it.pod.metadata.deletionTimestamp !== undefined)
    return [];
  const main = it.containers.filter(({ role }) => role === 'main');
  const init = it.containers.find(({ role, runningSince }) => role === 'init' && runningSince !== undefined);
  if (init) {
    const words = [...(init.spec.command ?? []), ...(init.spec.args ?? [])].join(' ');
    const ofCommand = waitTarget(init);
    const since = init.runningSince ?? it.now;
    const log = lastLines(it.cluster.logs?.[init.name] ?? '');
    const known = recognize(it, init, log);
    const { host, port } = ofCommand.host === '' && !known ? loggedTarget(log) : ofCommand;
    const line = known?.line ?? tellingLine(log);
    const values = {
      container: init.name,
      host,
      port,
      target: host && port ? `${host}:${port}` : host,
      command: words,
      waiting: main.map(({ name }) => name).join(', '),
      line,
    };
    const started = { time: since };
    return [
      {
        reason: 'PodInitializing',
        severity: known ? 'error' : 'waiting',
        origin: known?.origin ?? (host ? 'network' : 'program'),
        ...(known ? { certainty: 'likely' as const } : host ? {} : { certainty: 'unknown' as const }),
        container: init.name,
        title: textOf('initRunsTitle', values),
        cause: [
          ...(host !== ''
            ? [timed('initWaits', started, values), ...(known || line === '' ? [] : [textOf('exitLast', values)])]
            : [timed(known ? 'initSince' : line === '' ? 'initRuns' : 'initRunsSaid', started, values)]),
          ...(known ? [textOf('hookLogged', values), ...known.cause] : []),
          textOf('sidecarBehind', values),
        ],
        said: log.trim() || undefined,
        log: 'current',
        facts: factsOf(
          [`${init.statusPath}.state.running.startedAt`, init.status?.state?.running?.startedAt],
          [`${init.specPath}.command`, words],
          [`log of ${init.name}`, line],
        ),
        outlook: [textOf(host ? 'initWaitsOutlook' : known ? 'initRunsLogOutlook' : 'initRunsOutlook', values)],
        next: [
          ...(known?.next ?? []),
          ...(host && !/^[\d.]+$/.test(host)
            ? [
                {
                  why: textOf('initAskedIn', {
                    service: host.split('.')[0] ?? '',
                    namespace: host.split('.')[1] ?? it.namespace,
                  }),
                  command: `kubectl get svc ${host.split('.')[0]} -n ${host.split('.')[1] ?? it.namespace}`,
                },
                {
                  why: textOf('initEndpoints', values),
                  command:
                    `kubectl get endpointslices -n ${host.split('.')[1] ?? it.namespace} -l ` +
                    `kubernetes.io/service-name=${host.split('.')[0]}`,
                },
              ]
            : []),
          {
            why: textOf('lookLogs', { container: init.name }),
            command: it.kubectl(`logs ${it.name} -c ${init.name} --tail=50`),
          },
        ],
      },
    ];
  }
  const isJob = it.owner.kind === 'Job' || it.owner.kind === 'CronJob' || it.pod.spec.restartPolicy !== 'Always';
  const done = main.filter(
    ({ ended, runningSince }) => runningSince === undefined && ended?.isCurrent && ended.exitCode === 0,
  );
  const left = main.filter(({ runningSince }) => runningSince !== undefined);
  if (isJob && done.length > 0 && left.length > 0 && done.length + left.length === main.length) {
    const proxy = left.find(({ name, spec }) =>
      /istio|envoy|linkerd|proxy|mesh|sidecar|sql|vault|agent|collector|fluent/i.test(`${name} ${spec.image ?? ''}`),
    );
    if (!proxy) return [];
    const isIstio =
      /istio/i.test(`${proxy.name} ${proxy.spec.image ?? ''}`) ||
      it.pod.metadata.annotations?.['sidecar.istio.io/status'] !== undefined;
    const isLinkerd = /linkerd/.test(proxy.name);
    const job = it.pod.metadata.ownerReferences?.find(({ kind }) => kind === 'Job')?.name;
    const values = {
      container: proxy.name,
      done: done.map(({ name }) => name).join(', '),
      owner: it.owner.label,
      // A CronJob has no end of its own.
      work: job === undefined ? it.owner.label : `Job ${job}`,
    };
    const quit = isIstio
      ? 'curl -fsS -X POST localhost:15020/quitquitquit'
      : isLinkerd
        ? '/usr/lib/linkerd/linkerd-await --shutdown -- true'
        : '';
    return [
      {
        reason: 'NotReady',
        severity: 'error',
        origin: 'configuration',
        container: proxy.name,
        title: textOf('jobSidecarTitle', values),
        cause: [textOf('jobSidecar', values)],
        facts: factsOf(
          ...done.map(({ statusPath, ended }) => [`${statusPath}.state.terminated.exitCode`, ended?.exitCode] as const),
          [`${proxy.statusPath}.state.running.startedAt`, proxy.status?.state?.running?.startedAt],
        ),
        outlook: [textOf('jobSidecarOutlook', values)],
        next: [
          ...(quit
            ? [
                {
                  why: textOf('jobSidecarQuit', values),
                  command: it.kubectl(
                    `exec ${it.name} -c ${proxy.name} -- ${isIstio ? 'pilot-agent request POST quitquitquit' : quit}`,
                  ),
                },
              ]
            : []),
          ...it.change(isIstio ? 'jobSidecarIstio' : isLinkerd ? 'jobSidecarLinkerd' : 'jobSidecarFix', values),
          ...(quit === '' && it.owner.kind === 'CronJob' && job !== undefined
            ? [{ why: textOf('jobSidecarDelete', values), command: it.kubectl(`delete job ${job}`) }]
            : []),
        ],
      },
    ];
  }
  return [];
};

/** Warnings that don't prevent a pod from starting, or that are resolved without any action. */
const passing = new Set([
  'FailedScheduling',
  'Unhealthy',
  'NodeNotReady',
  'FailedToRetrieveImagePullSecret',
  'DNSConfigForming',
]);

/** Returns the finding of the newest warning, for a pod that shows no other failure. */
function warned(it: PodCase, warning: SnapshotEvent): Finding {
  const { reason, message } = warning;
  const isDevice = reason === 'FailedPrepareDynamicResources' || /dynamic resources|resource ?claim/i.test(message);
  const driver = /driver "?(?<driver>[\w-]+(?:\.[\w-]+)+)/i.exec(message)?.groups?.['driver'] ?? '';
  const values = { node: it.node, reason, message: message.trim(), driver: driver === '' ? '' : ` ${driver}` };
  return {
    reason,
    severity: 'error',
    origin: isDevice ? 'node' : 'kubelet',
    certainty: isDevice ? 'likely' : 'unknown',
    title: textOf(isDevice ? 'draTitle' : 'startingSaidTitle', values),
    cause: [textOf(isDevice ? 'dra' : 'startingSaid', values)],
    said: message,
    facts: eventFact(warning),
    outlook: [textOf('startingRetries')],
    next: isDevice
      ? [
          {
            why: textOf('draDriver', values),
            command:
              `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | ` +
              "grep -iE 'dra|driver|device|gpu'",
          },
          { why: textOf('draLook'), command: it.kubectl('describe resourceclaims') },
        ]
      : [
          { why: textOf('lookEvents'), command: it.kubectl(`describe pod ${it.name}`) },
          { why: textOf('deletingKubelet', values), command: onNode(it, 'journalctl -u kubelet -n 100 --no-pager') },
        ],
  };
}

/**
 * Returns the finding of a container that was started and whose postStart hook hasn't ended. Upstream: startContainer
 * of the kubelet waits for the hook, and the status of the pod is written afterwards.
 */
function hookRunning(it: PodCase, waiting: readonly ContainerCase[]): Finding | undefined {
  const container = waiting.find(
    ({ spec, events }) =>
      spec.lifecycle?.postStart !== undefined && events.findLast(({ type }) => type === 'Normal')?.reason === 'Started',
  );
  const started = container && newest(container.events, ['Started']);
  const hook = container?.spec.lifecycle?.postStart;
  if (!started || !hook) return undefined;
  const { httpGet, exec, sleep } = hook;
  const command = httpGet
    ? `HTTP GET :${httpGet.port}${httpGet.path ?? '/'}`
    : (exec?.command?.join(' ') ?? `sleep ${sleep?.seconds ?? ''}`);
  const { host } = waitTarget(container, command);
  const [service = '', space = it.namespace] = host.split('.');
  const values = { container: container.name, command, host, name: service, space, node: it.node };
  const isRemote = host !== '' && !/^(?:localhost|127\.)/.test(host);
  return {
    reason: container.waiting?.reason || 'ContainerCreating',
    severity: 'waiting',
    origin: isRemote ? 'network' : 'configuration',
    certainty: 'likely',
    container: container.name,
    title: textOf('hookRunsTitle', values),
    cause: [timed('hookRuns', { time: started.last }, values), ...(isRemote ? [textOf('hookRunsFor', values)] : [])],
    facts: [...factsOf([`${container.specPath}.lifecycle.postStart`, hook]), ...eventFact(started)],
    outlook: [textOf('hookRunsOutlook', values)],
    next: [
      ...(isRemote
        ? [
            {
              why: textOf('mentionHost', values),
              command: `kubectl get svc,endpointslices -n ${space} | grep -E 'NAME|${service}'`,
            },
          ]
        : []),
      {
        why: textOf('hookRunsProcess', values),
        command: it.kubectl(`exec ${it.name} -c ${container.name} -- ps -ef`),
      },
      ...it.change('hookRunsFix', values),
    ],
  };
}

/** Diagnoses a pod that waits for its start and has no failure. */
export const startingFindings: Matcher = (it) => {
  const { phase } = it.pod.status ?? {};
  if (it.node === '' || (phase !== undefined && phase !== 'Pending') || it.pod.metadata.deletionTimestamp !== undefined)
    return [];
  const waiting = it.containers.filter(
    (container) => container.waiting && ['ContainerCreating', 'PodInitializing', ''].includes(container.waiting.reason),
  );
  if (waiting.length === 0 && it.containers.some(({ status }) => status !== undefined)) return [];
  const pulling = it.events.findLast(({ reason }) => reason === 'Pulling');
  const pulled = it.events.findLast(
    ({ reason, container }) => reason === 'Pulled' && (!pulling?.container || container === pulling.container),
  );
  const isPulling = pulling !== undefined && (pulled === undefined || pulled.last < pulling.last);
  const start =
    instantOf(conditionOf(it, 'PodScheduled')?.lastTransitionTime) ??
    instantOf(it.pod.metadata.creationTimestamp) ??
    it.now;
  const waited = it.now - start;
  const image = /image "([^"]+)"/.exec(pulling?.message ?? '')?.[1] ?? '';
  const values = {
    node: it.node,
    image,
    container: pulling?.container ?? waiting[0]?.name ?? '',
    waited: roughly(waited),
  };
  const hooked = hookRunning(it, waiting);
  if (hooked) return [hooked];
  const isLong = waited > 300_000;
  const warning = it.events.findLast(({ type, reason }) => type === 'Warning' && !passing.has(reason));
  if (warning && !isPulling) return [warned(it, warning)];
  return [
    {
      reason: waiting[0]?.waiting?.reason || 'ContainerCreating',
      severity: 'waiting',
      origin: isPulling ? 'registry' : 'kubelet',
      ...(isPulling && !isLong ? {} : { certainty: 'unknown' as const }),
      title: textOf(isPulling ? 'startingPullTitle' : 'startingTitle', values),
      cause: [
        textOf(
          isPulling ? (isLong ? 'startingPullLong' : 'startingPull') : isLong ? 'startingLong' : 'starting',
          values,
        ),
      ],
      facts: [
        ...factsOf(
          ...waiting
            .slice(0, 3)
            .map(({ statusPath, waiting: state }) => [`${statusPath}.state.waiting.reason`, state?.reason] as const),
        ),
        ...(isPulling ? eventFact(pulling) : []),
      ],
      outlook: [textOf(isPulling ? 'startingPullOutlook' : 'startingOutlook', values)],
      next: [
        { why: textOf('deletingWait'), command: it.kubectl(`get pod ${it.name} -w`) },
        { why: textOf('lookEvents'), command: it.kubectl(`describe pod ${it.name}`) },
        ...(isLong
          ? [{ why: textOf('deletingKubelet', values), command: onNode(it, 'journalctl -u kubelet -n 100 --no-pager') }]
          : []),
      ],
    },
  ];
};
