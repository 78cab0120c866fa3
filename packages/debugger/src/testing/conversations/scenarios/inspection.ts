/** Defines scenarios that inspect a stopped thread: scopes, pages, watches, changes, secrets. */
import { crashingPod, podOf, runningPod, type Scenario } from '../scenario.ts';

export const inspectionScenarios: readonly Scenario[] = [
  {
    name: 'scopes-and-variables',
    run: async (c) => {
      await c.send({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.CreateContainer' }] }, () => undefined);
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      const { scopes } = await c.send({ command: 'scopes', thread }, ({ scopes: all }) =>
        all.map(({ name, namedVariables, indexedVariables }) => ({ name, namedVariables, indexedVariables })),
      );
      const actions = scopes.find(({ name }) => name === 'podActions');
      await c.send({ command: 'variables', variablesReference: actions?.variablesReference ?? 0 }, ({ variables }) =>
        variables.map(({ name, value, type, changeable, evaluateName }) => ({
          name,
          value,
          type,
          changeable,
          evaluateName,
        })),
      );
      const request = scopes.find(({ name }) => name === 'CRI request');
      const { variables } = await c.send(
        { command: 'variables', variablesReference: request?.variablesReference ?? 0 },
        ({ variables: all }) => all.map(({ name, type }) => `${name}: ${type}`),
      );
      const config = variables.find(({ name }) => name === 'config');
      await c.send(
        { command: 'variables', variablesReference: config?.variablesReference ?? 0, start: 1, count: 3 },
        (page) => ({
          total: page.total,
          variables: page.variables.map(({ name, value, evaluateName }) => ({ name, value, evaluateName })),
        }),
      );
    },
  },
  {
    name: 'a-frame-further-out',
    run: async (c) => {
      await c.send({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.StartContainer' }] }, () => undefined);
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      const { frames } = await c.send({ command: 'stackTrace', thread }, () => undefined);
      const outer = frames.find(({ point }) => point === 'kubelet.SyncPod');
      await c.send(
        { command: 'evaluate', thread, frame: outer?.id, expression: 'updateType + " " + apiStatus.phase' },
        ({ value }) => value,
      );
      await c.send({ command: 'evaluate', thread, frame: outer?.id, expression: 'request' });
      await c.send({ command: 'evaluate', thread, frame: 999_999, expression: 'request' });
    },
  },
  {
    name: 'large-values-by-page',
    run: async (c) => {
      await c.send({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.CreateContainer' }] }, () => undefined);
      const env = Array.from({ length: 250 }, (_, index) => ({ name: `VARIABLE_${index}`, value: `value ${index}` }));
      await c.apply(podOf('web', [{ name: 'app', more: { env } }]));
      const thread = await c.untilStopped('web');
      const { variablesReference } = await c.send(
        { command: 'evaluate', thread, expression: 'request.config.envs.filter(e, e.key.startsWith("VARIABLE_"))' },
        ({ type, indexedVariables }) => ({ type, indexedVariables }),
      );
      await c.send({ command: 'variables', variablesReference }, ({ variables, total }) => ({
        total,
        given: variables.length,
      }));
      await c.send({ command: 'variables', variablesReference, start: 248, count: 10 }, ({ variables }) =>
        variables.map(({ name, value }) => ({ name, value })),
      );
    },
  },
  {
    name: 'watches-and-changes',
    run: async (c) => {
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'kuberuntime.doBackOff', when: 'after' }] },
        () => undefined,
      );
      await c.apply(crashingPod('web'));
      const thread = await c.untilStopped('web');
      const expressions = ['backOffSeconds', 'now > 1767225600500', 'nonsense'];
      await c.send({ command: 'watch', thread, expressions }, ({ values }) => values);
      await c.send({ command: 'changes', thread });
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilStopped('web');
      await c.send(
        { command: 'watch', thread, expressions: ['backOffSeconds', 'now > 1767225600500'] },
        ({ values }) => values,
      );
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilStopped('web');
      await c.send(
        { command: 'watch', thread, expressions: ['backOffSeconds', 'now > 1767225600500'] },
        ({ values }) => values,
      );
      await c.send({ command: 'changes', thread }, ({ changes }) =>
        changes.filter(({ path }) => /^(Sync results|Result)\//.test(path)),
      );
    },
  },
  {
    name: 'references-end-with-the-stop',
    run: async (c) => {
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'syncPod.createPodSandbox' }] },
        () => undefined,
      );
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      const { scopes } = await c.send({ command: 'scopes', thread }, () => undefined);
      const variablesReference = scopes[0]?.variablesReference ?? 0;
      await c.send({ command: 'continue' }, () => undefined);
      await c.send({ command: 'variables', variablesReference });
      await c.send({ command: 'evaluate', thread, expression: '1 + 1' });
      await c.untilRunning('web');
    },
  },
  {
    name: 'expressions-that-fail',
    run: async (c) => {
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'syncPod.createPodSandbox' }] },
        () => undefined,
      );
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      await c.send({ command: 'evaluate', thread, expression: 'pod.metadata.' });
      await c.send({ command: 'evaluate', thread, expression: 'pod.metadata.nothing' });
      await c.send({ command: 'evaluate', thread, expression: '[1,2].all(a, [1,2].all(b, [1,2].all(c, true)))' });
      await c.send({ command: 'evaluate', thread, expression: 'pod.constructor' });
      await c.send({ command: 'evaluate', thread, expression: 'pod.spec.containers[0].image + "!"' });
    },
  },
  {
    name: 'secrets-are-masked',
    run: async (c) => {
      await c.apply(
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'login', namespace: 'default' },
          stringData: { password: 'correct horse battery' },
        }),
      );
      await c.send(
        {
          command: 'setBreakpoints',
          breakpoints: [
            { point: 'cri.CreateContainer' },
            { point: 'cri.StartContainer', logMessage: 'environment {containerConfig.envs}' },
          ],
        },
        () => undefined,
      );
      const env = [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'login', key: 'password' } } }];
      await c.apply(podOf('web', [{ name: 'app', more: { env } }], { enableServiceLinks: false }));
      const thread = await c.untilStopped('web');
      await c.send(
        { command: 'evaluate', thread, expression: 'request.config.envs.filter(e, e.key == "PASSWORD")[0].value' },
        ({ value }) => value,
      );
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilRunning('web');
    },
  },
];
