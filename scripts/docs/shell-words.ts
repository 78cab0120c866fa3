/** Splits the shell commands in the documentation into words. Supports only the syntax that the pages use. */

/** A command with its words; quotes are removed. */
export type ShellCommand = readonly string[];

/**
 * Returns the commands of a line: the commands of pipelines and lists, without comments, redirections and variables.
 */
export function commandsIn(line: string): readonly ShellCommand[] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let quote = '';
  const finish = (): void => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (let index = 0; index < line.length; index++) {
    const letter = line[index] ?? '';
    if (quote !== '') {
      if (letter === quote) quote = '';
      else word = (word ?? '') + letter;
    } else if (letter === "'" || letter === '"') {
      quote = letter;
      word ??= '';
    } else if (letter === '#' && word === undefined) break;
    else if (letter === ' ') finish();
    else if (letter === '|' || letter === ';' || (letter === '&' && line[index + 1] === '&')) {
      finish();
      if (letter === '&') index++;
      commands.push([]);
    } else word = (word ?? '') + letter;
  }
  finish();
  return commands.map(withoutShellParts).filter((words) => words.length > 0);
}

/** Removes assignments before a command, redirections with their files, and the `&` of background commands. */
function withoutShellParts(words: readonly string[]): ShellCommand {
  const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const found: string[] = [];
  const rest = start === -1 ? [] : words.slice(start);
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] ?? '';
    if (/^\d?>{1,2}$|^<$/.test(word)) index++;
    else if (word !== '&') found.push(word);
  }
  return found;
}

/** Returns the commands of a code block. In `console` blocks, only the lines after `$` are commands. */
export function commandsOfBlock(language: string, text: string): readonly ShellCommand[] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n');
  const typed =
    language === 'console' ? lines.flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : [])) : lines;
  return typed.flatMap(commandsIn);
}
