/** Generates docs/reference/rules.md, which lists every rule of the kubelet's decisions with its question. */
import { ruleMessages } from '../../../packages/trace/src/explain/index.ts';
import { generatedNote, markdownTable } from './markdown.ts';

/** Returns the text of docs/reference/rules.md. */
export const rulesDocument = (): string =>
  [
    generatedNote('packages/trace/src/explain', 'rules'),
    '',
    '# Rules',
    '',
    '```sh',
    "npx -y pnpm@12 podscope run pod.yaml --break 'decision:computePodActions.*'",
    '```',
    '',
    'A rule is a question that the kubelet answers when it decides something. Each answer is an event of the',
    'type [`decision`](events.md#decision) with the facts, and the inspector shows it under **Why**. Breakpoints',
    'name a rule as `decision:RULE`, or several rules with `*`. The command `points` of the',
    '[protocol](protocol.md#points) also lists the line of each rule in the engine.',
    '',
    ...markdownTable(
      ['rule', 'question'],
      Object.entries(ruleMessages)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([rule, question]) => [`\`${rule}\``, question]),
    ),
    '',
  ].join('\n');
