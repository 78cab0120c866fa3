/** Tests the forecasts of `podscope explain` for the pods that a genuine kubelet runs. */
import { join } from 'node:path';
import { recordingAsFile } from '@podscope/server/observe';
import { bytesOf, openTraceFile } from '@podscope/trace/file';
import { beforeAll, describe, expect, it } from 'vitest';
import { podscope } from './testing/in-process.ts';

const recordings = join(import.meta.dirname, '../../../../packages/observer/recordings');
const pod = 'crash-exit1-twin-node';

/** The number of the event by which the kubelet reports that the container waits for its restart. */
let waiting: number;
beforeAll(async () => {
  const { events } = await openTraceFile(bytesOf(await recordingAsFile(recordings, 'a')));
  for await (const group of events)
    for (const event of group)
      if (event.type === 'podStatus' && JSON.stringify(event.status).includes('back-off 10s restarting'))
        waiting ??= event.seq;
});

describe('podscope explain of a pod that a genuine kubelet runs', () => {
  it('prints what the kubelet will do next, and that the forecast is one of Podscope', async () => {
    const { code, stdout } = await podscope('explain', recordings, '--pod', pod, '--at', String(waiting));
    expect(code).toBe(0);
    expect(stdout).toContain('CrashLoopBackOff');
    expect(stdout).toMatch(/^ {2}What comes next, seen from 2026-/m);
    expect(stdout).toMatch(/^ {4}next start of app not before \d\d:\d\d:\d\d \(\+\d+ s\): back-off 10 s$/m);
    expect(stdout).toMatch(/^ {4}\d\d:\d\d:\d\d \(\+1?\d s\) app starts \(restart 2\)$/m);
    expect(stdout).toMatch(/This is a forecast, not an observation: Podscope's own kubelet \(v1\.36\)/);
  });

  it('adds the forecast to the JSON, made by the kubelet of --profile', async () => {
    const options = ['--pod', pod, '--at', String(waiting), '--profile', 'v1.20', '--json'];
    const { stdout } = await podscope('explain', recordings, ...options);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        pod: `default/${pod}`,
        forecast: {
          waits: [{ container: 'app', kind: 'container', seconds: 10 }],
          isSimulated: true,
          notices: [{ id: 'forecast', values: { profile: 'v1.20' } }],
        },
      },
    ]);
  });
});
