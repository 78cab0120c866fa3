/** Checks the claims of a lesson's step on the run that the step plays. */
import { claimHolds, type Run } from './claim.ts';
import type { LessonStep } from './model.ts';
import type { LessonProblem } from './problem.ts';

/** Returns the part of a run up to a second of the scenario. */
const runUntil = ({ begin, events }: Run, seconds: number): Run => ({
  begin,
  events: events.filter(({ time }) => time <= begin + seconds * 1_000),
});

/** For each option of the step, returns whether its claim is true at the end of the step. */
export const optionsOf = ({ scene }: Pick<LessonStep, 'scene'>, run: Run): readonly boolean[] => {
  const ended = scene && runUntil(run, scene.until ?? scene.at);
  return ended ? (scene.options ?? []).map((claim) => claimHolds(claim, ended)) : [];
};

/**
 * Returns the claims and remarks of a step that don't fit its run. A step without a scene has no problems.
 * @param run the whole run of the step's scene
 */
export function checkStep(step: LessonStep, run: Run): readonly LessonProblem[] {
  const { id, scene, question, lines } = step;
  if (!scene) return [];
  const ended = runUntil(run, scene.until ?? scene.at);
  const problems: LessonProblem[] = [];
  const report = (word: 'expect' | 'options' | 'breakpoint' | undefined, message: string): void => {
    const line = (word && lines.words?.[word]) ?? lines.heading;
    problems.push({ line, message: `step ${id}: ${message}` });
  };
  for (const [index, claim] of (scene.expect ?? []).entries())
    if (!claimHolds(claim, ended)) report('expect', `claim ${index + 1} of "expect" doesn't hold in the run`);
  const holding = optionsOf(step, run).flatMap((holds, index) => (holds ? [index + 1] : []));
  if (scene.options && holding.length !== 1)
    report(
      'options',
      holding.length === 0
        ? 'no option is right: none of the claims holds in the run'
        : `the claims of options ${holding.join(', ')} all hold: exactly one may hold in the run`,
    );
  else if (scene.options && question)
    for (const [index, remark] of question.remarks.entries())
      if ((remark === undefined) !== (holding[0] === index + 1))
        report(
          undefined,
          remark === undefined
            ? `option ${index + 1} is wrong in the run and needs a remark, indented below it`
            : `option ${index + 1} is right in the run and needs no remark`,
        );
  if (scene.breakpoint) {
    const { point } = scene.breakpoint;
    const isHit = ended.events.some(
      (event) => event.type === 'spanStarted' && event.point === point && event.time >= run.begin + scene.at * 1_000,
    );
    if (!isHit) report('breakpoint', `the run doesn't reach the breakpoint ${point} during the step`);
  }
  return problems;
}
