import { RunFold } from '@podscope/trace';
import { crashLoop } from '@podscope/trace/testing';
import { expect, it } from 'vitest';
import type { translate } from '../../base/i18n/i18n.ts';
import { readContainers } from './read-pod.ts';

const inEnglish = ((message: { readonly message: string }) => message.message) as typeof translate;

it('shows a sandbox as creating while RunPodSandbox runs, and as ready afterwards', () => {
  const { events, pod } = crashLoop(1);
  const opened = events.findIndex((event) => event.type === 'spanStarted' && event.point === 'cri.RunPodSandbox');
  const run = new RunFold();
  const sandbox = (): unknown => {
    const track = run.pod(pod);
    const [line] = track ? readContainers(inEnglish, track) : [];
    return line && { state: line.state, tone: line.tone };
  };
  run.applyAll(events.slice(0, opened + 1));
  expect(sandbox()).toEqual({ state: 'creating', tone: 'progressing' });
  run.applyAll(events);
  expect(sandbox()).toEqual({ state: 'ready', tone: 'running' });
});
