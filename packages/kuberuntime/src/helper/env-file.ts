/**
 * Parses an environment file that is in a volume. The file contains assignments like `NAME='value'`. Upstream:
 * pkg/util/env ParseEnv (v1.36, gate EnvFiles).
 */

const assignment = /^([^=\s]+)='/;

/**
 * Returns the value of `key`; undefined if the file doesn't set it. A value is in single quotes and may contain
 * newlines. After the closing quote, only a comment is allowed.
 * @throws Error that names the first line that isn't an assignment
 */
export function readEnvFile(content: string, key: string): string | undefined {
  const lines = content.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? '').trimStart();
    if (line.trim() === '' || line.startsWith('#')) continue;
    const name = assignment.exec(line)?.[1];
    if (name === undefined) throw new Error(`line ${index + 1} is not an assignment of the form NAME='value'`);
    const start = index;
    let value = line.slice(name.length + 2);
    while (!value.includes("'")) {
      index += 1;
      if (index >= lines.length) throw new Error(`the value that begins on line ${start + 1} has no closing quote`);
      value += `\n${lines[index] ?? ''}`;
    }
    const end = value.indexOf("'");
    const rest = value.slice(end + 1).trim();
    if (rest !== '' && !rest.startsWith('#')) throw new Error(`line ${index + 1} has text after the closing quote`);
    if (name === key) return value.slice(0, end);
  }
  return undefined;
}
