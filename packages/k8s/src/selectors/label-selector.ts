/**
 * Parses label selectors, in text form (`app=web,tier in (front,back),!legacy`) and in object form. Upstream:
 * apimachinery labels.
 */

import type { StringMap } from '../types.ts';
import { isQualifiedName, isValidLabelValue } from '../validation/syntax.ts';

export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

export type LabelOperator = 'in' | 'notin' | '=' | '!=' | 'exists' | '!' | 'gt' | 'lt';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** A list of requirements. A label set must meet all of them; without requirements, every set matches. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  readonly matches: (labels: StringMap | undefined) => boolean;
}

/** The selector that matches every object. */
export const everyLabel: LabelSelector = selectorOf([]);

function selectorOf(requirements: readonly LabelRequirement[]): LabelSelector {
  return { requirements, matches: (labels = {}) => requirements.every((requirement) => holds(requirement, labels)) };
}

// oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive
function holds({ key, operator, values }: LabelRequirement, labels: StringMap): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '=':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      // `notin` also matches an object that doesn't have the label.
      return value === undefined || !values.includes(value);
    case 'gt':
    case 'lt':
      return (
        value !== undefined &&
        /^-?\d+$/.test(value) &&
        (operator === 'gt' ? Number(value) > Number(values[0]) : Number(value) < Number(values[0]))
      );
  }
}

const token = /\s*(?<word>[^\s,()=!<>]+|==|!=|[=!<>(),])/y;

/**
 * Parses the text form. The empty text matches every object. Upstream: labels.Parse (apimachinery, v1.36).
 * @throws SelectorError for an invalid text
 */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = tokenize(text);
  const requirements: LabelRequirement[] = [];
  let position = 0;
  const peek = (): string | undefined => tokens[position];
  const take = (): string | undefined => tokens[position++];
  while (position < tokens.length) {
    requirements.push(parseRequirement(peek, take));
    const separator = take();
    if (separator === undefined) break;
    if (separator !== ',')
      throw new SelectorError(`unable to parse requirement: found '${separator}', expected: ',' or 'end of string'`);
    if (peek() === undefined)
      throw new SelectorError("unable to parse requirement: found '', expected: identifier after ','");
  }
  return selectorOf(requirements);
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (token.lastIndex < trimmed.length) {
    const word = token.exec(trimmed)?.groups?.['word'];
    if (word === undefined) throw new SelectorError(`unable to parse requirement: can't understand '${trimmed}'`);
    tokens.push(word);
  }
  return tokens;
}

type Reader = () => string | undefined;

const comparisons: Readonly<Record<string, LabelOperator>> = {
  '=': '=',
  '==': '=',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
  in: 'in',
  notin: 'notin',
};

function parseRequirement(peek: Reader, take: Reader): LabelRequirement {
  if (peek() === '!') {
    take();
    return requirement(takeWord(take, 'identifier'), '!', []);
  }
  const key = takeWord(take, '!, identifier, or end of string');
  const next = peek();
  if (next === undefined || next === ',') return requirement(key, 'exists', []);
  const operator = Object.hasOwn(comparisons, next) ? comparisons[next] : undefined;
  if (operator === undefined) {
    throw new SelectorError(`unable to parse requirement: found '${next}', expected: in, notin, =, ==, !=, gt, lt`);
  }
  take();
  if (operator === 'in' || operator === 'notin') return requirement(key, operator, parseValues(peek, take));
  // `app=` compares the label with the empty text.
  const value = peek() === undefined || peek() === ',' ? '' : takeWord(take, 'identifier');
  return requirement(key, operator, [value]);
}

function takeWord(take: Reader, expected: string): string {
  const word = take();
  if (word === undefined || /^(?:==|!=|[=!<>(),])$/.test(word)) {
    throw new SelectorError(`unable to parse requirement: found '${word ?? ''}', expected: ${expected}`);
  }
  return word;
}

function parseValues(peek: Reader, take: Reader): string[] {
  const open = take();
  if (open !== '(') throw new SelectorError(`unable to parse requirement: found '${open ?? ''}' expected: '('`);
  const values: string[] = [];
  for (;;) {
    if (peek() === ',' || peek() === ')') values.push('');
    else values.push(takeWord(take, "',', or identifier"));
    const separator = take();
    if (separator === ')') return values;
    if (separator !== ',')
      throw new SelectorError(`unable to parse requirement: found '${separator ?? ''}', expected: ',' or ')'`);
  }
}

/** Returns a validated requirement. Upstream: labels.NewRequirement (apimachinery, v1.36). */
function requirement(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  const faults = isQualifiedName(key);
  if (faults.length > 0)
    throw new SelectorError(`unable to parse requirement: <nil>: Invalid value: "${key}": ${faults.join('; ')}`);
  if (operator === 'gt' || operator === 'lt') {
    if (!/^-?\d+$/.test(values[0] ?? '')) {
      throw new SelectorError("unable to parse requirement: for 'Gt', 'Lt' operators, the value must be an integer");
    }
  }
  for (const value of values) {
    const valueFaults = isValidLabelValue(value);
    if (valueFaults.length > 0)
      throw new SelectorError(
        `unable to parse requirement: values: Invalid value: "${value}": ${valueFaults.join('; ')}`,
      );
  }
  return { key, operator, values };
}

/** The object form of a selector, which affinities and controllers contain. */
export interface LabelSelectorObject {
  readonly matchLabels?: StringMap;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

const objectOperators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * Converts the object form to a selector. Upstream: metav1.LabelSelectorAsSelector (apimachinery, v1.36).
 * @throws SelectorError for an unknown operator
 */
export function labelSelectorOf({ matchLabels, matchExpressions }: LabelSelectorObject): LabelSelector {
  const equal = Object.entries(matchLabels ?? {}).map(([key, value]) => requirement(key, '=', [value]));
  const expressions = (matchExpressions ?? []).map(({ key, operator, values }) => {
    const known = Object.hasOwn(objectOperators, operator) ? objectOperators[operator] : undefined;
    if (known === undefined) throw new SelectorError(`"${operator}" is not a valid label selector operator`);
    return requirement(key, known, values ?? []);
  });
  return selectorOf([...equal, ...expressions]);
}
