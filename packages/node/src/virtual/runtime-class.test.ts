import { describe, expect, it, onTestFinished } from 'vitest';
import { Simulation } from './simulation.ts';

const runtimeClass = (name: string, handler: string): string => `
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: { name: ${name} }
handler: ${handler}
overhead: { podFixed: { cpu: 100m } }
`;

const pod = (runtimeClassName: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  runtimeClassName: ${runtimeClassName}
  containers: [{ name: app, image: busybox:1.36, command: [sleep, '3600'] }]
`;

async function apply(...documents: readonly string[]) {
  const simulation = new Simulation({ simulator: { runtimeHandlers: ['runsc'] } });
  onTestFinished(() => simulation.stop());
  await simulation.start();
  const { errors } = await simulation.nodeHost.commands.apply(documents.join('---'));
  await simulation.clock.advance(5_000);
  const events = simulation.nodeHost.log.after(0);
  return {
    errors,
    storage: simulation.nodeHost.api.storage,
    handlers: events.flatMap((event) =>
      event.type === 'decision' && event.rule === 'createPodSandbox.runtimeHandler' ? [event.outcome] : [],
    ),
    messages: events.flatMap((event) =>
      event.type === 'kubernetesEvent' && event.reason === 'FailedCreatePodSandBox' ? [event.message] : [],
    ),
  };
}

describe('a pod with a runtime class', () => {
  it('runs with the handler and the overhead of its class', async () => {
    const { errors, storage, handlers } = await apply(runtimeClass('sandboxed', 'runsc'), pod('sandboxed'));
    expect(errors).toEqual([]);
    expect(handlers).toEqual(['runsc']);
    const stored = storage.mustGet('Pod', 'default', 'web');
    expect(stored.spec.overhead).toEqual({ cpu: '100m' });
    expect(stored.status?.phase).toBe('Running');
  });

  it('gets no sandbox when the runtime lacks the handler', async () => {
    const { messages } = await apply(runtimeClass('vm', 'kata'), pod('vm'));
    expect(messages[0]).toBe(
      'Failed to create pod sandbox: rpc error: code = InvalidArgument desc = ' +
        'failed to get sandbox runtime: no runtime for "kata" is configured',
    );
  });

  it('is rejected when the class does not exist', async () => {
    const { errors } = await apply(pod('gone'));
    expect(errors.map(({ message }) => message)).toEqual([
      'pods "web" is forbidden: pod rejected: RuntimeClass "gone" not found',
    ]);
  });

  it('is rejected when its overhead differs from that of its class', async () => {
    const { errors } = await apply(
      runtimeClass('sandboxed', 'runsc'),
      pod('sandboxed').replace('spec:', 'spec:\n  overhead: { cpu: 1 }'),
    );
    expect(errors[0]?.message).toContain("Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  });
});

describe('a runtime class', () => {
  it('needs an immutable handler that is a DNS label', async () => {
    expect((await apply(runtimeClass('a', 'Not_A_Label'))).errors[0]?.message).toContain('handler: Invalid value');
    const { errors } = await apply(runtimeClass('a', 'runsc'), runtimeClass('a', 'kata'));
    expect(errors[0]?.message).toContain('handler: Invalid value: "kata": field is immutable');
  });
});
