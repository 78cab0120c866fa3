/** Removes the solutions of exercises from the lessons that the page loads, so that learners can't read them there. */
import { readFile } from 'node:fs/promises';
import { withoutSolutions } from '@podscope/lessons';
import type { Plugin } from 'vite';

/** Matches the text of a lesson, as `import.meta.glob` requests it. */
const lessonText = /^(.*\/packages\/lessons\/lessons\/[\w-]+\/[\w-]+\.md)\?raw$/;

export function lessonsPlugin(): Plugin {
  return {
    name: 'podscope-lessons',
    enforce: 'pre',
    async load(id) {
      const [, path] = lessonText.exec(id) ?? [];
      if (path === undefined) return null;
      this.addWatchFile(path);
      return `export default ${JSON.stringify(withoutSolutions(await readFile(path, 'utf8')))};`;
    },
  };
}
