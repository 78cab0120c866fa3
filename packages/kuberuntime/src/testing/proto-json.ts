/** CRI messages as the protobuf JSON mapping prints them: fields that have their zero value are left out, messages stay even when empty. */

/** Enum values of number 0. */
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

/** Fields that are maps: left out when empty, and their values are no fields. */
const maps = new Set(['labels', 'annotations', 'sysctls', 'unified', 'labelSelector']);

/** Wrapped values keep their zero. */
const wrapped = new Set(['runAsUser', 'runAsGroup', 'uid']);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

function isZero(key: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === 0n || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (maps.has(key)) return Object.keys(value).length === 0;
  return zeroEnums[key] === value || (key === 'state' && zeroStates.has(value));
}

/** As a number while a double holds it exactly, else as a text. */
const integer = (value: bigint): number | string =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();

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
