/**
 * Converts values of the engine for CEL: read-only, whole numbers as integers, class instances and maps as maps.
 * Conversion is lazy. Each value that an expression reads is charged to a budget, so no expression can block the node.
 */

/** Number of values that an evaluation may read. A comparison of two numbers reads two values. */
const readBudget = 50_000;

/** Number of steps that all pattern searches of an evaluation may take together: about a second. */
const patternBudget = 50_000_000;

/** Thrown when an evaluation reaches one of its limits. */
class BudgetExceededError extends Error {
  override readonly name = 'BudgetExceededError';
}

/** Number of characters of a text that count as one value. */
const charactersPerLook = 64;

/** Limits the work of one evaluation. */
export class Budget {
  #left = readBudget;
  #patternSteps = patternBudget;

  /** Charges a text that is read. @throws BudgetExceededError */
  spendText(length: number): void {
    this.spend(Math.floor(length / charactersPerLook));
  }

  /** Charges values that are read. @throws BudgetExceededError */
  spend(looks = 1): void {
    this.#left -= looks;
    if (this.#left < 0) throw new BudgetExceededError(`the expression reads more than ${readBudget} values`);
  }

  /** Charges a search through `length` characters with a pattern of `size` instructions. @throws BudgetExceededError */
  spendPattern(length: number, size: number): void {
    this.#patternSteps -= (length + 1) * size;
    if (this.#patternSteps < 0)
      throw new BudgetExceededError(`a text of ${length} characters is too long for its pattern here`);
  }
}

const decoder = new TextDecoder();

/** Returns the members of an object by name: the entries of a map, the fields of an error. */
export function plainMembers(value: object): Readonly<Record<string, unknown>> {
  if (value instanceof Map)
    return Object.fromEntries(
      [...(value as ReadonlyMap<unknown, unknown>)].map(([key, member]) => [String(key), member]),
    );
  if (value instanceof Error) {
    const { name, message, cause } = value;
    return { name, message, ...Object.fromEntries(Object.entries(value)), ...(cause === undefined ? {} : { cause }) };
  }
  return value as Readonly<Record<string, unknown>>;
}

/** Returns the value in the form that CEL expects. @throws BudgetExceededError */
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
  const isPresent = (key: PropertyKey): key is string =>
    typeof key === 'string' && Object.hasOwn(members, key) && members[key] !== undefined;
  // The target of the proxy is an empty object, so an expression never reads inherited members such as `constructor`.
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (target, key) => (isPresent(key) ? celView(members[key], budget) : Reflect.get(target, key)),
      has: (_target, key) => isPresent(key),
      ownKeys: () => Object.keys(members).filter(isPresent),
      getOwnPropertyDescriptor: (_target, key) =>
        isPresent(key) ? { configurable: true, enumerable: true, value: celView(members[key], budget) } : undefined,
    },
  );
}
