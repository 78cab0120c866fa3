/** Formats the options of the server for `--help` and for the documentation. */
import { callOf } from '@podscope/command-line';
import { type OptionDefinition, optionDefinitions } from './option-definitions.ts';

/** An option of the server as the documentation shows it. */
export interface DocumentedOption {
  readonly name: string;
  /** The placeholder of the value, for example `PORT`. Absent for an option without a value. */
  readonly value?: string;
  readonly help: string;
  /** The default value as `--help` shows it. Absent if the option has no default. */
  readonly shownDefault?: string;
}

/** Returns every option of the server, in the order of `--help`. */
export const documentedOptions = (): readonly DocumentedOption[] =>
  optionDefinitions.map((definition: OptionDefinition) => {
    const { name, value, help } = definition;
    const shown = definition.shownDefault ?? definition.fallback?.({});
    return {
      name,
      help,
      ...(value === undefined ? {} : { value }),
      ...(shown === undefined ? {} : { shownDefault: shown }),
    };
  });

function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join(`\n${indent}`);
}

/** Returns the text of `--help`. */
export function helpText(): string {
  const indent = ' '.repeat(28);
  const rows = documentedOptions().map(({ name, value, help: text, shownDefault }) => {
    const option = `--${name}${value ? ` ${value}` : ''}`;
    const help = wrap(`${text}${shownDefault ? ` (default: ${shownDefault})` : ''}`, 92, indent);
    return option.length > 24 ? `  ${option}\n${indent}${help}` : `  ${option.padEnd(26)}${help}`;
  });
  return [
    'Podscope: watch the kubelet run your pods, step by step, in the browser.',
    '',
    `Usage: ${callOf('start')} [options]`,
    '',
    'Options:',
    ...rows,
    '',
    'The server prints the address of the page and the path of a kubeconfig for kubectl.',
    'Ctrl+C stops it cleanly; a second Ctrl+C at once.',
  ].join('\n');
}
