/**
 * Parses and formats breakpoints as one line of text, as `--break` and the names of DAP function breakpoints have them.
 *
 *     [before|after|error] PLACE [NAME=VALUE]… [once] [disabled] [if CONDITION] [log MESSAGE]
 *
 * PLACE is a point or a pattern of points (`cri.*`), a function that has points (`SyncPod`), `kind:KIND`,
 * `decision:RULE`, or `FILE:LINE` of the engine. NAME is one of `pod`, `namespace`, `container`, `containerType`,
 * `threads`, `hits`.
 */
import {
  type BreakpointSpec,
  breakpointSpecSchema,
  type ExceptionFilter,
  type ExceptionFilterSpec,
  exceptionFilters,
} from '@podscope/protocol';

/** Thrown for a text that isn't a valid breakpoint. The message names the missing or wrong part. */
export class BreakSpecError extends Error {
  override readonly name = 'BreakSpecError';
}

const pattern = /^(?<head>.*?)(?:\s+if\s+(?<condition>.*?))?(?:\s+log\s+(?<logMessage>.*))?$/s;
const sourcePattern = /^(?<path>.*\.tsx?):(?<line>\d+)$/;
const whens: ReadonlySet<string> = new Set(['before', 'after', 'error']);
/** Maps each NAME of `NAME=VALUE` to a member of the breakpoint. */
const members: Readonly<Record<string, string>> = {
  namespace: 'namespace',
  pod: 'pod',
  container: 'container',
  containerType: 'containerType',
  threads: 'threads',
  hits: 'hitCondition',
};

function placeOf(text: string): Partial<BreakpointSpec> {
  const source = sourcePattern.exec(text)?.groups;
  if (source) return { source: { path: source['path'] ?? '', line: Number(source['line']) } };
  if (text.startsWith('kind:')) return { kind: text.slice('kind:'.length) };
  if (text.startsWith('decision:')) return { decision: text.slice('decision:'.length) };
  return { point: text };
}

/** Splits a text into words. A value may be quoted. */
const wordsOf = (text: string): readonly string[] =>
  text.match(/(?:[^\s"]+|"[^"]*")+/g)?.map((word) => word.replaceAll('"', '')) ?? [];

function optionOf(word: string): Partial<BreakpointSpec> {
  if (word === 'once') return { oneShot: true };
  if (word === 'disabled') return { enabled: false };
  const [name = '', value] = word.split(/=(.*)/s);
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  if (member === undefined || value === undefined)
    throw new BreakSpecError(
      `${JSON.stringify(word)} is unknown: after the place, a breakpoint can have ` +
        `${Object.keys(members).join('=…, ')}=…, once, if CONDITION, log MESSAGE`,
    );
  return { [member]: value };
}

/** Parses a breakpoint. @throws BreakSpecError for an invalid text */
export function parseBreakSpec(text: string): BreakpointSpec {
  const { head = '', condition, logMessage } = pattern.exec(text.trim())?.groups ?? {};
  const words = wordsOf(head);
  const when = whens.has(words[0] ?? '') ? words[0] : undefined;
  const [place, ...rest] = when === undefined ? words : words.slice(1);
  if (place === undefined)
    throw new BreakSpecError(
      'a breakpoint names a place: a point such as cri.CreateContainer, kind:KIND, decision:RULE or FILE:LINE',
    );
  const spec = Object.assign(
    placeOf(place),
    when && { when },
    condition !== undefined && { condition },
    logMessage !== undefined && { logMessage },
    ...rest.map(optionOf),
  );
  const parsed = breakpointSpecSchema.safeParse(spec);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BreakSpecError(`${issue?.path.join('.') || 'the breakpoint'}: ${issue?.message ?? 'is invalid'}`);
}

/** Formats a breakpoint so that {@link parseBreakSpec} parses it back to the same breakpoint. */
export function formatBreakSpec({
  point,
  kind,
  decision,
  source,
  when,
  condition,
  logMessage,
  oneShot,
  enabled,
  ...narrowing
}: BreakpointSpec): string {
  const place =
    point ??
    (kind === undefined ? undefined : `kind:${kind}`) ??
    (decision === undefined ? `${source?.path}:${source?.line}` : `decision:${decision}`);
  const named = Object.entries(members).flatMap(([name, member]) => {
    const value = (narrowing as Readonly<Record<string, string | undefined>>)[member];
    return value === undefined ? [] : [`${name}=${/\s/.test(value) ? `"${value}"` : value}`];
  });
  return [
    ...(when === undefined ? [] : [when]),
    place,
    ...named,
    ...(oneShot ? ['once'] : []),
    ...(enabled === false ? ['disabled'] : []),
    ...(condition === undefined ? [] : [`if ${condition}`]),
    ...(logMessage === undefined ? [] : [`log ${logMessage}`]),
  ].join(' ');
}

const isFilter = (name: string): name is ExceptionFilter => Object.hasOwn(exceptionFilters, name);

/** Parses the argument of `--break`: a breakpoint, or the name of an exception filter. @throws BreakSpecError */
export function parseBreakArgument(
  text: string,
): { readonly breakpoint: BreakpointSpec } | { readonly filter: ExceptionFilterSpec } {
  const [name = '', condition] = text.trim().split(/\s+if\s+(.*)/s);
  return isFilter(name)
    ? { filter: { filter: name, ...(condition ? { condition } : {}) } }
    : { breakpoint: parseBreakSpec(text) };
}
