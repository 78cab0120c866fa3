/** `$(NAME)` references in commands, arguments, environment values and mount sub-paths. */

/** The value of a name, or undefined if there is none. */
export type ExpansionMapping = (name: string) => string | undefined;

/** Looks names up in each map in turn; the first that has the name wins. */
export function mappingOf(...contexts: readonly (Readonly<Record<string, string>> | ReadonlyMap<string, string>)[]): ExpansionMapping {
  return (name) => {
    for (const context of contexts) {
      if (context instanceof Map) {
        if (context.has(name)) return context.get(name);
      } else if (Object.hasOwn(context, name)) {
        return (context as Readonly<Record<string, string>>)[name];
      }
    }
    return undefined;
  };
}

/**
 * Replaces `$(NAME)` by its value, `$$` by one `$`; an unknown name, an unclosed `$(` and any other `$` stay as they are. A value is never
 * expanded again.
 * Upstream: expansion.Expand (third_party/forked/golang, v1.36).
 */
export function expand(input: string, mapping: ExpansionMapping): string {
  // Beyond the last `)` no reference can close; knowing it keeps hostile texts linear.
  const lastClose = input.lastIndexOf(')');
  let output = '';
  let done = 0;
  for (let dollar = input.indexOf('$'); dollar !== -1; dollar = input.indexOf('$', done)) {
    output += input.slice(done, dollar);
    const next = input[dollar + 1];
    if (next === '$') {
      output += '$';
      done = dollar + 2;
    } else if (next === '(' && dollar < lastClose) {
      const close = input.indexOf(')', dollar);
      output += mapping(input.slice(dollar + 2, close)) ?? input.slice(dollar, close + 1);
      done = close + 1;
    } else {
      output += '$';
      done = dollar + 1;
    }
  }
  return output + input.slice(done);
}
