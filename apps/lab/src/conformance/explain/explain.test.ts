import { join } from 'node:path';
import { Tracer } from '@podscope/trace';
import { expect, it } from 'vitest';
import { conformance } from '../command.ts';
import { kinds } from '../kinds/kinds.ts';
import { readLines } from '../lines.ts';
import { RecordedNodes } from '../nodes.ts';
import { parseConformanceOptions } from '../options.ts';
import { readCase } from '../run-file.ts';
import { findVectorFiles, projectVectors } from '../vector-files.ts';
import { hasQuestion } from './rules.ts';

async function explained(id: string): Promise<string> {
  const out: string[] = [];
  const code = await conformance(parseConformanceOptions(['--only', id, '--explain']), {
    out: (line) => void out.push(line),
    err: () => undefined,
  });
  expect(code).toBe(0);
  return out.join('\n');
}

it('explains a decision with its input, the evaluated rules with their facts, and the decisive rule', async () => {
  expect(await explained('v1.20/compute/000003')).toMatchInlineSnapshot(`
    "v1.20/compute/000003 (compute-v1.20, line 4), decided as v1.20

    Given
      pod foo-ns/foo: restartPolicy OnFailure
        container foo1 (busybox)
        container foo2 (busybox)
        container foo3 (busybox)
      the runtime shows
        sandbox sandboxID: ready, attempt 0, IP 10.0.0.1
        foo1 docker://id1: exited with 0, restartCount 0
        foo2 docker://id2: exited with 111, restartCount 0
        foo3 docker://id3: running, restartCount 0
      gates off: EphemeralContainers

    Evaluated in this order (→ it decided something, · it did not)
      · Is more than one sandbox ready?  no
          podSandboxChanged.moreThanOneReady: sandbox sandboxID, attempt 0, state SANDBOX_READY, readySandboxes 1, network POD, networkWanted POD, ip 10.0.0.1
      · Has the newest sandbox stopped?  no
          podSandboxChanged.newestNotReady: sandbox sandboxID, attempt 0, state SANDBOX_READY, readySandboxes 1, network POD, networkWanted POD, ip 10.0.0.1
      · Does the network namespace of the sandbox differ from the spec?  no
          podSandboxChanged.networkNamespaceChanged: sandbox sandboxID, attempt 0, state SANDBOX_READY, readySandboxes 1, network POD, networkWanted POD, ip 10.0.0.1
      · Does the sandbox have no address?  no
          podSandboxChanged.noAddress: sandbox sandboxID, attempt 0, state SANDBOX_READY, readySandboxes 1, network POD, networkWanted POD, ip 10.0.0.1
      → Can the sandbox be kept?  the sandbox is kept
          podSandboxChanged.unchanged: sandbox sandboxID, attempt 0
      → foo1: It is not running: should it be started?  leave it stopped
          computePodActions.shouldContainerBeRestarted: state exited, containerID id1, restartCount 0, exitCode 0, restartPolicy OnFailure
      → foo2: It is not running: should it be started?  start
          computePodActions.shouldContainerBeRestarted: state exited, containerID id2, restartCount 0, exitCode 111, restartPolicy OnFailure
      · foo3: Was it made from another definition than the spec has now?  no
          computePodActions.containerChanged: state running, containerID id3, restartCount 0, hash 27373650, hashOfSpec 27373650
      · foo3: Did its liveness probe fail?  no
          computePodActions.livenessProbeFailed: state running, containerID id3, restartCount 0, liveness not known
      · foo3: Did its startup probe fail?  no
          computePodActions.startupProbeFailed: state running, containerID id3, restartCount 0, startup not known
      · Is there nothing to keep and nothing to start?  no
          computePodActions.nothingLeftToRun: kept 1, toStart 1

    Result
      the sandbox is kept  [podSandboxChanged.unchanged]
      foo1: leave it stopped  [computePodActions.shouldContainerBeRestarted]
      foo2: start  [computePodActions.shouldContainerBeRestarted]

    The kubelet
      sandboxID: sandboxID
      attempt: 0
      containersToStart: [1]

    The engine does the same."
  `);
});

it("explains a pod's syncs round by round", async () => {
  const text = await explained('v1.36/sync/000000');
  expect(text).toContain('── round 1, sync');
  expect(text).toContain('▸ step: Create the sandbox if necessary attempt 0');
  expect(text).toContain('→ Is there no sandbox?  a new sandbox is needed: there is none');
  expect(text.endsWith('The engine does the same.')).toBe(true);
});

it('explains a back-off operation by operation', async () => {
  expect(await explained('backoff/000000')).toContain(
    '  → How long must it wait after this failure, in seconds?  0.5\n' +
      '      backoff.next: key c, backoff 0, now 3, eventTime -17',
  );
});

it('explains an expansion name by name', async () => {
  expect(await explained('expansion/000000')).toContain(
    '  → Which value replaces this name?  it becomes "A"\n      expand.reference: name VAR_A',
  );
});

it('explains a status by container and by condition', async () => {
  const text = await explained('v1.36/status/000000');
  expect(text).toContain('Which phase follows from its containers?');
  expect(text).toContain('→ app: What is the state of this container?');
  expect(text).toContain('What is the status of this condition?  Ready is False');
});

it('explains what dockershim did for each request', async () => {
  const text = await explained('dockershim/000000');
  expect(text).toContain('Must its network be torn down?  tear it down');
  expect(text).toContain('▹ ContainerCreate');
});

/** `PODSCOPE_TEST_LONG=1` evaluates every case; otherwise every nth. */
const oneIn = process.env['PODSCOPE_TEST_LONG'] === '1' ? 1 : 8;

it('has a question for every rule that the public cases evaluate', async () => {
  let cases = 0;
  const nodes = new RecordedNodes();
  const wordless = new Set<string>();
  const tracer = new Tracer({
    append: (event) => void (event.type === 'decision' && !hasQuestion(event.rule) && wordless.add(event.rule)),
  });
  for (const file of (await findVectorFiles(projectVectors)).files) {
    for await (const { text } of readLines(join(file.path))) {
      if (cases++ % oneIn !== 0) continue;
      const vector = readCase(kinds[file.kind], text);
      const release = file.release ?? vector.release ?? 'v1.36';
      await vector.judge({ release, node: () => nodes.of(file.path, release), tracer });
    }
  }
  expect([...wordless]).toEqual([]);
});
