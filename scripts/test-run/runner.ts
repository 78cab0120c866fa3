/**
 * Extends vitest's runner with needs: a test or suite with `meta: { needs: ['root'] }` is skipped on a machine that
 * lacks one of them. The reader of the report determines the reason again, because vitest doesn't report metadata that
 * changes after collection.
 */
import { type RunnerTask, type RunnerTestFile, TestRunner } from 'vitest';
import { type Capability, type Machine, whyNotRunnable } from './capabilities.ts';
import { detectMachine } from './detect-machine.ts';
import { needsOfFile } from './file-needs.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Capabilities of the machine that the test needs. */
    needs?: readonly Capability[];
  }
}

let machine: Promise<Machine> | undefined;

function skipUnrunnable(task: RunnerTask, inherited: readonly Capability[], facts: Machine): void {
  const needs = [...inherited, ...(task.meta.needs ?? [])];
  if (task.type === 'suite') {
    for (const child of task.tasks) skipUnrunnable(child, needs, facts);
    // Hooks of a suite run unless the suite is skipped.
    if (task.tasks.length > 0 && task.tasks.every(({ mode }) => mode === 'skip')) task.mode = 'skip';
    return;
  }
  if (whyNotRunnable(facts, needs) !== undefined) task.mode = 'skip';
}

const hasNeeds = (task: RunnerTask): boolean =>
  task.meta.needs !== undefined || (task.type === 'suite' && task.tasks.some(hasNeeds));

export default class NeedsRunner extends TestRunner {
  async onCollected(files: readonly RunnerTestFile[]): Promise<void> {
    for (const file of files) {
      const needs: readonly Capability[] =
        file.projectName === 'docker' ? ['docker', ...needsOfFile(file.filepath)] : [];
      if (needs.length === 0 && !hasNeeds(file)) continue;
      machine ??= detectMachine();
      skipUnrunnable(file, needs, await machine);
    }
  }
}
