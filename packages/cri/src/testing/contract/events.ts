/** Defines the CRI contract tests of the container event stream. */
import { withSignal } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import type { ContainerEventResponse } from '../../messages.ts';
import type { ContractFeatures } from '../environment.ts';
import { criError, type Scene } from '../scene.ts';

/** Collects the events of the stream until `stop` is called. */
function collectEvents(scene: Scene): { readonly events: ContainerEventResponse[]; stop(): Promise<void> } {
  const events: ContainerEventResponse[] = [];
  const controller = new AbortController();
  const stream = scene.runtime.getContainerEvents(withSignal(scene.ctx(), controller.signal), {});
  const reading = (async () => {
    try {
      for await (const event of stream) events.push(event);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    }
  })();
  return {
    events,
    stop: async () => {
      controller.abort(new DOMException('the test is over', 'AbortError'));
      await reading;
    },
  };
}

export function describeEvents(scene: () => Scene, features: ContractFeatures): void {
  describe('container events', () => {
    const declare = features.events === false ? describeNoEvents : describeAllEvents;
    declare(scene);
  });
}

function describeNoEvents(scene: () => Scene): void {
  it('are Unimplemented', async () => {
    const stream = scene().runtime.getContainerEvents(scene().ctx(), {})[Symbol.asyncIterator]();
    await expect(stream.next()).rejects.toMatchObject(criError('Unimplemented'));
  });
}

function describeAllEvents(scene: () => Scene): void {
  it('report creation, start, exit and removal in order', async () => {
    const collected = collectEvents(scene());
    const sandbox = await scene().sandbox();
    const id = await scene().start(sandbox, 'sleep 1; exit 5');
    await scene().exited(id);
    await scene().runtime.removeContainer(scene().ctx(), { containerId: id });
    const mine = () => collected.events.filter((event) => event.containerId === id);
    await scene().environment.waitFor(() => mine().length >= 4, 'four events of the container');
    await collected.stop();

    expect(mine().map((event) => event.containerEventType)).toEqual([
      'CONTAINER_CREATED_EVENT',
      'CONTAINER_STARTED_EVENT',
      'CONTAINER_STOPPED_EVENT',
      'CONTAINER_DELETED_EVENT',
    ]);
    const times = mine().map((event) => event.createdAt);
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : 1)));
    const stopped = mine()[2];
    expect(stopped?.podSandboxStatus).toMatchObject({ id: sandbox.id, metadata: sandbox.config.metadata });
    expect(stopped?.containersStatuses).toEqual([
      expect.objectContaining({ id, state: 'CONTAINER_EXITED', exitCode: 5 }),
    ]);
  });

  it('report sandboxes too', async () => {
    const collected = collectEvents(scene());
    const { id } = await scene().sandbox();
    await scene().runtime.stopPodSandbox(scene().ctx(), { podSandboxId: id });
    const types = () =>
      collected.events.filter((event) => event.containerId === id).map((event) => event.containerEventType);
    await scene().environment.waitFor(() => types().includes('CONTAINER_STOPPED_EVENT'), 'the end of the sandbox');
    await collected.stop();
    expect(types()).toEqual(['CONTAINER_CREATED_EVENT', 'CONTAINER_STARTED_EVENT', 'CONTAINER_STOPPED_EVENT']);
  });

  it('reach every reader', async () => {
    const [first, second] = [collectEvents(scene()), collectEvents(scene())];
    const id = await scene().start(await scene().sandbox(), 'true');
    await scene().exited(id);
    const seen = (events: readonly ContainerEventResponse[]): boolean =>
      events.some((event) => event.containerId === id && event.containerEventType === 'CONTAINER_STOPPED_EVENT');
    await scene().environment.waitFor(() => seen(first.events) && seen(second.events), 'both readers to see the end');
    await Promise.all([first.stop(), second.stop()]);
    expect([seen(first.events), seen(second.events)]).toEqual([true, true]);
  });
}
