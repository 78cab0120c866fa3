/** Checks the forecast of a pod of an observed kubelet. The forecast is computed here instead of in a worker. */
import { forecastOfRun } from '@podscope/pod-snapshot';
import { EventScript } from '@podscope/trace/testing';
import { fireEvent } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import { usePod } from '../../node/run/use-run.ts';
import RunForecast from './RunForecast.tsx';
import { snapshotAnswerSchema, snapshotQuestionSchema } from './snapshot-messages.ts';

vi.mock(import('./read-snapshot.ts'), () => ({
  async readSnapshot(asked) {
    const question = snapshotQuestionSchema.parse(structuredClone(asked));
    if (!('runPod' in question)) throw new Error('the question is about a text');
    const outlook = await forecastOfRun(question.runPod, { profile: question.profile });
    return snapshotAnswerSchema.parse({ outlooks: [outlook], errors: [], notices: [] });
  },
}));

const log = new EventScript('uid-1');
log.emit({
  type: 'podChanged',
  operation: 'ADDED',
  object: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-1', creationTimestamp: '2026-01-05T08:59:00Z' },
    spec: { nodeName: 'node', containers: [{ name: 'app', image: 'busybox:1.36' }] },
  },
});
const terminated = {
  exitCode: 1,
  reason: 'Error',
  startedAt: '2026-01-05T08:59:58Z',
  finishedAt: '2026-01-05T08:59:59Z',
};
const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 20s restarting failed container=app pod=web_shop' };
log.emit({
  type: 'podStatus',
  status: {
    phase: 'Running',
    startTime: '2026-01-05T08:59:00Z',
    containerStatuses: [
      {
        name: 'app',
        state: { waiting },
        lastState: { terminated },
        ready: false,
        restartCount: 2,
        image: 'busybox:1.36',
        imageID: '',
      },
    ],
  },
});
const { events } = log;
const observed = { approximate: false, differences: [], sources: ['cri'], missing: [] };

function Forecast() {
  const { pod } = usePod('uid-1');
  return pod ? <RunForecast pod={pod} /> : null;
}

it('is computed on request from the shown instant, and says who computed it', async () => {
  const now = events.at(-1)?.time ?? 0;
  const { screen } = await renderWithNode(<Forecast />, { node: { observed, profile: 'v1.20' }, now, events });
  const button = await screen.findByRole('button', { name: 'Compute forecast' });
  expect(screen.queryByText(/starts \(restart/)).toBeNull();
  fireEvent.click(button);
  expect(await screen.findByText('app starts (restart 3)', {}, { timeout: 10_000 })).toBeTruthy();
  expect(screen.getByText(/This is a forecast, not an observation: .*v1\.20/)).toBeTruthy();
});
