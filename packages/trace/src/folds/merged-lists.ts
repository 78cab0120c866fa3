/** Merges lists of a fold that grow, such as the events of several pods, into one list in order. */

/** How lists are merged. */
export interface MergeRules<Source, Member, Row> {
  /** Identifies a list in its later versions. */
  readonly keyOf: (source: Source) => string | number;
  readonly membersOf: (source: Source) => readonly Member[];
  /** Returns the row of a member; undefined omits it. */
  readonly rowOf: (member: Member, source: Source) => Row | undefined;
  /** Returns the place of a row: a number by which the rows are ordered. */
  readonly placeOf: (row: Row) => number;
}

/** The part of a list that was read: a number of members, the last of which is `last`. */
interface ReadPart<Member> {
  readonly count: number;
  readonly last: Member | undefined;
}

export class MergedLists<Source, Member, Row> {
  readonly #rules: MergeRules<Source, Member, Row>;
  #rows: Row[] = [];
  #read = new Map<string | number, ReadPart<Member>>();

  constructor(rules: MergeRules<Source, Member, Row>) {
    this.#rules = rules;
  }

  /**
   * Returns the rows of these lists in order. While the lists grow, reads each member once and adds the new rows to the
   * same array. The array is another one if a list is missing or has other members than before, or if new rows belong
   * before known ones.
   */
  of(sources: readonly Source[]): readonly Row[] {
    const { keyOf, membersOf, rowOf, placeOf } = this.#rules;
    const readOf = (source: Source): ReadPart<Member> => this.#read.get(keyOf(source)) ?? { count: 0, last: undefined };
    const isGrown = (source: Source): boolean => {
      const { count, last } = readOf(source);
      return membersOf(source)[count - 1] === last;
    };
    const known = sources.filter((source) => this.#read.has(keyOf(source))).length;
    if (known < this.#read.size || !sources.every(isGrown)) {
      this.#rows = [];
      this.#read = new Map();
    }
    const inOrder = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => placeOf(a) - placeOf(b));
    const added = inOrder(
      sources.flatMap((source) => {
        const members = membersOf(source);
        const unread = members.slice(readOf(source).count);
        this.#read.set(keyOf(source), { count: members.length, last: members.at(-1) });
        return unread.flatMap((member) => rowOf(member, source) ?? []);
      }),
    );
    const [first] = added;
    const last = this.#rows.at(-1);
    if (first === undefined) return this.#rows;
    if (last !== undefined && placeOf(first) < placeOf(last)) this.#rows = inOrder([...this.#rows, ...added]);
    else for (const row of added) this.#rows.push(row);
    return this.#rows;
  }
}
