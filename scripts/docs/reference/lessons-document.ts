/** Generates docs/reference/lessons.md: the lessons in teaching order, and the scenarios by category. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { scenarioMessages } from '../../../apps/web/src/features/scenarios/messages.en.ts';
import { inTeachingOrder, parseLesson } from '../../../packages/lessons/src/index.ts';
import { type ScenarioCategory, scenarioCategories, scenarios } from '../../../packages/scenarios/src/index.ts';
import { generatedNote, markdownTable } from './markdown.ts';

const folder = resolve(import.meta.dirname, '../../../packages/lessons/lessons/en');

const lessonRows = (): readonly (readonly string[])[] =>
  inTeachingOrder(readdirSync(folder).map((name) => name.replace(/\.md$/, ''))).map((id) => {
    const { lesson } = parseLesson(readFileSync(join(folder, `${id}.md`), 'utf8'));
    if (!lesson) throw new Error(`the lesson ${id} has an error: run lessons check`);
    const exercises = lesson.steps.filter(({ exercise }) => exercise !== undefined).length;
    return [
      `\`${id}\``,
      lesson.title,
      `${lesson.minutes}`,
      `${lesson.steps.filter(({ question }) => question).length}`,
      `${exercises}`,
    ];
  });

const categoryLines = (category: ScenarioCategory): readonly string[] => [
  `### ${scenarioMessages[category].message}`,
  '',
  ...markdownTable(
    ['id', 'scenario', 'releases'],
    scenarios
      .filter((scenario) => scenario.category === category)
      .map(({ id, title, profiles }) => [`\`${id}\``, title.en, profiles.join(', ')]),
  ),
  '',
];

/** Returns the page. */
export function lessonsDocument(): string {
  const lessons = lessonRows();
  return `${generatedNote('packages/lessons/lessons and packages/scenarios', 'lessons.md')}

# Lessons and scenarios

\`\`\`text
http://127.0.0.1:4400/?lesson=crash-loops
http://127.0.0.1:4400/?scenario=crash-loop
\`\`\`

The address of a page with \`?lesson=ID\` opens a lesson, with \`?scenario=ID\` a scenario. On the page, press \`h\` for
the lessons and \`c\` for the scenarios. All of them are in English and simplified Chinese. To write your own, see
[lessons](../learn/lessons.md).

## Lessons

The ${lessons.length} lessons, in teaching order. In an exercise, learners repair a broken pod.

${markdownTable(['id', 'lesson', 'minutes', 'questions', 'exercises'], lessons).join('\n')}

## Scenarios

The ${scenarios.length} scenarios, by category.

${scenarioCategories.flatMap(categoryLines).join('\n')}`;
}
