import type { Task } from '@podscope/classroom';
import { describe, expect, it } from 'vitest';
import { currentTasks, dueTasks } from './due-tasks.ts';

const scene = { scenario: 'crash-loop', profile: 'v1.36', at: 0 } as const;
const tasks: readonly Task[] = [
  { id: 'old', kind: 'manifest', manifest: 'a' },
  { id: 'scenario', kind: 'scenario', scene, paused: false },
  { id: 'breakpoint', kind: 'breakpoint', breakpoint: { point: 'cri.StartContainer' } },
];
const ids = (due: readonly Task[]): string[] => due.map(({ id }) => id);

describe('currentTasks', () => {
  it('begins with the latest task that begins a run, so earlier breakpoints are gone', () => {
    const next: Task = { id: 'next', kind: 'lesson', lesson: 'crash-loops' };
    expect(ids(currentTasks(tasks))).toEqual(['scenario', 'breakpoint']);
    expect(ids(currentTasks([...tasks, next]))).toEqual(['next']);
    expect(ids(currentTasks(tasks.slice(0, 1)))).toEqual(['old']);
  });
});

describe('dueTasks', () => {
  it('lets a late joiner begin with the current run and perform what came after it', () => {
    expect(ids(dueTasks(tasks, {}, new Set(), true))).toEqual(['scenario', 'breakpoint']);
  });

  it('repeats completed tasks after a reload, whose page has no run', () => {
    const own = { scenario: { status: 'done' }, breakpoint: { status: 'applied' } } as const;
    expect(ids(dueTasks(tasks, own, new Set(), true))).toEqual(['scenario', 'breakpoint']);
  });

  it('omits the tasks that a late joiner skipped, also when the next task arrives', () => {
    const next: Task = { id: 'next', kind: 'manifest', manifest: 'b' };
    const began = new Set(['scenario', 'breakpoint']);
    expect(ids(dueTasks([...tasks, next], {}, began, false))).toEqual(['next']);
  });

  it('performs each task once', () => {
    expect(ids(dueTasks(tasks, {}, new Set(['old', 'scenario']), false))).toEqual(['breakpoint']);
    expect(dueTasks(tasks, { breakpoint: { status: 'done' } }, new Set(['old', 'scenario']), false)).toEqual([]);
  });
});
