/** Finds doc comments whose `@param` names no parameter of the function below. */

/** A name after `@param` with the line of its comment. */
interface UnknownParam {
  readonly line: number;
  readonly name: string;
}

/** Returns the names after `@param` that the documented function doesn't have. */
export const unknownParams = (source: string): UnknownParam[] =>
  [...source.matchAll(/\/\*\*((?:[^*]|\*(?!\/))*)\*\//g)].flatMap(({ 0: comment, 1: text = '', index }) => {
    const names = [...text.matchAll(/@param (?:\{[^}]*\} )?\[?([\w$]+)/g)].map(([, name = '']) => name);
    if (names.length === 0) return [];
    const line = source.slice(0, index).split('\n').length;
    const parameters = parametersIn(source.slice(index + comment.length));
    return names.filter((name) => !has(parameters, name)).map((name) => ({ line, name }));
  });

/** Returns the text between the first parenthesis and the one that closes it. */
function parametersIn(code: string): string {
  const start = code.indexOf('(');
  let depth = 0;
  for (let at = start; at >= 0 && at < code.length; at++) {
    if (code[at] === '(') depth++;
    if (code[at] === ')' && --depth === 0) return code.slice(start, at + 1);
  }
  return '';
}

const has = (parameters: string, name: string): boolean =>
  new RegExp(`[({,.\\s]${name.replaceAll('$', '\\$')}\\s*[?:,=)}]`).test(parameters);
