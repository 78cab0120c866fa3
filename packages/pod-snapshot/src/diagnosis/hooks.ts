/**
 * Diagnoses failed postStart and preStop hooks. Upstream: kuberuntime startContainer and executePreStopHook
 * (v1.20 to v1.36).
 */
import { textOf } from '@podscope/trace/explain';
import { waitTarget } from './lifecycle/wait-target.ts';
import {
  type ContainerMatcher,
  eventFact,
  exactly,
  factsOf,
  logsCommand,
  newest,
  nextStart,
  ranFor,
  roughly,
  timed,
} from './pod-case.ts';
import { recognize, tellingLine } from './program/output.ts';
import { onNode } from './runtime.ts';

/** Matches the words of programs that reach no server at an address. */
const unreached = /refused|failed to connect|(?:couldn't|could not|can't|cannot|unable to) connect|timed? ?out/i;

/** Diagnoses a failed postStart hook, which kills its container. */
export const hookFinding: ContainerMatcher = (it, container) => {
  const { name, spec, specPath, events, ended, waiting, failedHook } = container;
  const event = newest(events, ['FailedPostStartHook']);
  const isWaiting = waiting?.reason === 'PostStartHookError';
  if ((!event && !isWaiting && failedHook === undefined) || container.status?.ready) return undefined;
  const hook = spec.lifecycle?.postStart;
  const said = `${waiting && isWaiting ? waiting.message : ''}\n${event?.message ?? ''}`.trim() || (failedHook ?? '');
  const code = /exit(?:ed with)? (?:code )?(\d+)/.exec(said)?.[1] ?? '';
  const command =
    hook?.exec?.command?.join(' ') ??
    (hook?.httpGet ? `HTTP GET :${hook.httpGet.port}${hook.httpGet.path ?? '/'}` : '');
  const isLocal = /localhost|127\.0\.0\.1|\[::1\]/.test(command);
  const { host } = isLocal ? { host: '' } : waitTarget(container, command);
  const [service = '', space = it.namespace] = host.split('.');
  // Kubelets before v1.24 report the hook's output in the event. A runtime can put it into the container's status.
  const output =
    (
      /message: "(?<output>(?:[^"\\]|\\.)*)"/.exec(said) ??
      /exited with \d+: (?<output>\S[^\n]*)/.exec(waiting?.message ?? '')
    )?.groups?.['output']
      ?.replaceAll('\\n', ' ')
      .trim() ?? '';
  const ran = ended && ranFor(ended);
  const { terminationGracePeriodSeconds: grace = 30 } = it.pod.spec;
  // A program that ignores SIGTERM is killed after the grace period, which begins when the hook has failed.
  const took = ran === undefined ? 0 : ran - (ended?.exitCode === 137 ? grace * 1_000 : 0);
  const values = {
    container: name,
    image: spec.image ?? '',
    command,
    code,
    host,
    name: service,
    space,
    node: it.node,
    output,
    ran: roughly(took),
  };
  const next = nextStart(container);
  // The server that a hook on localhost doesn't reach is the program itself, so no network is between them.
  const ofOutput = isLocal && unreached.test(output) ? undefined : recognize(it, container, output);
  // A hook that waits for the program fails for the reason that the program logs.
  const known = ofOutput ?? recognize(it, container, it.cluster.logs?.[name] ?? '');
  const isOfOutput = ofOutput !== undefined;
  const missing =
    /exec: \\?"(?<program>[^"\\]+)\\?": (?:stat|executable file not found|no such file|permission denied)/.exec(said)
      ?.groups?.['program'];
  const isBash = missing === undefined && /^(?:\/bin\/)?bash\b/.test(command) && /alpine/.test(spec.image ?? '');
  const isSilent = output === '' && known === undefined && missing === undefined;
  return {
    reason: 'FailedPostStartHook',
    severity: 'error',
    origin: known?.origin ?? 'configuration',
    container: name,
    title: textOf('hookTitle', values),
    cause: [
      textOf(code ? 'hookCode' : 'hook', values),
      ...(isLocal ? [textOf('hookLocal', values)] : host === '' ? [] : [textOf('hookRemote', values)]),
      ...(missing === undefined ? [] : [textOf('hookMissing', { ...values, program: missing })]),
      ...(output === '' ? [] : [textOf('hookSaid', values)]),
      ...(known ? [...(isOfOutput ? [] : [textOf('hookLogged', values)]), ...known.cause] : []),
      ...(isSilent && took > 5_000 ? [textOf('hookAfter', values)] : []),
      ...(isSilent && isBash ? [textOf('hookBash', values)] : []),
      ...(isSilent ? [textOf('hookSilent')] : []),
      textOf('hookKilled', values),
    ],
    said,
    facts: [
      ...factsOf(
        [`${specPath}.lifecycle.postStart`, hook],
        [ended ? `${ended.path}.exitCode` : '', ended?.exitCode],
        [`log of ${name}`, known && !isOfOutput ? tellingLine(it.cluster.logs?.[name] ?? '') : undefined],
      ),
      ...eventFact(event),
    ],
    outlook: [
      next
        ? timed('crashNext', { time: next.at }, { ...values, wait: exactly(next.wait) })
        : textOf('crashSoon', values),
      textOf('crashSame', values),
      ...(known?.heals ? [textOf('crashHeals')] : []),
    ],
    next: [
      ...(known?.next ?? []),
      ...(isLocal || host === '' || known !== undefined
        ? []
        : [
            {
              why: textOf('mentionHost', values),
              command: `kubectl get svc,endpointslices -n ${space} | grep -E 'NAME|${service}'`,
            },
          ]),
      ...(isSilent
        ? [
            {
              why: textOf('hookOutput', values),
              command: onNode(it, `sh -c 'journalctl -u kubelet --since -1h | grep -i poststart'`),
            },
          ]
        : []),
      ...it.change(
        isLocal ? 'hookFix' : isBash ? 'hookBashFix' : host === '' ? 'hookCorrect' : 'hookRemoteFix',
        values,
      ),
      { why: textOf('lookLogs', values), command: logsCommand(it, container) },
    ],
  };
};

/** Diagnoses a failed preStop hook of a container that has been stopped. */
export const preStopFinding: ContainerMatcher = (it, container) => {
  const { name, spec, specPath, events, runningSince } = container;
  const event = newest(events, ['FailedPreStopHook']);
  if (!event || runningSince !== undefined) return undefined;
  return {
    reason: 'FailedPreStopHook',
    severity: 'info',
    origin: 'program',
    container: name,
    title: textOf('hookStopTitle', { container: name }),
    cause: [textOf('hookStop')],
    said: event.message,
    facts: [...factsOf([`${specPath}.lifecycle.preStop`, spec.lifecycle?.preStop]), ...eventFact(event)],
    outlook: [],
    next: [{ why: textOf('lookLogs', { container: name }), command: logsCommand(it, container) }],
  };
};
