/**
 * Decodes spans of the OpenTelemetry protocol from protobuf. Upstream: opentelemetry/proto/collector/trace/v1
 * ExportTraceServiceRequest.
 */
import type { ObservedSpan } from '@podscope/observer';
import { fromNanoseconds } from '@podscope/trace';
import protobuf from 'protobufjs';

type Reader = protobuf.Reader;

/** Handlers for the fields of a message, by field number. Fields without a handler are skipped. */
type Fields = Readonly<Record<number, (reader: Reader) => void>>;

function readFields(reader: Reader, end: number, fields: Fields): void {
  while (reader.pos < end) {
    const tag = reader.uint32();
    const read = fields[tag >>> 3];
    if (read) read(reader);
    else reader.skipType(tag & 7);
  }
}

function readMessage(reader: Reader, fields: Fields): void {
  const length = reader.uint32();
  readFields(reader, reader.pos + length, fields);
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

type Long = ReturnType<Reader['fixed64']>;

/** Converts nanoseconds since the Unix epoch to milliseconds. */
function milliseconds(value: Long): number {
  const nanoseconds =
    typeof value === 'number' ? BigInt(value) : (BigInt(value.high >>> 0) << 32n) | BigInt(value.low >>> 0);
  return fromNanoseconds(nanoseconds);
}

function readValue(reader: Reader): unknown {
  let value: unknown;
  readMessage(reader, {
    1: (each) => (value = each.string()),
    2: (each) => (value = each.bool()),
    3: (each) => (value = Number(each.int64())),
    4: (each) => (value = each.double()),
  });
  return value;
}

function readAttribute(reader: Reader, into: Record<string, unknown>): void {
  let key = '';
  let value: unknown;
  readMessage(reader, { 1: (each) => (key = each.string()), 2: (each) => (value = readValue(each)) });
  if (key !== '') Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
}

interface Draft {
  t: number;
  end: number;
  name: string;
  trace: string;
  id: string;
  parent: string;
  error: string | undefined;
  readonly attributes: Record<string, unknown>;
}

function readSpan(reader: Reader): Draft {
  const span: Draft = { t: 0, end: 0, name: '', trace: '', id: '', parent: '', error: undefined, attributes: {} };
  readMessage(reader, {
    1: (each) => (span.trace = hex(each.bytes())),
    2: (each) => (span.id = hex(each.bytes())),
    4: (each) => (span.parent = hex(each.bytes())),
    5: (each) => (span.name = each.string()),
    7: (each) => (span.t = milliseconds(each.fixed64())),
    8: (each) => (span.end = milliseconds(each.fixed64())),
    9: (each) => readAttribute(each, span.attributes),
    15: (each) => {
      let message = '';
      let code = 0;
      readMessage(each, { 2: (at) => (message = at.string()), 3: (at) => (code = at.int32()) });
      if (code === errorCode) span.error = message;
    },
  });
  return span;
}

/** The status code of a failed span: STATUS_CODE_ERROR. */
const errorCode = 2;

/**
 * Returns the spans of a request, in order of their starts.
 * @throws RangeError or Error for invalid bytes
 */
export function decodeSpans(bytes: Uint8Array): readonly ObservedSpan[] {
  const spans: ObservedSpan[] = [];
  const reader = protobuf.Reader.create(bytes);
  readFields(reader, reader.len, {
    1: (resource) =>
      readMessage(resource, {
        2: (scoped) => {
          let scope = '';
          const own: Draft[] = [];
          readMessage(scoped, {
            1: (each) => readMessage(each, { 1: (at) => (scope = at.string()) }),
            2: (each) => void own.push(readSpan(each)),
          });
          spans.push(...own.map((span) => ({ ...span, scope })));
        },
      }),
  });
  return spans.toSorted((a, b) => a.t - b.t);
}
