/**
 * Runs every common command with every available kubectl version, against a server on the real Docker Engine. Each
 * command must print the expected output, and all versions must print the same output. Steps run in order, because a
 * step may use objects that an earlier step changed.
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

/** Returns true for commands that change nothing. Consecutive commands of this kind run concurrently. */
const reads = ({ args, eventually }: Step): boolean =>
  !eventually && /^(get|describe|logs|explain|top|auth|api-\w+|version|cluster-info|events) ?/.test(args);

/**
 * Maximum number of concurrent commands. More commands don't run faster on two processors, and kubectl stops waiting
 * for a TLS handshake after 10 s.
 */
const most = 4;
let running = 0;
const waiting: (() => void)[] = [];

/** Runs a command as soon as fewer than {@link most} commands run. */
async function inTurn(command: () => Promise<Output>): Promise<Output> {
  if (running === most) await new Promise<void>((start) => waiting.push(start));
  else running++;
  try {
    return await command();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

const attempt = async (kubectl: Kubectl, step: Step): Promise<Output> => {
  const { args, stdin, environment } = step;
  const command = (): Promise<Output> =>
    kubectl.run(splitArguments(args.replaceAll('NAMESPACE', kubectl.namespace)), {
      ...(stdin === undefined ? {} : { stdin }),
      ...(environment ? { environment } : {}),
    });
  return reads(step) ? inTurn(command) : command();
};

/** Returns the step's output. A step with `eventually` is repeated until its output matches or time runs out. */
async function outputOf(kubectl: Kubectl, step: Step): Promise<Output> {
  const { eventually, stdout } = step;
  let output = await attempt(kubectl, step);
  if (!eventually) return output;
  await vi.waitUntil(
    async () => {
      output = await attempt(kubectl, step);
      return stdout instanceof RegExp && stdout.test(output.stdout);
    },
    { timeout: 240_000, interval: 300 },
  );
  return output;
}

/** Returns the expected output as a matcher. */
const expected = ({ code = 0, stdout, stderr }: Step): object => ({
  code,
  ...(stdout === undefined ? {} : { stdout: stdout instanceof RegExp ? expect.stringMatching(stdout) : stdout }),
  ...(stderr ? { stderr: expect.stringMatching(stderr) } : {}),
});

/**
 * Runs a step with one version of kubectl.
 * @returns its output with variable parts masked; undefined if the output may differ between versions
 */
async function take(kubectl: Kubectl, step: Step): Promise<string | undefined> {
  // A kubectl version that doesn't have the command yet rejects it.
  const isLater = step.since !== undefined && kubectl.minor < step.since;
  const output = isLater ? await attempt(kubectl, step) : await outputOf(kubectl, step);
  expect(output, `${kubectl.program}, minor ${kubectl.minor}: ${output.stderr}`).toMatchObject(
    isLater ? { code: 1 } : expected(step),
  );
  return step.differs || isLater ? undefined : masked(output.stdout, kubectl);
}

describe(`kubectl (${kubectlPaths.join(', ')})`, () => {
  for (const step of steps) {
    it(`kubectl ${step.args}`, { concurrent: reads(step) }, async () => {
      // All versions run at the same time, each in its own namespace.
      const printed = await Promise.all(bench.kubectls.map((kubectl) => take(kubectl, step)));
      const answers = printed.filter((text) => text !== undefined);
      expect(answers).toEqual(answers.map(() => answers[0]));
    });
  }
});
