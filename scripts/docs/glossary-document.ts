/** Generates docs/reference/glossary.md: the terms that lessons and the page explain, in both languages. */
import { glossary, termOf } from '../../packages/lessons/src/glossary/index.ts';
import { generatedNote } from './markdown.ts';

/** Returns the page. */
export function glossaryDocument(): string {
  const entries = glossary('en').map(({ id, name, text }) => {
    const chinese = termOf(id, 'zh-CN');
    return `## ${name}\n\n${text}\n\n${chinese.name}：${chinese.text}\n`;
  });
  return `# Glossary

${generatedNote('packages/lessons/src/glossary/terms.ts', 'glossary')}

Press \`?\` on the page to see these terms there.
In a [lesson](../learn/lessons.md#the-glossary), dotted words open them in place.

${entries.join('\n')}`;
}
