/** Generates completion scripts for shells from the help of the commands. */

/** An option as the help of its command describes it. */
export interface HelpOption {
  /** The long name without dashes: `runtime`. */
  readonly name: string;
  /** The letter of the short form. */
  readonly short?: string;
  /** The name of the option's value as in the help: `FILE`, `docker|sim`. Absent for a switch. */
  readonly value?: string;
  /** The values to choose from, if the help lists them. */
  readonly choices: readonly string[];
  /** The beginning of the option's description, up to the first full stop or line end. */
  readonly summary: string;
}

/** A command with its options. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly HelpOption[];
}

const shells = ['bash', 'zsh', 'fish'] as const;

/** A shell with completion scripts. */
export type Shell = (typeof shells)[number];

/** Returns whether completion scripts exist for a shell. */
export const isShell = (name: string): name is Shell => shells.some((shell) => shell === name);

/**
 * Matches an option in a help text, such as `  -o, --output OUT  Where to …`. The description can begin on the next
 * line.
 */
const optionLine =
  /^ {2}(?:-(?<short>\w), )?--(?<name>[a-z][\w:-]*)(?: (?<value>[^\s-]\S*))?(?:,.*|(?: {2,}(?<text>.*))?)$/;

/**
 * Returns the options that a help text lists, without duplicates, in the order of the text. In the text, an option is
 * at the beginning of a line, after two spaces.
 */
export function optionsIn(help: string): readonly HelpOption[] {
  const found = new Map<string, HelpOption>();
  const lines = help.split('\n');
  for (const [index, line] of lines.entries()) {
    const { name, short, value, text } = optionLine.exec(line)?.groups ?? {};
    if (name === undefined || found.has(name)) continue;
    const described = text || (/^ {6,}(?<next>\S.*)$/.exec(lines[index + 1] ?? '')?.groups?.['next'] ?? '');
    found.set(name, {
      name,
      ...(short === undefined ? {} : { short }),
      ...(value === undefined ? {} : { value }),
      choices: value !== undefined && /^[a-z0-9.]+(?:\|[a-z0-9.]+)+/.test(value) ? choicesOf(value) : [],
      summary: (/^[^.;:(]*/.exec(described)?.[0] ?? '').trim(),
    });
  }
  return [...found.values()];
}

/** Returns the alternatives that are plain words: `auto` and `docker` of `auto|docker|unix:///…`. */
const choicesOf = (value: string): readonly string[] => value.split('|').filter((word) => /^[\w.-]+$/.test(word));

/** Returns a script that completes the commands and options of `program` in a shell. */
export function completionScript(shell: Shell, program: string, commands: readonly CompletedCommand[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](program, commands);
}

const flags = ({ name, short }: HelpOption): readonly string[] => [
  `--${name}`,
  ...(short === undefined ? [] : [`-${short}`]),
];

const functionName = (program: string): string => `_${program.replaceAll(/\W/g, '_')}`;

function bashScript(program: string, commands: readonly CompletedCommand[]): string {
  const choices = commands.flatMap(({ name, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .map((option) => {
        const patterns = flags(option).map((flag) => `'${name} ${flag}'`);
        return (
          `    ${patterns.join('|')}) COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$word")); return ` +
          ';;'
        );
      }),
  );
  const listed = commands.map(
    ({ name, options }) => `    ${name}) words='${[...options.flatMap(flags), '--help'].join(' ')}' ;;`,
  );
  const own = functionName(program);
  return `# Completes ${program} in bash: source <(${program} completion bash)
${own}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$word"))
    return
  fi
  case "$command $before" in
${choices.join('\n')}
  esac
  case "$command" in
${listed.join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F ${own} ${program}
`;
}

/** Escapes text for a zsh specification in single quotes. */
const zshText = (text: string): string => text.replaceAll(/[[\]:\\]/g, String.raw`\$&`).replaceAll("'", `'\\''`);

function zshScript(program: string, commands: readonly CompletedCommand[]): string {
  const own = functionName(program);
  const specification = (option: HelpOption): readonly string[] => {
    const { value, choices, summary } = option;
    const action = choices.length > 0 ? `(${choices.join(' ')})` : '_files';
    const argument = value === undefined ? '' : `:${zshText(value)}:${action}`;
    return flags(option).map((flag) => `'${flag}[${zshText(summary)}]${argument}'`);
  };
  return `#compdef ${program}
# Completes ${program} in zsh: source <(${program} completion zsh)
${own}() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    '${zshText(name)}:${zshText(summary)}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${commands
  .map(
    ({ name, options }) =>
      `    ${name}) _arguments ` +
      `${[...options.flatMap(specification), "'--help[Print the help]'", "'*:file:_files'"].join(' ')} ;;`,
  )
  .join('\n')}
  esac
}
compdef ${own} ${program}
`;
}

/** Quotes text for fish. */
const fishText = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

function fishScript(program: string, commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c ${program} -n __fish_use_subcommand -f -a ${fishText(name)} -d ${fishText(summary)}`,
    ...options.map(({ name: option, short, value, choices, summary: text }) =>
      [
        `complete -c ${program} -n ${fishText(`__fish_seen_subcommand_from ${name}`)} -l ${option}`,
        ...(short === undefined ? [] : [`-s ${short}`]),
        ...(value === undefined ? [] : [choices.length > 0 ? `-x -a ${fishText(choices.join(' '))}` : '-r']),
        `-d ${fishText(text)}`,
      ].join(' '),
    ),
  ]);
  return [`# Completes ${program} in fish: ${program} completion fish | source`, ...lines, ''].join('\n');
}
