/**
 * Issues references to the values of a stopped frame, valid until the thread continues. Upstream: variablesReference of
 * DAP.
 */
import type { EvaluateResult, Variable } from '@podscope/protocol';
import type { Span } from '@podscope/trace';
import { DebuggerError } from '../errors.ts';
import { exposedAt } from '../gate/span-boundary.ts';
import type { ThreadStop } from '../gate/threads.ts';
import type { StringPlace } from '../host.ts';
import { formatValue, isExpandable, type Mask, memberCount, membersOf, typeOf } from './format-value.ts';
import type { Snapshot } from './snapshots.ts';

/** The location of a referenced value. */
export interface Place {
  readonly stop: ThreadStop;
  readonly span: Span;
  /**
   * Prefix of the value's members in expressions and among exposed names, such as `podActions.`; undefined if
   * expressions can't refer to the value.
   */
  readonly path: string | undefined;
  /** Path of the value among all values of the frame, for comparing two stops. */
  readonly trail: string;
  readonly value: object;
}

/** Default number of members per page. */
const defaultPage = 100;

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Issues references and resolves them. */
export class VariableReferences {
  readonly #mask: Mask;
  readonly #places = new Map<number, Place>();
  #last = 0;

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  /** Returns a reference to a value, or 0 if it has no members. */
  add(place: Place): number {
    if (!isExpandable(place.value)) return 0;
    const reference = ++this.#last;
    this.#places.set(reference, place);
    return reference;
  }

  /** Invalidates the references of a stop. */
  end(stop: ThreadStop): void {
    for (const [reference, place] of this.#places) if (place.stop === stop) this.#places.delete(reference);
  }

  /** Returns the referenced value. @throws DebuggerError StaleReference */
  get(reference: number): Place {
    const place = this.#places.get(reference);
    if (place) return place;
    throw new DebuggerError(
      'StaleReference',
      `there is no variable ${reference} any more: its thread continued, request its scopes again`,
    );
  }

  /** Returns a page of members. @param previous the snapshot of the previous stop */
  page(
    place: Place,
    start: number,
    count: number | undefined,
    previous: Snapshot | undefined,
  ): { readonly variables: readonly Variable[]; readonly total: number } {
    const { total } = memberCount(place.value);
    const variables = membersOf(place.value, start, count ?? defaultPage).map(({ name, value }): Variable => {
      const path = memberPath(place, name);
      const trail = `${place.trail}/${name}`;
      return {
        name,
        ...this.describe(place.stop, place.span, value, path, trail, undefined, placeOf(place, name)),
        changeable: (path !== undefined && exposedAt(place.span, path)?.write !== undefined) || undefined,
        changed: previous?.differs(trail, value, placeOf(place, name)) || undefined,
      };
    });
    return { variables, total };
  }

  /**
   * Returns a value with a reference to it.
   * @param limit maximum length of the value's text, in characters
   * @param at where the value is in the object that contains it
   */
  describe(
    stop: ThreadStop,
    span: Span,
    value: unknown,
    path: string | undefined,
    trail: string,
    limit?: number,
    at?: StringPlace,
  ): EvaluateResult {
    const reference = isExpandable(value)
      ? this.add({ stop, span, path: path === undefined ? undefined : `${path}.`, trail, value })
      : 0;
    const { total, indexed } = reference > 0 ? memberCount(value as object) : { total: 0, indexed: false };
    return {
      value: formatValue(value, this.#mask, limit, at),
      type: typeOf(value),
      variablesReference: reference,
      namedVariables: reference > 0 && !indexed ? total : undefined,
      indexedVariables: reference > 0 && indexed ? total : undefined,
      evaluateName: path,
    };
  }
}

const placeOf = ({ value, trail }: Place, name: string): StringPlace => ({
  name,
  holder: value,
  within: trail.slice(trail.lastIndexOf('/') + 1),
});

/** Returns the expression for a member, or undefined if expressions can't refer to it. */
function memberPath({ path, value }: Place, name: string): string | undefined {
  if (path === undefined) return undefined;
  if (Array.isArray(value)) return `${path.replace(/\.$/, '')}[${name}]`;
  if (identifier.test(name)) return `${path}${name}`;
  return path === '' ? undefined : `${path.replace(/\.$/, '')}[${JSON.stringify(name)}]`;
}
