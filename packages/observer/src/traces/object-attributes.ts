/**
 * Converts the sandboxes, containers and exits in CRI calls to attributes of spans, and back to the parts of the calls
 * that these attributes keep. Names: OpenTelemetry semantic conventions, and `sandbox.id` as containerd has it.
 */
import { criTimeAt } from '@podscope/trace';
import type { CallMessage, CallRecord } from '../inputs.ts';
import { numberAt, objectAt, textAt } from '../state/fields.ts';
import type { PodName } from '../state/registry.ts';

/** Attributes of a span. */
type SpanAttributes = Readonly<Record<string, unknown>>;

/** Maps the states of a container in CRI to its states in the API. Upstream: convertToAPIContainerStatuses (v1.36). */
const states: Readonly<Record<string, string>> = {
  CONTAINER_CREATED: 'waiting',
  CONTAINER_RUNNING: 'running',
  CONTAINER_EXITED: 'terminated',
};
const criStates = new Map(Object.entries(states).map(([cri, api]) => [api, cri]));

/** The times of a container: the attribute and the field of ContainerStatus. */
const times = [
  ['podscope.container.created_at', 'createdAt'],
  ['podscope.container.started_at', 'startedAt'],
  ['podscope.container.finished_at', 'finishedAt'],
] as const;

const without = (values: SpanAttributes): SpanAttributes =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));

/**
 * Returns the id of an object. The call that creates the object has the id in its answer, other calls have it in their
 * request.
 */
const idOf = ({ request, result }: CallRecord, field: string): string =>
  textAt(result?.response, field) || textAt(request, field);

function statusAttributes(status: CallMessage | undefined): SpanAttributes {
  const state = states[textAt(status, 'state')];
  const isExited = state === 'terminated';
  return {
    'k8s.container.status.state': state,
    'k8s.container.status.reason': textAt(status, 'reason'),
    ...(isExited ? { 'process.exit.code': numberAt(status, 'exitCode') } : {}),
    ...Object.fromEntries(
      times.map(([name, field]) => {
        const time = criTimeAt(status, field);
        return [name, time === undefined ? undefined : new Date(time).toISOString()];
      }),
    ),
  };
}

/** Returns the attributes of the sandbox or container that a call names. Environment and messages aren't among them. */
export function objectAttributes(call: CallRecord): SpanAttributes {
  const { method, request, result } = call;
  const status = objectAt(result?.response, 'status');
  return without({
    'container.id': idOf(call, 'containerId'),
    'sandbox.id': idOf(call, 'podSandboxId'),
    ...(method === 'RunPodSandbox'
      ? { 'podscope.sandbox.attempt': numberAt(request, 'config', 'metadata', 'attempt') }
      : {}),
    ...(method === 'PodSandboxStatus'
      ? {
          'podscope.sandbox.attempt': numberAt(status, 'metadata', 'attempt'),
          'podscope.sandbox.ready': textAt(status, 'state') === 'SANDBOX_READY',
          'k8s.pod.ip': textAt(status, 'network', 'ip'),
        }
      : {}),
    ...(method === 'ContainerStatus' && status ? statusAttributes(status) : {}),
    ...(method === 'ExecSync' && result?.response
      ? { 'process.exit.code': numberAt(result.response, 'exitCode') }
      : {}),
  });
}

/** Returns a CRI time in nanoseconds; 0 if the text isn't a time. */
const criTime = (text: string): string => {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? '0' : `${ms}000000`;
};

/** The parts of a call's messages that its attributes keep. */
export interface KeptMessages {
  readonly request: CallMessage;
  readonly response: CallMessage;
}

/** Returns the messages of a call with the fields that {@link objectAttributes} keeps. */
export function messagesOf(method: string, attributes: SpanAttributes, pod: PodName): KeptMessages {
  const containerId = textAt(attributes, 'container.id');
  const podSandboxId = textAt(attributes, 'sandbox.id');
  const image = textAt(attributes, 'container.image.name');
  const images = { image, userSpecifiedImage: image };
  const container = {
    name: textAt(attributes, 'k8s.container.name'),
    attempt: numberAt(attributes, 'k8s.container.restart_count'),
  };
  const sandbox = { ...pod, attempt: numberAt(attributes, 'podscope.sandbox.attempt') };
  const exitCode = numberAt(attributes, 'process.exit.code');
  switch (method) {
    case 'RunPodSandbox':
      return { request: { config: { metadata: sandbox } }, response: { podSandboxId } };
    case 'PodSandboxStatus': {
      const state = attributes['podscope.sandbox.ready'] === true ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY';
      const ip = textAt(attributes, 'k8s.pod.ip');
      const status = { id: podSandboxId, metadata: sandbox, state, network: { ip } };
      return { request: { podSandboxId }, response: podSandboxId === '' ? {} : { status } };
    }
    case 'CreateContainer':
      return {
        request: { podSandboxId, config: { metadata: container, image: images }, sandboxConfig: { metadata: sandbox } },
        response: { containerId },
      };
    case 'ContainerStatus': {
      const state = criStates.get(textAt(attributes, 'k8s.container.status.state')) ?? 'CONTAINER_UNKNOWN';
      const reason = textAt(attributes, 'k8s.container.status.reason');
      const common = { id: containerId, metadata: container, state, reason, exitCode, image: images };
      const status = {
        ...common,
        ...Object.fromEntries(times.map(([name, field]) => [field, criTime(textAt(attributes, name))])),
      };
      return { request: { containerId }, response: containerId === '' ? {} : { status } };
    }
    case 'PullImage':
      return { request: { image: images, sandboxConfig: { metadata: sandbox } }, response: {} };
    case 'ExecSync':
      return { request: { containerId }, response: { exitCode } };
    default:
      return { request: containerId === '' ? { podSandboxId } : { containerId }, response: {} };
  }
}
