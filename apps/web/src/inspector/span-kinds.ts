/** What kinds of spans are called. */
import type { SpanRecord } from '@podscope/trace';
import type { Tone } from '../ui/StateMark.tsx';

const names: Readonly<Record<string, string>> = {
  loop: 'Loop',
  worker: 'Pod worker',
  kubeletStep: 'Kubelet step',
  sync: 'Sync',
  syncStep: 'SyncPod step',
  function: 'Function',
  cri: 'CRI call',
  criStep: 'Runtime step',
  docker: 'Docker call',
  cni: 'CNI call',
  hook: 'Hook',
  probe: 'Probe',
};

export const kindName = (kind: string): string => names[kind] ?? kind;

export const spanTone = ({ end, outcome }: SpanRecord): Tone =>
  end === undefined ? 'progressing' : outcome === 'error' ? 'error' : outcome === 'canceled' ? 'terminating' : 'done';

const outcomes: Readonly<Record<string, string>> = { ok: 'succeeded', error: 'failed', canceled: 'canceled' };

export const outcomeName = ({ end, outcome }: SpanRecord): string => (end === undefined ? 'running' : (outcomes[outcome ?? ''] ?? 'ended'));
