/**
 * Parses an environment file that is in a volume. The file contains assignments like `NAME='value'`. Upstream:
 * pkg/kubelet/util/env ParseEnv (v1.36, gate EnvFiles).
 */

/**
 * Returns the value of `key`; empty if the file doesn't set it. A value is in single quotes and may contain
 * newlines. After the closing quote, only a comment is allowed. As in a shell, a name followed by `=` and a blank gets
 * an empty value.
 * @throws Error that names the first line that isn't an assignment
 */
export function readEnvFile(content: string, key: string): string {
  const lines = content.replace(/\r?\n$/, '').split(/\r?\n/);
  const invalid = (index: number, problem: string): Error =>
    new Error(`invalid environment variable format at line ${index + 1}: ${problem}`);
  for (let index = 0; index < lines.length; index++) {
    const line = withoutBlanks(lines[index]);
    if (line === '' || line.startsWith('#')) continue;
    const equals = line.indexOf('=');
    const name = line.slice(0, equals);
    if (equals === -1) throw invalid(index, "missing '='");
    if (name === '') throw invalid(index, 'empty variable name');
    if (/[ \t]$/.test(name)) throw invalid(index, "whitespace before '=' is not allowed");
    let value = line.slice(equals + 1);
    if (/^[ \t]/.test(value)) {
      if (name === key) return '';
      continue;
    }
    if (!value.startsWith("'")) throw invalid(index, 'value must be enclosed in single quotes');
    const start = index;
    while (!value.includes("'", 1)) {
      index += 1;
      if (index >= lines.length) throw invalid(start, 'unclosed single quote');
      value += `\n${lines[index] ?? ''}`;
    }
    const end = value.indexOf("'", 1);
    const rest = withoutBlanks(value.slice(end + 1));
    if (rest !== '' && !rest.startsWith('#')) throw invalid(index, 'unexpected content after closing quote');
    if (name === key) return value.slice(1, end);
  }
  return '';
}

const withoutBlanks = (text = ''): string => text.replace(/^[ \t]+/, '');
