import { parseLesson } from '@podscope/lessons';
import { afterEach, expect, it, vi } from 'vitest';
import { useLesson } from '../../lessons/index.ts';
import { followPresentation, openPresenter, type Presented } from './presenter-link.ts';

const initial = useLesson.getState();
afterEach(() => {
  vi.restoreAllMocks();
  useLesson.setState(initial, true);
});

it('opens the presenter view of a lesson that brings its own scenario, and sends it the lesson', async () => {
  const { lesson } = parseLesson(`---
id: own
title: A repair
summary: A pod to repair.
minutes: 1
---

\`\`\`scenario
id: mine
manifest: '{ apiVersion: v1, kind: Pod, metadata: { name: web } }'
duration: 60
\`\`\`

## One {#one}

\`\`\`scene
scenario: mine
\`\`\`

Text.
`);
  vi.spyOn(globalThis, 'open').mockReturnValue(window);
  useLesson.setState({ lesson });
  expect(openPresenter()).toBe(true);
  const { promise, resolve } = Promise.withResolvers<Presented>();
  const presenter = followPresentation(resolve);
  expect(await promise).toMatchObject({ lesson: { title: 'A repair', steps: [{ id: 'one' }] }, step: 0 });
  presenter.close();
});
