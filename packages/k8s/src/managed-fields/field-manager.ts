/**
 * Records which manager owns which fields (`metadata.managedFields`) on every write, and implements server-side apply.
 * Apply changes only the fields in the applied configuration and reports conflicts with other managers. Upstream:
 * apimachinery util/managedfields and structured-merge-diff's merge.Updater (v1.36).
 */

import type { ObjectSchema } from '../schema/schema.ts';
import type { Time } from '../types.ts';
import {
  difference,
  type FieldPath,
  type FieldSet,
  formatFieldPath,
  fromFieldsV1,
  intersection,
  isWithin,
  sameFields,
  toFieldsV1,
  union,
} from './field-set.ts';
import { coversAny, mergeConfiguration, withoutFields } from './merge.ts';
import { compareFields, fieldsOf } from './structure.ts';

type Data = Readonly<Record<string, unknown>>;

/** The manager, operation and time of a write. */
export interface FieldManager {
  readonly name: string;
  readonly apiVersion: string;
  readonly time: Time;
  /** The subresource, for example `status`; absent for the object itself. */
  readonly subresource?: string;
}

interface Managed extends FieldManager {
  readonly operation: 'Apply' | 'Update';
  readonly fields: FieldSet;
}

/** A field that another manager owns. Upstream: metav1.StatusCause of type FieldManagerConflict. */
export interface FieldConflict {
  /** The message, for example `conflict with "kubectl-edit" using v1`. */
  readonly message: string;
  readonly field: string;
}

/** Thrown when the applied configuration contains fields that other managers own. */
export class ApplyConflictError extends Error {
  override readonly name = 'ApplyConflictError';
  readonly conflicts: readonly FieldConflict[];

  constructor(conflicts: readonly (FieldConflict & { readonly manager: string })[]) {
    super(conflictText(conflicts));
    this.conflicts = conflicts.map(({ message, field }) => ({ message, field }));
  }
}

/**
 * The maximum number of managers with the operation Update. If an object has more, the oldest entries are merged.
 * Upstream: DefaultMaxUpdateManagers.
 */
const maxUpdateManagers = 10;
const ancientManager = 'ancient-changes';

/** The fields that only the server sets. They have no owner. Upstream: stripMetaManager. */
const unowned = new Set<FieldPath>([
  'f:apiVersion',
  'f:kind',
  'f:metadata',
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => `f:metadata\0f:${name}`),
]);
const managedFieldsPath = 'f:metadata\0f:managedFields';

/**
 * Returns the parts of an object that a write to this subresource doesn't change. Upstream: GetResetFields of the
 * strategies.
 */
const foreignParts = (subresource: string | undefined): readonly FieldPath[] =>
  subresource === 'status' ? ['f:spec'] : ['f:status'];

function owned(fields: FieldSet, subresource: string | undefined): FieldSet {
  const foreign = foreignParts(subresource);
  return new Set(
    [...fields].filter(
      (path) =>
        !unowned.has(path) && !isWithin(path, managedFieldsPath) && !foreign.some((part) => isWithin(path, part)),
    ),
  );
}

const isSame = (
  a: FieldManager & { readonly operation: string },
  b: FieldManager & { readonly operation: string },
): boolean =>
  a.name === b.name && a.operation === b.operation && a.apiVersion === b.apiVersion && a.subresource === b.subresource;

const metadataOf = (
  object: { readonly metadata?: { readonly managedFields?: unknown } } | undefined,
): { readonly managedFields?: unknown } => object?.metadata ?? {};

function readManaged(object: object | undefined): Managed[] {
  const { managedFields } = metadataOf(object);
  if (!Array.isArray(managedFields)) return [];
  return managedFields.flatMap((entry: Readonly<Record<string, unknown>> | null): Managed[] => {
    const { manager, operation, apiVersion, time, subresource, fieldsV1 } = entry ?? {};
    const fields = fromFieldsV1(fieldsV1);
    if (!fields || typeof manager !== 'string' || (operation !== 'Apply' && operation !== 'Update')) return [];
    return [
      {
        name: manager,
        operation,
        apiVersion: String(apiVersion),
        time: typeof time === 'string' ? time : '',
        fields,
        ...(typeof subresource === 'string' && subresource && { subresource }),
      },
    ];
  });
}

/**
 * Formats the entries as an object contains them: those with the operation Apply first, then by time. Upstream:
 * sortEncodedManagedFields.
 */
function writeManaged(managed: readonly Managed[]): readonly unknown[] {
  return managed
    .filter(({ fields }) => fields.size > 0)
    .toSorted((a, b) => compare(a.operation, b.operation) || compare(a.time, b.time) || compare(a.name, b.name))
    .map(({ name, operation, apiVersion, time, fields, subresource }) => ({
      manager: name,
      operation,
      apiVersion,
      ...(time && { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(fields),
      ...(subresource && { subresource }),
    }));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Merges the oldest Update entries beyond the limit. Upstream: capManagersManager. */
function capped(managed: readonly Managed[]): readonly Managed[] {
  const updates = managed
    .filter(({ operation, subresource }) => operation === 'Update' && !subresource)
    .toSorted((a, b) => compare(a.time, b.time));
  const excess = updates.slice(
    0,
    Math.max(0, updates.length - maxUpdateManagers + (updates.length > maxUpdateManagers ? 1 : 0)),
  );
  const [oldest] = excess;
  if (!oldest || excess.length < 2) return managed;
  const fields = excess.reduce<FieldSet>((all, entry) => union(all, entry.fields), new Set());
  const time = excess.at(-1)?.time ?? oldest.time;
  return [...managed.filter((entry) => !excess.includes(entry)), { ...oldest, name: ancientManager, time, fields }];
}

/**
 * Returns `metadata.managedFields` after a write other than apply. Entries in `next` are used as they are, so that
 * clients can change them. Upstream: FieldManager.Update.
 * @param live the previous object; undefined for a new one
 */
export function trackUpdate(
  schema: ObjectSchema,
  live: object | undefined,
  next: object,
  manager: FieldManager,
): readonly unknown[] {
  const managed = readManaged(Array.isArray(metadataOf(next).managedFields) ? next : live);
  const { added, modified, removed } = compareFields(
    schema,
    live ?? { metadata: {}, spec: { containers: [] }, status: {} },
    next,
  );
  const gained = owned(union(added, modified), manager.subresource);
  const own: Managed = { ...manager, operation: 'Update', fields: gained };
  const result: Managed[] = [];
  let before: Managed | undefined;
  for (const entry of managed) {
    const left = difference(entry.fields, removed);
    if (isSame(entry, own)) before = { ...entry, fields: left };
    else result.push({ ...entry, fields: difference(left, modified) });
  }
  const fields = union(before?.fields ?? new Set<FieldPath>(), gained);
  const unchanged = before !== undefined && sameFields(fields, before.fields) && modified.size === 0;
  if (fields.size > 0) result.push({ ...own, fields, time: unchanged && before ? before.time : manager.time });
  return writeManaged(capped(result));
}

/**
 * Applies a configuration to the live object and returns the result, including `metadata.managedFields`. Upstream:
 * FieldManager.Apply.
 * @param live undefined for a new object
 * @param force whether to take over fields from other managers
 * @throws ApplyConflictError if other managers own fields and `force` is false
 */
export function applyConfiguration(
  schema: ObjectSchema,
  live: object | undefined,
  configuration: Data,
  manager: FieldManager,
  force: boolean,
): Data {
  const managed = managersOf(schema, live, manager);
  const own = { ...manager, operation: 'Apply' as const };
  const before = managed.find((entry) => isSame(entry, own))?.fields ?? new Set<FieldPath>();
  const others = managed.filter((entry) => !isSame(entry, own));
  const fields = owned(fieldsOf(schema, configuration), manager.subresource);
  const merged = mergeConfiguration(schema, live ?? {}, withoutManagedFields(configuration));
  const { added, modified } = compareFields(schema, live ?? {}, merged);
  const changed = union(added, modified);
  const conflicts = others.flatMap((entry) =>
    [...intersection(entry.fields, changed)].map((path) => ({ entry, path })),
  );
  if (conflicts.length > 0 && !force) {
    throw new ApplyConflictError(
      conflicts.map(({ entry, path }) => ({
        manager: managerText(entry),
        message: `conflict with ${managerText(entry)}`,
        field: formatFieldPath(path),
      })),
    );
  }
  const rest = others.map((entry) => ({ ...entry, fields: difference(entry.fields, changed) }));
  const dropped = difference(before, fields);
  const stillOwned = [...rest.map((entry) => entry.fields), fields];
  const isRemoved = (path: FieldPath): boolean => dropped.has(path) && !stillOwned.some((set) => coversAny(set, path));
  const pruned = (dropped.size > 0 ? withoutFields(schema, merged, isRemoved) : merged) as Data;
  const { removed } = compareFields(schema, live ?? {}, pruned);
  const entries = [
    ...rest.map((entry) => ({ ...entry, fields: difference(entry.fields, removed) })),
    { ...own, fields },
  ];
  const previous = managed.find((entry) => isSame(entry, own));
  const same = previous && sameFields(previous.fields, fields) && changed.size === 0 && removed.size === 0;
  const managedFields = writeManaged(same ? managed : entries);
  return { ...pruned, metadata: { ...(pruned['metadata'] as Data), managedFields } };
}

const withoutManagedFields = (configuration: Data): Data => {
  const { managedFields: _, ...metadata } = (configuration['metadata'] ?? {}) as Data;
  return { ...configuration, metadata };
};

/**
 * Returns the managers of an object. For an object without managers, returns one manager that owns all existing fields.
 * Upstream: skipNonAppliedManager.
 */
function managersOf(
  schema: ObjectSchema,
  live: object | undefined,
  { apiVersion, time }: FieldManager,
): readonly Managed[] {
  const managed = readManaged(live);
  if (managed.length > 0 || !live) return managed;
  return [
    {
      name: 'before-first-apply',
      operation: 'Update',
      apiVersion,
      time,
      fields: owned(fieldsOf(schema, live), undefined),
    },
  ];
}

/** Describes a manager in a conflict message. Upstream: printManager (managedfields/internal/conflict.go). */
function managerText({ name, subresource, operation, apiVersion, time }: Managed): string {
  const text = `${JSON.stringify(name)}${subresource ? ` with subresource ${JSON.stringify(subresource)}` : ''}`;
  if (operation === 'Apply') return text;
  return `${text} using ${apiVersion}${time ? ` at ${time}` : ''}`;
}

/** Returns the message for all conflicts of an apply request. Upstream: getConflictMessage. */
function conflictText(conflicts: readonly { readonly manager: string; readonly field: string }[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first)
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`;
  const managers = [...new Set(conflicts.map(({ manager }) => manager))].toSorted();
  const texts = managers.map((manager) => {
    const fields = conflicts.filter((conflict) => conflict.manager === manager).map(({ field }) => `- ${field}`);
    return `conflicts with ${manager}:\n${fields.join('\n')}`;
  });
  return `Apply failed with ${conflicts.length} conflicts: ${texts.join('\n')}`;
}
