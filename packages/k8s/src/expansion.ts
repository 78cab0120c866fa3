/**
 * Expands `$(NAME)` references in commands, arguments, environment values and mount sub-paths. Upstream:
 * third_party/forked/golang/expansion (v1.36).
 */

/** Returns the value of a name, or undefined for an unknown name. */
export type ExpansionMapping = (name: string) => string | undefined;

/** Returns a mapping that looks up a name in several maps. The first map that contains the name provides the value. */
export function mappingOf(
  ...contexts: readonly (Readonly<Record<string, string>> | ReadonlyMap<string, string>)[]
): ExpansionMapping {
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
 * Replaces `$(NAME)` by its value and `$$` by `$`. Unknown names, a `$(` without its parenthesis and any other `$`
 * aren't changed. Values aren't expanded again. Upstream: expansion.Expand (third_party/forked/golang, v1.36).
 */
export function expand(input: string, mapping: ExpansionMapping): string {
  // No reference can end after the last `)`, so the search stops there. The time is therefore linear even for a text of
  // many `$(`.
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
