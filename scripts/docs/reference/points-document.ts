/** Generates docs/reference/points.md, which lists every point of the flow by level. */

import { stepText } from '../../../packages/flow/src/index.ts';
import type { Level, Step } from '../../../packages/flow/src/level.ts';
import { allLevels } from '../../../packages/flow/src/levels/all.ts';
import { generatedNote, markdownTable } from './markdown.ts';

const releases = ({ release, runtime }: Level): string =>
  [release, runtime === undefined ? undefined : `${runtime} runtime`].filter(Boolean).join(', ') || 'Both releases';

const row = (step: Step, number: string): readonly string[] => [
  number,
  `\`${step.id}\``,
  step.kind,
  stepText(step.id, 'en')?.title ?? '',
  step.upstream === '' ? '' : step.upstream,
];

function section(level: Level): readonly string[] {
  const rows = Object.entries(level.steps).flatMap(([name, step], index) => [
    row(step, level.numbered ? String(index + 1) : ''),
    ...(level.after?.[name] ?? []).map((unnumbered) => row(unnumbered, '')),
  ]);
  const under = level.under.map((id) => `\`${id}\``).join(', ');
  return [
    `## ${level.id}`,
    '',
    `${releases(level)}. ${under === '' ? 'The outermost work of a thread.' : `Runs inside ${under}.`}`,
    '',
    ...markdownTable(['step', 'point', 'kind', 'title', 'upstream'], rows),
    '',
  ];
}

/** Returns the text of docs/reference/points.md. */
export const pointsDocument = (): string =>
  [
    generatedNote('packages/flow', 'points.md'),
    '',
    '# Points',
    '',
    '```sh',
    "npx -y pnpm@12 podscope run pod.yaml --break 'cri.StartContainer container=app'",
    '```',
    '',
    'A point is a place of the flow where a thread can be traced and stopped. Breakpoints, faults and lessons',
    'name points by their id; `cri.*` names several. The page and `points` of the [protocol](protocol.md) also',
    'show the lines of the engine.',
    '',
    ...allLevels.flatMap(section),
  ].join('\n');
