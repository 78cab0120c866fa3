/** Generates docs/reference/glossary.md: the terms that lessons and the page explain, in both languages. */
import { glossary, termOf } from '../../packages/lessons/src/glossary/index.ts';
import { generatedNote } from './markdown.ts';

/** Returns the page. */
export function glossaryDocument(): string {
  const entries = glossary('en').map(({ id, name, text }) => {
    const chinese = termOf(id, 'zh-CN');
    return `## ${name}\n\n${text}\n\n${chinese.name}：${chinese.text}\n`;
  });
  return `${generatedNote('packages/lessons/src/glossary/terms.ts', 'glossary.md')}

# Glossary

\`\`\`md
The kubelet asks the [sandbox](glossary:sandbox) for its IP.
\`\`\`

A lesson links its terms like that, and its readers [open them in place](../learn/lessons.md#the-glossary). On the page,
press \`?\` to see all of them.

${entries.join('\n')}`;
}
