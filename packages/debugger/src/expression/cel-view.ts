/**
 * Values of the engine as CEL sees them: read-only, whole numbers as integers, absent members absent, class instances and maps as maps.
 * Made on the way, as far as an expression looks; each look costs of a budget, so that no expression can keep the node busy.
 */

/** Looks an evaluation may take. A comparison of two numbers takes two. */
const lookBudget = 50_000;

/** The expression looked at more than it may. */
class BudgetExceededError extends Error {
  override readonly name = 'BudgetExceededError';
  constructor() {
    super(`the expression looks at more than ${lookBudget} values`);
  }
}

/** A pattern must not look through a text of this length. */
class TextTooLongError extends Error {
  override readonly name = 'TextTooLongError';
  constructor(length: number, limit: number) {
    super(`a text of ${length} characters is too long for the pattern, which may look at ${limit}`);
  }
}

/** Characters of text that count as one look. */
const charactersPerLook = 64;

/** Counts looks. */
export class Budget {
  #left = lookBudget;
  readonly #maxText: number;

  /** @param maxText characters a text may have */
  constructor(maxText: number = Number.POSITIVE_INFINITY) {
    this.#maxText = maxText;
  }

  /** @throws BudgetExceededError */
  spendText(length: number): void {
    if (length > this.#maxText) throw new TextTooLongError(length, this.#maxText);
    this.spend(Math.floor(length / charactersPerLook));
  }

  /** @throws BudgetExceededError */
  spend(looks = 1): void {
    this.#left -= looks;
    if (this.#left < 0) throw new BudgetExceededError();
  }
}

const decoder = new TextDecoder();

/** Members that are there, by name. */
export function plainMembers(value: object): Readonly<Record<string, unknown>> {
  if (value instanceof Map) return Object.fromEntries([...(value as ReadonlyMap<unknown, unknown>)].map(([key, member]) => [String(key), member]));
  if (value instanceof Error) {
    const { name, message, cause } = value;
    return { name, message, ...Object.fromEntries(Object.entries(value)), ...(cause === undefined ? {} : { cause }) };
  }
  return value as Readonly<Record<string, unknown>>;
}

/** The value as CEL takes it. */
export function celView(value: unknown, budget: Budget): unknown {
  budget.spend();
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'object':
      return value === null ? null : viewObject(value, budget);
    case 'string':
      budget.spendText(value.length);
      return value;
    case 'undefined':
      return null;
    case 'function':
    case 'symbol':
      return String(value);
    default:
      return value;
  }
}

function viewObject(value: object, budget: Budget): unknown {
  if (value instanceof Uint8Array) return celView(decoder.decode(value), budget);
  if (value instanceof Set) return celView([...(value as ReadonlySet<unknown>)], budget);
  if (Array.isArray(value)) {
    budget.spend(value.length);
    return value.map((item: unknown) => celView(item, budget));
  }
  const members = plainMembers(value);
  const isPresent = (key: PropertyKey): key is string => typeof key === 'string' && Object.hasOwn(members, key) && members[key] !== undefined;
  // Nothing may be inherited: an expression sees data only.
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (target, key) => (isPresent(key) ? celView(members[key], budget) : Reflect.get(target, key)),
      has: (_target, key) => isPresent(key),
      ownKeys: () => Object.keys(members).filter(isPresent),
      getOwnPropertyDescriptor: (_target, key) => (isPresent(key) ? { configurable: true, enumerable: true, value: celView(members[key], budget) } : undefined),
    },
  );
}
