import { expect, it, onTestFinished } from 'vitest';
import { Simulation } from '../virtual/index.ts';

const pod = (name: string, spec: string): string =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { terminationGracePeriodSeconds: 1, ${spec} } }`;
const app = 'name: app, image: "busybox:1.36"';

it.each(['v1.36', 'v1.20'] as const)(
  'conditions can name every attribute of a span and every fact of %s',
  async (profile) => {
    const simulation = new Simulation({ profile });
    await simulation.start();
    const { nodeHost, clock } = simulation;
    for (const manifest of [
      pod('crash', `containers: [{ ${app}, command: [sh, -c, exit 1] }]`),
      pod('missing', 'containers: [{ name: app, image: "podscope.invalid/none:1" }]'),
      pod(
        'hooks',
        `containers: [{ ${app}, command: [sleep, "5"], lifecycle: { postStart: { exec: { command: ["true"] } } } }]`,
      ),
      pod(
        'probed',
        `initContainers: [{ name: init, image: "busybox:1.36", command: ["true"] }], containers: [{ ${app}, ` +
          'command: [sleep, "3600"], readinessProbe: { exec: { command: ["false"] } } }]',
      ),
    ])
      await nodeHost.commands.apply(manifest);
    await clock.advance(60_000);
    const { variables } = nodeHost.debugger.catalog.list();
    const named = nodeHost.log
      .after(0)
      .flatMap((event) =>
        event.type === 'spanStarted' || event.type === 'spanEnded'
          ? Object.keys(event.attributes ?? {})
          : event.type === 'decision'
            ? Object.keys(event.facts)
            : [],
      );
    await simulation.stop();
    expect([...new Set(named)].filter((name) => /^[A-Za-z_]\w*$/.test(name) && !variables.includes(name))).toEqual([]);
  },
);

it.each([
  ['v1.36', 'runtime.v1'],
  ['v1.20', 'runtime.v1alpha2'],
] as const)('CRI points of %s have the path of %s', async (profile, service) => {
  const simulation = new Simulation({ profile });
  onTestFinished(() => simulation.stop());
  await simulation.start();
  const points = simulation.nodeHost.debugger.catalog.list().points.filter(({ id }) => id.startsWith('cri.'));
  expect(points.length).toBeGreaterThan(30);
  expect(points.map(({ upstream }) => upstream)).toEqual(
    points.map(() => expect.stringMatching(`^/${service.replace('.', '\\.')}\\.(?:Runtime|Image)Service/[A-Z]`)),
  );
});
