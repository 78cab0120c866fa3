/**
 * Every ordinary kubectl command, by every kubectl there is, against a server on the real Docker engine: what a person types, what comes
 * back, and that old and new programs get the same. Steps build on those before them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deletingSteps } from './testing/kubectl-steps/deleting.ts';
import { inspectingSteps } from './testing/kubectl-steps/inspecting.ts';
import { manifests } from './testing/kubectl-steps/manifests.ts';
import { masked, type Step, splitArguments } from './testing/kubectl-steps/step.ts';
import { writingSteps } from './testing/kubectl-steps/writing.ts';
import { type Kubectl, type KubectlBench, kubectlPaths, type Output, startKubectlBench } from './testing/kubectl.ts';

let bench: KubectlBench;

beforeAll(async () => {
  bench = await startKubectlBench(['--runtime', 'docker']);
  for (const [name, text] of Object.entries(manifests)) await bench.file(name, text);
});
afterAll(() => bench.dispose());

const steps: readonly Step[] = [...inspectingSteps, ...writingSteps, ...deletingSteps];
/** What each program printed at each step, with what differs from run to run masked. */
const printed = new Map<Step, string[]>();

const attempt = async ({ run }: Kubectl, { args, stdin, environment }: Step): Promise<Output> =>
  run(splitArguments(args), { ...(stdin === undefined ? {} : { stdin }), ...(environment ? { environment } : {}) });

function check({ code = 0, stdout, stderr }: Step, output: Output): void {
  expect(output, output.stderr).toMatchObject({ code });
  if (typeof stdout === 'string') expect(output.stdout).toBe(stdout);
  else if (stdout) expect(output.stdout).toMatch(stdout);
  if (stderr) expect(output.stderr).toMatch(stderr);
}

describe.each(kubectlPaths.map((path, index) => [path, index] as const))('%s', (_path, index) => {
  it.for(steps.map((step) => [step.args, step] as const))('kubectl %s', async ([, step], { skip }) => {
    const kubectl = bench.kubectls[index];
    if (!kubectl) throw new Error('there is no such kubectl');
    if (step.since !== undefined && kubectl.minor < step.since) {
      skip(`kubectl 1.${kubectl.minor} has no such command: it came with 1.${step.since}`);
      return;
    }
    let output: Output;
    if (step.eventually) {
      await expect
        .poll(async () => {
          const { stdout } = await attempt(kubectl, step);
          return stdout;
        }, { timeout: 60_000, interval: 300 })
        .toMatch(step.stdout as RegExp);
      output = await attempt(kubectl, step);
    } else output = await attempt(kubectl, step);
    check(step, output);
    if (!step.differs) printed.set(step, [...(printed.get(step) ?? []), masked(output.stdout, kubectl)]);
  });
});

describe('all kubectls', () => {
  it('get the same answers', () => {
    for (const [{ args }, [first, ...others]] of printed) for (const other of others) expect(`${args}\n${other}`).toBe(`${args}\n${first}`);
  });
});
