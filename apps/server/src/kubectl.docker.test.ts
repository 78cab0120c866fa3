/**
 * Every ordinary kubectl command, by every kubectl there is, against a server on the real Docker engine: what a person types, what comes
 * back, and that old and new programs get the same. Steps build on those before them.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Kubectl, type KubectlBench, kubectlPaths, type Output, startKubectlBench } from './testing/kubectl.ts';
import { deletingSteps } from './testing/kubectl-steps/deleting.ts';
import { inspectingSteps } from './testing/kubectl-steps/inspecting.ts';
import { manifests } from './testing/kubectl-steps/manifests.ts';
import { masked, type Step, splitArguments } from './testing/kubectl-steps/step.ts';
import { writingSteps } from './testing/kubectl-steps/writing.ts';

let bench: KubectlBench;

beforeAll(async () => {
  bench = await startKubectlBench(['--runtime', 'docker']);
  for (const [name, text] of Object.entries(manifests)) await bench.file(name, text);
});
afterAll(() => bench.dispose());

const steps: readonly Step[] = [...inspectingSteps, ...writingSteps, ...deletingSteps];
/** What each program printed at each step, with what differs from run to run masked. */
const printed = new Map<Step, string[]>();

const attempt = async (kubectl: Kubectl, { args, stdin, environment }: Step): Promise<Output> =>
  kubectl.run(splitArguments(args), { ...(stdin === undefined ? {} : { stdin }), ...(environment ? { environment } : {}) });

/** The step's output; of one that takes time the first that fits, or the last. */
async function outputOf(kubectl: Kubectl, step: Step): Promise<Output> {
  const { eventually, stdout } = step;
  let output = await attempt(kubectl, step);
  if (!eventually) return output;
  await vi.waitUntil(
    async () => {
      output = await attempt(kubectl, step);
      return stdout instanceof RegExp && stdout.test(output.stdout);
    },
    { timeout: 60_000, interval: 300 },
  );
  return output;
}

/** What of an output the step speaks of. */
const expected = ({ code = 0, stdout, stderr }: Step): object => ({
  code,
  ...(stdout === undefined ? {} : { stdout: stdout instanceof RegExp ? expect.stringMatching(stdout) : stdout }),
  ...(stderr ? { stderr: expect.stringMatching(stderr) } : {}),
});

describe.each(kubectlPaths.map((path, index) => [path, index] as const))('%s', (_path, index) => {
  it.for(steps.map((step) => [step.args, step] as const))('kubectl %s', async ([, step]) => {
    const kubectl = bench.kubectls[index];
    if (!kubectl) throw new Error('there is no such kubectl');
    // A command that came with a later release is refused by the kubectl itself.
    const isLater = step.since !== undefined && kubectl.minor < step.since;
    const output = isLater ? await attempt(kubectl, step) : await outputOf(kubectl, step);
    expect(output).toMatchObject(isLater ? { code: 1 } : expected(step));
    if (!step.differs && !isLater) printed.set(step, [...(printed.get(step) ?? []), masked(output.stdout, kubectl)]);
  });
});

describe('all kubectls', () => {
  it('get the same answers', () => {
    const answers = [...printed].filter(([, all]) => all.length === kubectlPaths.length);
    for (const index of kubectlPaths.keys()) {
      expect(answers.map(([{ args }, all]) => `${args}\n${all[index]}`)).toEqual(answers.map(([{ args }, all]) => `${args}\n${all[0]}`));
    }
  });
});
