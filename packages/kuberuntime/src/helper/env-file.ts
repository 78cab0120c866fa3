/**
 * Parses environment files of a volume, which contain `NAME='value'` assignments. Upstream: pkg/util/env ParseEnv
 * (v1.36, gate EnvFiles).
 */

const assignment = /^([^=\s]+)='/;

/**
 * Returns the value of `key`, or undefined if the file doesn't set it. Values are in single quotes and may span lines;
 * only a comment may follow the closing quote.
 * @throws Error naming the first line that isn't an assignment
 */
export function readEnvFile(content: string, key: string): string | undefined {
  const lines = content.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? '').trimStart();
    if (line.trim() === '' || line.startsWith('#')) continue;
    const name = assignment.exec(line)?.[1];
    if (name === undefined) throw new Error(`line ${index + 1} is no assignment of the form NAME='value'`);
    const start = index;
    let value = line.slice(name.length + 2);
    while (!value.includes("'")) {
      index += 1;
      if (index >= lines.length) throw new Error(`the value that begins on line ${start + 1} has no closing quote`);
      value += `\n${lines[index] ?? ''}`;
    }
    const end = value.indexOf("'");
    const rest = value.slice(end + 1).trim();
    if (rest !== '' && !rest.startsWith('#')) throw new Error(`line ${index + 1} goes on after the closing quote`);
    if (name === key) return value.slice(0, end);
  }
  return undefined;
}
