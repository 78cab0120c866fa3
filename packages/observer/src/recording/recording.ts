/**
 * Reads recorded conversations of kubelets: the calls, the answers of `/pods`, the spans and the actions of a session.
 * The files are JSON documents or lines of JSON, with times relative to the kubelet's start.
 */
import { isRecord } from '@podscope/base';
import { parseTime } from '@podscope/trace';
import { z } from 'zod';
import type { CallMessage, CallRecord, KubeletFacts, ObservedSpan, PodsSnapshot } from '../inputs.ts';
import { isPod } from '../is-pod.ts';
import type { ProbeCount } from '../state/probe-counts.ts';

const callLine = z.object({
  t: z.number(),
  end: z.number().nullish(),
  service: z.string(),
  method: z.string(),
  connection: z.number().nullish(),
  deadline: z.number().nullish(),
  metadata: z.record(z.string(), z.unknown()).default({}),
  request: z.unknown().optional(),
  response: z.unknown().optional(),
  status: z.number().nullish(),
  message: z.string().nullish(),
  held: z.object({ ms: z.number() }).loose().nullish(),
  clientReset: z.object({ t: z.number() }).loose().nullish(),
  /** The messages of a server stream. */
  messages: z.array(z.object({ t: z.number(), message: z.unknown() })).nullish(),
});

const omittedLine = z.object({
  omitted: z.int().positive(),
  service: z.string(),
  method: z.string(),
  request: z.unknown().optional(),
  from: z.number(),
  until: z.number(),
});

const spanEntry = z.object({
  t: z.number(),
  ms: z.number(),
  name: z.string(),
  trace: z.string(),
  id: z.string(),
  parent: z.string().nullish(),
  scope: z.string().nullish(),
  attrs: z.record(z.string(), z.unknown()).default({}),
  status: z.unknown().optional(),
});

const podsEntry = z.object({
  t: z.number(),
  pods: z.object({ items: z.array(z.record(z.string(), z.unknown())).nullish() }).loose(),
});

const actionsDocument = z
  .object({
    started: z.string(),
    kubeletFlags: z.array(z.string()).default([]),
    kubeletConfig: z.unknown().optional(),
    actions: z.array(z.object({ t: z.number(), action: z.string(), pod: z.string().optional() })).default([]),
  })
  .loose();

/** Converts a message in protobuf JSON. */
export type ReadMessage = (
  method: string,
  direction: 'request' | 'response',
  json: unknown,
) => { readonly message: CallMessage } | { readonly problem: string };

/** The documents of a session, as text. */
export interface RecordingTexts {
  /** One JSON object per line. */
  readonly calls: string;
  readonly pods?: string | undefined;
  readonly spans?: string | undefined;
  readonly actions?: string | undefined;
}

interface RecordedAction {
  readonly t: number;
  readonly action: string;
  readonly pod: string | undefined;
}

export interface Recording {
  readonly calls: readonly CallRecord[];
  readonly pods: readonly PodsSnapshot[];
  readonly spans: readonly ObservedSpan[];
  /** The attempts of the node's probes at several times; undefined if they weren't recorded. */
  readonly probeCounts?: readonly { readonly t: number; readonly counts: readonly ProbeCount[] }[];
  readonly facts: KubeletFacts;
  /** The actions of the session, such as `manifest removed`. `pod` is the name of the manifest's file. */
  /** The messages of streams that stay open, such as GetContainerEvents. */
  readonly messages?: readonly { readonly call: number; readonly t: number; readonly message: CallMessage }[];
  readonly actions: readonly RecordedAction[];
  /** When the kubelet started, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
}

const versionIn = (text: string): string | undefined => /\bv1\.\d+\.\d+[\w.+-]*/.exec(text)?.[0];

interface RawCall {
  readonly line: z.infer<typeof callLine>;
  readonly estimated: boolean;
}

/**
 * Expands a line that represents omitted calls. Returns the calls at regular intervals, with the answer of the last
 * call that wasn't omitted.
 */
function expanded(
  omitted: z.infer<typeof omittedLine>,
  last: z.infer<typeof callLine> | undefined,
): readonly RawCall[] {
  const { omitted: count, from, until, service, method, request } = omitted;
  const step = count > 1 ? (until - from) / (count - 1) : 0;
  return Array.from({ length: count }, (_, index) => {
    const t = from + step * index;
    const answer = last ? { response: last.response, status: last.status, message: last.message } : { status: 0 };
    return {
      line: { t, end: t + 1, service, method, metadata: {}, deadline: null, request, response: undefined, ...answer },
      estimated: true,
    };
  });
}

function rawCalls(text: string): readonly RawCall[] {
  const calls: RawCall[] = [];
  const lastOf = new Map<string, z.infer<typeof callLine>>();
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const json: unknown = JSON.parse(line);
    const omitted = omittedLine.safeParse(json);
    if (omitted.success) {
      const key = `${omitted.data.method} ${JSON.stringify(omitted.data.request)}`;
      calls.push(...expanded(omitted.data, lastOf.get(key)));
      continue;
    }
    const call = callLine.parse(json);
    lastOf.set(`${call.method} ${JSON.stringify(call.request)}`, call);
    calls.push({ line: call, estimated: false });
  }
  return calls.toSorted((a, b) => a.line.t - b.line.t);
}

const textsOf = (metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? String(value[0]) : String(value),
    ]),
  );

function toRecord({ line, estimated }: RawCall, number: number, started: number, read: ReadMessage): CallRecord {
  const { t, end, service, method, connection, deadline, metadata, status, message, held, clientReset } = line;
  const request = read(method, 'request', line.request ?? {});
  const hasResponse = isRecord(line.response);
  const response = hasResponse ? read(method, 'response', line.response) : undefined;
  const size = (value: unknown): number => JSON.stringify(value ?? null).length;
  return {
    number,
    service,
    method,
    ...(typeof connection === 'number' && !estimated ? { connection } : {}),
    metadata: textsOf(metadata),
    t: started + t,
    deadline: deadline ?? undefined,
    request: 'message' in request ? request.message : undefined,
    ...('problem' in request ? { undecoded: { bytes: size(line.request), reason: request.problem } } : {}),
    ...(estimated ? { estimated } : {}),
    result:
      typeof end === 'number' || clientReset
        ? {
            end: started + (clientReset?.t ?? end ?? t),
            response: response && 'message' in response ? response.message : undefined,
            ...(response && 'problem' in response
              ? { undecoded: { bytes: size(line.response), reason: response.problem } }
              : {}),
            status: status ?? 0,
            message: message ?? '',
            ...(held ? { held: held.ms } : {}),
            ...(clientReset ? { reset: started + clientReset.t } : {}),
          }
        : undefined,
  };
}

function spanOf(entry: z.infer<typeof spanEntry>, started: number): ObservedSpan {
  const { t, ms, name, trace, id, parent, scope, attrs } = entry;
  return {
    t: started + t,
    end: started + t + ms,
    name,
    trace,
    id,
    parent: parent ?? '',
    scope: scope ?? '',
    attributes: attrs,
    error: undefined,
  };
}

const arrayOf = (text: string | undefined): readonly unknown[] => {
  const json: unknown = text === undefined ? [] : JSON.parse(text);
  return Array.isArray(json) ? json : [];
};

/** Finds the kubelet's version in the actions or the calls of the recording. */
function kubeletVersion(actions: string | undefined, calls: readonly RawCall[]): string | undefined {
  const agent = calls
    .map(({ line }) => textsOf(line.metadata)['user-agent'] ?? '')
    .find((text) => text.includes('kubelet'));
  const named =
    versionIn(actions?.replaceAll(/"(?:image|command|manifest)"[^}]*/g, '') ?? '') ?? versionIn(agent ?? '');
  if (named !== undefined) return named;
  // Kubelets up to v1.22 used the older API; v1.23 to v1.25 use it only with old runtimes.
  return calls.some(({ line }) => line.service.startsWith('runtime.v1alpha2')) ? 'v1.20.2' : undefined;
}

/**
 * Reads a session.
 * @throws SyntaxError for invalid JSON, ZodError for lines of another form
 */
export function readRecording(texts: RecordingTexts, read: ReadMessage): Recording {
  const actions = texts.actions === undefined ? undefined : actionsDocument.parse(JSON.parse(texts.actions));
  const started = actions ? parseTime(actions.started) : 0;
  const raw = rawCalls(texts.calls);
  const calls = raw.map((call, index) => toRecord(call, index + 1, started, read));
  const pods = arrayOf(texts.pods).map((entry): PodsSnapshot => {
    const { t, pods: list } = podsEntry.parse(entry);
    const items: readonly unknown[] = list.items ?? [];
    return { t: started + t, pods: items.filter(isPod) };
  });
  const spans = arrayOf(texts.spans).map((entry) => spanOf(spanEntry.parse(entry), started));
  const messages = raw.flatMap(({ line }, index) =>
    (line.messages ?? []).flatMap(({ t, message: json }) => {
      const decoded = read(line.method, 'response', json);
      return 'message' in decoded ? [{ call: index + 1, t: started + t, message: decoded.message }] : [];
    }),
  );
  return {
    calls,
    messages,
    pods,
    spans,
    startedAt: started,
    actions: (actions?.actions ?? []).map(({ t, action, pod }) => ({ t: started + t, action, pod })),
    facts: {
      version: kubeletVersion(texts.actions, raw),
      nodeName: undefined,
      featureGates: {},
      maxContainerRestartPeriod: undefined,
    },
  };
}
