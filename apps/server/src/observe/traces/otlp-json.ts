/**
 * Parses spans in the JSON format of OTLP, as trace storages return it. Ids are hexadecimal (OTLP, Jaeger) or base64
 * (Tempo); enums are numbers or names. Upstream: opentelemetry-proto trace/v1 TracesData.
 */
import type { StoredSpan } from '@podscope/observer';
import { fromNanoseconds } from '@podscope/trace';
import { z } from 'zod';

const anyValue = z
  .object({
    stringValue: z.string(),
    boolValue: z.boolean(),
    intValue: z.union([z.string(), z.number()]),
    doubleValue: z.number(),
    arrayValue: z.object({ values: z.array(z.record(z.string(), z.unknown())).nullish() }),
  })
  .partial();
const attributes = z.array(z.object({ key: z.string(), value: anyValue.nullish() })).nullish();
const nanosecondsText = z.union([z.string(), z.number()]).nullish();
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().nullish(),
  name: z.string().default(''),
  startTimeUnixNano: nanosecondsText,
  endTimeUnixNano: nanosecondsText,
  attributes,
  status: z.object({ code: z.union([z.number(), z.string()]).nullish(), message: z.string().nullish() }).nullish(),
});
const scopeSpans = z.object({
  scope: z.object({ name: z.string().nullish() }).nullish(),
  spans: z.array(span).nullish(),
});
const resourceSpans = z.object({
  resource: z.object({ attributes }).nullish(),
  scopeSpans: z.array(scopeSpans).nullish(),
});

/** The body of a response. Tempo's first API names the list `batches`. */
export const tracesData = z.object({
  resourceSpans: z.array(resourceSpans).nullish(),
  batches: z.array(resourceSpans).nullish(),
});
export type TracesData = z.infer<typeof tracesData>;

type Values = Readonly<Record<string, unknown>>;

function valueOf(value: z.infer<typeof anyValue>): unknown {
  if (value.intValue !== undefined) return Number(value.intValue);
  if (value.arrayValue) return (value.arrayValue.values ?? []).map((each) => valueOf(anyValue.parse(each)));
  return value.stringValue ?? value.boolValue ?? value.doubleValue;
}

const valuesOf = (list: z.infer<typeof attributes>): Values =>
  Object.fromEntries((list ?? []).map(({ key, value }) => [key, value ? valueOf(value) : undefined]));

/**
 * Returns an id in hexadecimal.
 * @param length the number of bytes of the id
 */
function hexId(text: string, length: number): string {
  if (text === '') return '';
  return /^[\da-f]+$/i.test(text) && text.length === length * 2
    ? text.toLowerCase()
    : Buffer.from(text, 'base64')
        .toString('hex')
        .padStart(length * 2, '0');
}

const milliseconds = (text: z.infer<typeof nanosecondsText>): number => fromNanoseconds(BigInt(text ?? 0));
const isError = (code: number | string | null | undefined): boolean => code === 2 || code === 'STATUS_CODE_ERROR';

/** Returns the spans of a response, in their order. */
export function spansOf({ resourceSpans: found, batches }: TracesData): readonly StoredSpan[] {
  return (found ?? batches ?? []).flatMap(({ resource, scopeSpans: scopes }) => {
    const own = valuesOf(resource?.attributes);
    return (scopes ?? []).flatMap(({ scope, spans }) =>
      (spans ?? []).map((each): StoredSpan => {
        const t = milliseconds(each.startTimeUnixNano);
        const end = milliseconds(each.endTimeUnixNano);
        return {
          t,
          end: Math.max(t, end),
          name: each.name,
          trace: hexId(each.traceId, 16),
          id: hexId(each.spanId, 8),
          parent: hexId(each.parentSpanId ?? '', 8),
          scope: scope?.name ?? '',
          attributes: valuesOf(each.attributes),
          error: isError(each.status?.code) ? (each.status?.message ?? '') : undefined,
          resource: own,
        };
      }),
    );
  });
}
