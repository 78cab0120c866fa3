/** Generates docs/reference/options.md from the table of the server's options. */
import { documentedOptions } from '../../../apps/server/src/cli/help.ts';
import { knownFeatureGates } from '../../../packages/kubelet/src/features.ts';
import { environmentVariables } from './environment-variables.ts';
import { generatedNote } from './markdown.ts';

/** Returns the text of docs/reference/options.md. */
export function optionsDocument(): string {
  const sections = documentedOptions().flatMap(({ name, value, help, shownDefault }) => [
    `### --${name}`,
    '',
    `\`${usage(name, value)}\`${shownDefault === undefined ? '' : `, default: ${shown(shownDefault)}`}`,
    '',
    linked(help),
    '',
  ]);
  return [
    generatedNote("the server's table of options", 'options'),
    '',
    '# Options of start',
    '',
    '```sh',
    'npx -y pnpm@12 start --runtime sim --port 0        # in the simulator, on a free port',
    'npx -y pnpm@12 start --help                        # every option',
    '```',
    '',
    'Everything after `start` goes to the server. [Starting](../use/starting.md) shows the options that most',
    'people need. [Feature gates](#feature-gates-of-the-releases) and [environment',
    'variables](#environment-variables) are at the end.',
    '',
    ...sections,
    '## Feature gates of the releases',
    '',
    'These are the gates that `--feature-gates` accepts. Any other name is an error.',
    '',
    ...(['v1.36', 'v1.20'] as const).map((release) => `- ${release}: ${gatesOf(release)}`),
    '',
    '## Environment variables',
    '',
    'These are all variables that Podscope reads, apart from those of its own tests.',
    '',
    '| variable | what it does |',
    '| --- | --- |',
    ...Object.entries(environmentVariables).map(([name, use]) => `| \`${name}\` | ${use} |`),
    '',
    'npm and pnpm have variables of their own, such as `HTTPS_PROXY` ([npm and',
    'proxies](../use/when-something-goes-wrong.md#npm-and-proxies)). The engine pulls images with its own settings.',
    '',
  ].join('\n');
}

const gatesOf = (release: 'v1.36' | 'v1.20'): string =>
  knownFeatureGates(release)
    .map((gate) => `\`${gate}\``)
    .join(', ');

const usage = (name: string, value: string | undefined): string => `--${name}${value === undefined ? '' : ` ${value}`}`;

const shown = (text: string): string => (/^[\w./:,%-]+$/.test(text) ? `\`${text}\`` : text);

/** Converts paths of pages to links, and options to inline code. */
const linked = (help: string): string =>
  help
    .replaceAll(
      /docs\/([\w-]+)\/([\w-]+)\.md/g,
      (_, folder: string, page: string) => `[${page}](../${folder}/${page}.md)`,
    )
    .replaceAll(/(?<![\w`-])--[a-z][a-z-]*(?:=\S+)?/g, (option) => `\`${option}\``);
