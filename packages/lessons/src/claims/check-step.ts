/** Checks the claims of a lesson's step on the run that the step plays. */

import type { LessonStep } from '../model.ts';
import { type LessonProblem, type ProblemText, problemText } from '../problem.ts';
import { claimHolds, type Run } from './claim.ts';

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
  const report = (word: 'expect' | 'options' | 'breakpoint' | undefined, problem: ProblemText): void => {
    const line = (word && lines.words?.[word]) ?? lines.heading;
    problems.push({ line, parts: [problemText('step', { step: id })], ...problem });
  };
  for (const [index, claim] of (scene.expect ?? []).entries())
    if (!claimHolds(claim, ended)) report('expect', problemText('claimFails', { claim: index + 1 }));
  const holding = optionsOf(step, run).flatMap((holds, index) => (holds ? [index + 1] : []));
  if (scene.options && holding.length !== 1)
    report(
      'options',
      holding.length === 0
        ? problemText('noRightOption')
        : problemText('severalRightOptions', { options: holding.join(', ') }),
    );
  else if (scene.options && question)
    for (const [index, remark] of question.remarks.entries())
      if ((remark === undefined) !== (holding[0] === index + 1))
        report(
          undefined,
          problemText(remark === undefined ? 'remarkMissing' : 'remarkOnRightOption', { option: index + 1 }),
        );
  if (scene.breakpoint) {
    const { point } = scene.breakpoint;
    const isHit = ended.events.some(
      (event) => event.type === 'spanStarted' && event.point === point && event.time >= run.begin + scene.at * 1_000,
    );
    if (!isHit) report('breakpoint', problemText('breakpointNotReached', { point }));
  }
  return problems;
}
