/** Checks that the inspector names the source of the facts about a genuine kubelet. */
import type { TraceEvent } from '@podscope/trace';
import { crashLoop, crashLoopPod, EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { useSession } from '../../../node/run/node-session.ts';
import { renderWithNode } from '../../../node/run/testing/render-with-node.tsx';
import { usePods } from '../../../node/run/use-run.ts';
import { AttemptInspector, BackOffInspector } from '../ContainerInspector.tsx';
import { EventInspector } from '../MomentInspector.tsx';
import { PodInspector } from '../PodInspector.tsx';
import { SpanInspector } from './SpanInspector.tsx';

const { uid } = crashLoopPod.metadata;

/** Renders the inspectors of the pod and of the span 1. */
function Inspectors() {
  const [pod] = usePods();
  const span = useSession().run.span(1);
  return (
    <>
      {pod && <PodInspector pod={pod} />}
      {span && <SpanInspector span={span} />}
    </>
  );
}

async function rendered(source: TraceEvent['source'], inferred: boolean) {
  const place = { thread: uid, pod: uid, ...(source === undefined ? {} : { source, inferred }) };
  const call = { point: 'cri.StopContainer', kind: 'cri', title: 'StopContainer', attributes: {} } as const;
  const events: readonly TraceEvent[] = [
    { ...place, seq: 1, time: 1_000, type: 'podChanged', operation: 'ADDED', object: crashLoopPod },
    { ...place, seq: 2, time: 1_000, type: 'podStatus', status: { phase: 'Running' } },
    { ...place, seq: 3, time: 1_001, type: 'spanStarted', span: 1, ...call },
  ];
  const { screen } = await renderWithNode(<Inspectors />, { events });
  await screen.findByRole('heading', { name: /StopContainer/ });
  return screen;
}

describe('the source of a fact', () => {
  it('is named for a call and a status that were observed', async () => {
    const screen = await rendered('cri', false);
    expect(screen.getAllByText('observed in the CRI calls')).toHaveLength(2);
  });

  it('is named for facts that were inferred', async () => {
    const screen = await rendered('cri', true);
    expect(screen.getAllByText('inferred from the CRI calls')).toHaveLength(2);
  });

  it('is not named for the kubelet here', async () => {
    const screen = await rendered(undefined, false);
    expect(screen.queryByText(/observed in|inferred from/)).toBeNull();
  });
});

/** Renders the inspectors of a container's attempt, its back-off and an event. */
function RecordInspectors() {
  const [pod] = usePods();
  const track = pod?.containers.find(({ backOffs }) => backOffs.length > 0);
  const [attempt, backOff, event] = [track?.attempts[0], track?.backOffs[0], pod?.events[0]];
  if (!pod || !track || !attempt || !backOff || !event) return null;
  return (
    <>
      <AttemptInspector pod={pod} track={track} attempt={attempt} />
      <BackOffInspector pod={pod} track={track} backOff={backOff} />
      <EventInspector event={event} />
    </>
  );
}

/** Renders the inspector of the first attempt of a container. */
function FirstAttempt() {
  const [pod] = usePods();
  const track = pod?.containers.find(({ attempts }) => attempts.length > 0);
  const [attempt] = track?.attempts ?? [];
  return pod && track && attempt && <AttemptInspector pod={pod} track={track} attempt={attempt} />;
}

describe('the source of an attempt, a back-off and an event', () => {
  const sourceOf = ({ type }: TraceEvent) => {
    if (type === 'backOff') return { source: 'shadow', inferred: true } as const;
    return { source: type === 'kubernetesEvent' ? 'api' : 'cri' } as const;
  };

  it('is named for a genuine kubelet', async () => {
    const events = crashLoop(2).events.map((event) => ({ ...event, ...sourceOf(event) }));
    const { screen } = await renderWithNode(<RecordInspectors />, { events });
    expect(await screen.findByText('inferred from the shadow engine')).toBeTruthy();
    expect(screen.getByText('observed in the CRI calls')).toBeTruthy();
    expect(screen.getByText('observed in the API server')).toBeTruthy();
  });

  it('is named twice for an attempt whose start was observed and whose exit was inferred', async () => {
    const log = new EventScript(uid).emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
    const create = (attempt: number, containerId: string) => {
      const config = { metadata: { name: 'app', attempt } };
      log.call('CreateContainer', 10, { podSandboxId: 's', config }, { containerId });
    };
    create(0, 'c');
    log.call('StartContainer', 10, { containerId: 'c' });
    log.call('StopContainer', 10, { containerId: 'c' });
    create(1, 'd');
    const events = log.events.map((event) => ({ ...event, source: 'cri' as const }));
    const { screen } = await renderWithNode(<FirstAttempt />, { events });
    expect(await screen.findByText('Source of the exit')).toBeTruthy();
    expect(screen.getByText('observed in the CRI calls')).toBeTruthy();
    expect(screen.getByText('inferred from the CRI calls')).toBeTruthy();
  });

  it('is not named for the kubelet here', async () => {
    const { screen } = await renderWithNode(<RecordInspectors />, { events: crashLoop(2).events });
    expect(await screen.findByRole('heading', { name: 'Back-off' })).toBeTruthy();
    expect(screen.queryByText(/observed in|inferred from/)).toBeNull();
  });
});
