/** References into the values of a stopped frame, as DAP has them: good until the thread goes on. */
import type { EvaluateResult, Variable } from '@podscope/protocol';
import type { Span } from '@podscope/trace';
import { DebuggerError } from '../errors.ts';
import type { StringPlace } from '../host.ts';
import { exposedAt } from '../passage.ts';
import type { Stop } from '../threads.ts';
import { formatValue, isExpandable, type Mask, memberCount, membersOf, typeOf } from './format-value.ts';
import type { Snapshot } from './snapshots.ts';

/** Where a referenced value stands. */
export interface Place {
  readonly stop: Stop;
  readonly span: Span;
  /** Name for expressions and for what is exposed: `podActions.`; undefined where expressions do not reach. */
  readonly path: string | undefined;
  /** Where it stands among all values of the frame, for comparing stops. */
  readonly trail: string;
  readonly value: object;
}

/** Members of a page when nobody says how many. */
const defaultPage = 100;

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Gives out references and resolves them. */
export class VariableReferences {
  readonly #mask: Mask;
  readonly #places = new Map<number, Place>();
  #last = 0;

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  /** A reference to a value, 0 when there is nothing in it. */
  add(place: Place): number {
    if (!isExpandable(place.value)) return 0;
    const reference = ++this.#last;
    this.#places.set(reference, place);
    return reference;
  }

  /** Ends the references of a stop. */
  end(stop: Stop): void {
    for (const [reference, place] of this.#places) if (place.stop === stop) this.#places.delete(reference);
  }

  /** @throws DebuggerError StaleReference */
  get(reference: number): Place {
    const place = this.#places.get(reference);
    if (place) return place;
    throw new DebuggerError('StaleReference', `there is no variable ${reference} any more: its thread went on, ask for its scopes again`);
  }

  /** A page of members. @param previous what was there at the last stop */
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

  /** A value with a reference into it. @param limit most characters of its text @param at where it stands in what holds it */
  describe(stop: Stop, span: Span, value: unknown, path: string | undefined, trail: string, limit?: number, at?: StringPlace): EvaluateResult {
    const reference = isExpandable(value) ? this.add({ stop, span, path: path === undefined ? undefined : `${path}.`, trail, value }) : 0;
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

const placeOf = ({ value, trail }: Place, name: string): StringPlace => ({ name, holder: value, within: trail.slice(trail.lastIndexOf('/') + 1) });

/** The expression for a member. */
function memberPath({ path, value }: Place, name: string): string | undefined {
  if (path === undefined) return undefined;
  if (Array.isArray(value)) return `${path.replace(/\.$/, '')}[${name}]`;
  if (identifier.test(name)) return `${path}${name}`;
  return path === '' ? undefined : `${path.replace(/\.$/, '')}[${JSON.stringify(name)}]`;
}
