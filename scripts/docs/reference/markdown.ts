/** Formats Markdown tables in the same way as the project's formatter. */

/** Returns a note for the first line of a generated page. @param part the argument of `generate` */
export const generatedNote = (source: string, part: string): string =>
  `<!-- Generated from ${source} by \`npx -y pnpm@12 generate ${part}\`. Do not edit. -->`;

/** Returns the lines of a table. Each column is as wide as its longest cell. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll(/(?<!\\)\|/g, String.raw`\|`)));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => width(row[column] ?? ''))));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell))).join(' | ')} |`;
  const [first = [], ...others] = cells;
  return [line(first), line(widths.map((columns) => '-'.repeat(columns))), ...others.map(line)];
}

/** Returns the number of columns that a text needs. A Chinese character needs two. */
const width = (text: string): number => text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);
