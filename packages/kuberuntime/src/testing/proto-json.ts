/** Formats CRI messages as protobuf JSON does: fields with zero values are omitted, empty messages are kept. */
import { isRecord } from '@podscope/base';

/** The enum values with the number 0, by field. */
const zeroEnums: Readonly<Record<string, string>> = {
  network: 'POD',
  pid: 'POD',
  ipc: 'POD',
  mode: 'POD',
  protocol: 'TCP',
  propagation: 'PROPAGATION_PRIVATE',
  profileType: 'RuntimeDefault',
  supplementalGroupsPolicy: 'Merge',
  stopSignal: 'RUNTIME_DEFAULT',
};

const zeroStates: ReadonlySet<unknown> = new Set(['SANDBOX_READY', 'CONTAINER_CREATED']);

/** The map fields. They are omitted when empty, and their values aren't formatted as message fields. */
const maps = new Set(['labels', 'annotations', 'sysctls', 'unified', 'labelSelector']);

/** The fields of wrapper types, which are written even if their value is 0. */
const wrapped = new Set(['runAsUser', 'runAsGroup', 'uid']);

function isZero(key: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === 0n || value === false)
    return true;
  if (Array.isArray(value)) return value.length === 0;
  if (maps.has(key)) return Object.keys(value).length === 0;
  return zeroEnums[key] === value || (key === 'state' && zeroStates.has(value));
}

/** Returns a number if a double can represent the value exactly, otherwise a text. */
const integer = (value: bigint): number | string =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value.toString();

export function protoJSON(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(protoJSON);
  if (typeof value === 'bigint') return integer(value);
  if (!isRecord(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (isZero(key, inner)) continue;
    result[key] = maps.has(key) || wrapped.has(key) ? inner : protoJSON(inner);
  }
  return result;
}
