import { isRecord } from '@podscope/base';
import { describe, expect, it } from 'vitest';
import type { Known } from '../known.ts';
import type { Lesson } from '../model.ts';
import { formatLessonProblem, formatProblem } from '../problem.ts';
import { translateLesson } from '../translate-lesson.ts';
import { validateLesson } from '../validate-lesson.ts';
import { forLearners, parseLesson, withoutSolutions } from './parse-lesson.ts';

const front = '---\nid: tour\ntitle: A tour\nsummary: Of something.\nminutes: 3\n---\n';
const scene =
  '```scene\nscenario: crash-loop\nat: 1\nuntil: 5\nlook: timeline\noptions:\n  - { happens: { type: backOff ' +
  '} }\n  - { never: { type: backOff } }\n```\n';
const question = '? What now?\n\n- [ ] This\n- [ ] That\n\nSince it is so.\n';

const read = (text: string): Lesson => {
  const { lesson, problems } = parseLesson(text);
  expect(problems).toEqual([]);
  if (!lesson) throw new Error('no lesson and no problem');
  return lesson;
};
const problemsOf = (text: string): readonly string[] =>
  parseLesson(text).problems.map((problem) => formatLessonProblem(problem, 'tour.md'));

describe('a lesson', () => {
  it('consists of front matter and steps with text, scene and question', () => {
    const lesson = read(
      `${front}\n## First {#first}\n\n${scene}\nSome *text*.\n\n${question}\n## Second {#second}\n\nMore text.\n`,
    );
    expect(lesson).toMatchObject({ id: 'tour', title: 'A tour', language: 'en', minutes: 3 });
    expect(lesson.steps.map(({ id, title, body }) => ({ id, title, body }))).toEqual([
      { id: 'first', title: 'First', body: 'Some *text*.' },
      { id: 'second', title: 'Second', body: 'More text.' },
    ]);
    expect(lesson.steps[0]?.scene).toMatchObject({
      scenario: 'crash-loop',
      profile: 'v1.36',
      at: 1,
      until: 5,
      look: [{ at: 'timeline' }],
    });
    expect(lesson.steps[0]?.question).toEqual({
      text: 'What now?',
      options: ['This', 'That'],
      remarks: [undefined, undefined],
      explanation: 'Since it is so.',
    });
  });

  it('may have a remark on an option', () => {
    const { steps } = read(
      `${front}## First {#first}\n\nText.\n\n? What now?\n\n- [ ] This\n  It is not,\n  since that is.\n\n- ` +
        '[ ] That\n\nSo.\n',
    );
    expect(steps[0]?.question).toMatchObject({
      options: ['This', 'That'],
      remarks: ['It is not,\nsince that is.', undefined],
      explanation: 'So.',
    });
  });

  it.each([
    [
      'missing front matter',
      '## First {#first}\n\nText.\n',
      ['tour.md:1: a lesson begins with front matter between two lines of ---'],
    ],
    [
      'incomplete front matter',
      '---\nid: tour\ntitle: A tour\nminutes: 3\n---\n## First {#first}\n\nText.\n',
      ['tour.md:2: front matter: summary: is missing'],
    ],
    [
      'a heading without an id',
      `${front}## First\n\nText.\n`,
      [
        'tour.md:7: the heading "First" needs an id of lower-case words at its end, such as {#first-restart}',
        /there is no step/,
      ],
    ],
    [
      'an unknown field in a scene',
      `${front}## First {#first}\n\n\`\`\`scene\nscenario: x\ncolour: red\n\`\`\`\nText.\n`,
      [/^tour\.md:11: step first: scene: .*colour/],
    ],
    [
      'an empty claim',
      `${front}## First {#first}\n\n\`\`\`scene\nscenario: x\nexpect: [{ times: 2 }]\n\`\`\`\nText.\n`,
      [/^tour\.md:11: step first: scene: expect\.0: needs either "happens" or "never"$/],
    ],
    [
      'a scene without scenario and recording',
      `${front}## First {#first}\n\n\`\`\`scene\nat: 1\n\`\`\`\nText.\n`,
      ['tour.md:10: step first: scene: needs either "scenario" or "recording"'],
    ],
    [
      'a breakpoint in a recording',
      `${front}## First {#first}\n\n\`\`\`scene\nrecording: x\nbreakpoint: { point: syncPod.killPod }\n\`\`\`\nText.\n`,
      ['tour.md:11: step first: scene: breakpoint: goes with "scenario" only: a recording has happened already'],
    ],
    [
      'invalid YAML',
      `${front}## First {#first}\n\n\`\`\`scene\nscenario: [x\n\`\`\`\nText.\n`,
      [/^tour\.md:1[01]: step first: /],
    ],
    [
      'an unclosed scene block',
      `${front}## First {#first}\n\nText.\n\n\`\`\`scene\nscenario: x\n`,
      ['tour.md:11: step first: the block ```scene has no end'],
    ],
    [
      'options without a question',
      `${front}## First {#first}\n\nText.\n\n- [ ] This\n- [ ] That\n`,
      [/there are options, but no question/],
    ],
    [
      'a question without options',
      `${front}## First {#first}\n\nText.\n\n? What now?\n`,
      ['tour.md:11: step first: the question has no options: they are lines such as "- [ ] At once"'],
    ],
    [
      'a question without an explanation',
      `${front}## First {#first}\n\nText.\n\n? What now?\n\n- [ ] This\n- [ ] That\n`,
      [/the text after the options is missing: it is shown once the question is answered/],
    ],
    [
      'a checked option',
      `${front}## First {#first}\n\nText.\n\n? What now?\n\n- [x] This\n- [ ] That\n- [ ] Else\n\nSo.\n`,
      ['tour.md:13: step first: no option is marked as the right one: what happens decides. All begin with "- [ ] "'],
    ],
    [
      'a claim that no event can match',
      `${front}## First {#first}\n\n\`\`\`scene\nscenario: x\nexpect:\n  - never: { type: backOff, nmae: app ` +
        `}\n  - happens: { type: backOff, state: armd, container: ~a }\n\`\`\`\nText.\n`,
      [
        /^tour\.md:12: step first: scene: expect\.0\.never\.nmae: events of type backOff have no such field, but .*container/,
        /^tour\.md:13: .*state: is never "armd": .*armed/,
      ],
    ],
    [
      'an invalid place to look at',
      `${front}## First {#first}\n\n\`\`\`scene\nscenario: x\nlook: timline\n\`\`\`\nText.\n`,
      [/^tour\.md:11: .*look.*is one of pods, timeline/],
    ],
    [
      'two steps with the same id',
      `${front}## First {#first}\n\nText.\n\n## Again {#first}\n\nText.\n`,
      [/^tour\.md:11: two steps have the id first/],
    ],
    [
      'text before the first step',
      `${front}\nHello.\n\n## First {#first}\n\nText.\n`,
      ['tour.md:8: this text is before the first step: describe the lesson in its summary'],
    ],
  ])('reports %s', (_, text, expected) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(expected.length);
    for (const [index, problem] of problems.entries()) expect(problem).toMatch(expected[index] ?? '');
    expect(parseLesson(text).lesson).toBeUndefined();
  });
});

describe('a translation', () => {
  const original = read(`${front}## First {#first}\n\n${scene}Text.\n\n${question}`);
  const other = (body: string): Lesson => read(`${front.replace('minutes: 3', 'minutes: 3\nlanguage: de')}${body}`);

  it('has its own texts and the scenes of the original', () => {
    const { lesson } = translateLesson(original, other(`## Erstens {#first}\n\nWorte.\n\n${question}`));
    expect(lesson).toMatchObject({
      language: 'de',
      steps: [{ title: 'Erstens', body: 'Worte.', scene: { scenario: 'crash-loop' } }],
    });
  });

  it('must have the same steps and options', () => {
    const problems = (body: string): readonly string[] =>
      translateLesson(original, other(body)).problems.map(formatProblem);
    expect(problems('## Zweitens {#second}\n\nWorte.\n')).toEqual([
      'the steps are second, those of the original first',
    ]);
    expect(problems('## Erstens {#first}\n\nWorte.\n')).toEqual(['step first: the original has 2 options, this has 0']);
    expect(problems(`## Erstens {#first}\n\nWorte.\n\n${question.replace('This\n', 'This\n  Nein.\n')}`)).toEqual([
      'step first: only one of the two languages says something of option 1',
    ]);
    expect(problems(`## Erstens {#first}\n\n${scene}Worte.\n\n${question}`)[0]).toContain(
      'a translation has no scene of its own',
    );
  });
});

describe('validation', () => {
  const known: Known = {
    scenarios: new Map([
      ['crash-loop', { profiles: ['v1.36'], duration: 100, manifest: 'containers: [{ name: app }]' }],
    ]),
    recordings: new Map([['on-docker', { profiles: ['v1.20'], duration: 2, manifest: '{"name":"app"}' }]]),
    points: new Set(['syncPod.killPod']),
    readScenario: (value) =>
      isRecord(value) && typeof value['manifest'] === 'string'
        ? { scenario: { profiles: ['v1.36'], duration: 20, manifest: value['manifest'] } }
        : { error: { issues: [{ path: ['manifest'], message: 'is missing' }] } },
  };
  const own = (scenario: string, name = 'own'): readonly string[] =>
    validateLesson(
      read(
        `${front}\n\`\`\`scenario\nid: own\n${scenario}\n\`\`\`\n\n## First {#first}\n\n\`\`\`scene\nscenario: ` +
          `${name}\nlook: { at: timeline, container: app }\n\`\`\`\nText.\n`,
      ),
      known,
    ).map((problem) => formatLessonProblem(problem, 'tour.md'));

  it('may be to a scenario that the lesson brings along', () => {
    expect(own("manifest: 'containers: [{ name: app }]'")).toEqual([]);
    expect(own("manifest: 'containers: [{ name: web }]'")).toEqual([
      'tour.md:17: step first: scenario own has no container app',
    ]);
    expect(own('manifest: x', 'other')).toEqual(['tour.md:16: step first: there is no scenario other']);
  });

  it('to a scenario of the lesson with a problem are reported once, at the scenario', () => {
    expect(own('duration: 3')).toEqual(['tour.md:9: scenario own: manifest: is missing']);
  });

  const check = (yaml: string, rest = ''): readonly string[] =>
    validateLesson(read(`${front}## First {#first}\n\n\`\`\`scene\n${yaml}\n\`\`\`\nText.\n${rest}`), known).map(
      (problem) => formatLessonProblem(problem, 'tour.md'),
    );

  it('accepts valid lessons', () => {
    expect(check('scenario: crash-loop\nat: 5\nbreakpoint: { point: syncPod.killPod }')).toEqual([]);
    expect(check('recording: on-docker\nprofile: v1.20\nat: 2\nlook: { at: timeline, container: app }')).toEqual([]);
  });

  it.each([
    ['scenario: nothing', 'tour.md:10: step first: there is no scenario nothing'],
    ['recording: on-dokcer', 'tour.md:10: step first: there is no recording on-dokcer'],
    ['recording: on-docker', 'tour.md:10: step first: recording on-docker was not made as v1.36, but as v1.20'],
    [
      'recording: on-docker\nprofile: v1.20\nat: 3',
      'tour.md:12: step first: recording on-docker is over after 2 s, before the 3 s of the scene',
    ],
    [
      'scenario: crash-loop\nprofile: v1.20',
      'tour.md:11: step first: scenario crash-loop is not played as v1.20, but as v1.36',
    ],
    [
      'scenario: crash-loop\nat: 200',
      'tour.md:11: step first: scenario crash-loop is over after 100 s, before the 200 s of the scene',
    ],
    ['scenario: crash-loop\nat: 20\nuntil: 10', 'tour.md:12: step first: "until" (10 s) lies before "at" (20 s)'],
    ['scenario: crash-loop\nlook: { at: steps, point: nowhere }', 'tour.md:11: step first: there is no point nowhere'],
    [
      'scenario: crash-loop\nlook: { at: timeline, container: web }',
      'tour.md:11: step first: scenario crash-loop has no container web',
    ],
    [
      'scenario: crash-loop\nuntil: 9\nexpect: [{ never: { type: backOff, container: web } }]',
      'tour.md:12: step first: scenario crash-loop has no container web',
    ],
    [
      'scenario: crash-loop\nuntil: 9\nexpect: [{ never: { type: spanStarted, point: syncPod.kilPod } }]',
      'tour.md:12: step first: there is no point syncPod.kilPod',
    ],
  ])('reports the error in %j', (yaml, message) => {
    expect(check(yaml)).toEqual([message]);
  });

  it('compares the numbers of options and claims', () => {
    expect(check('scenario: crash-loop', `\n${question}`)).toEqual([
      'tour.md:7: step first: the question has 2 options, the scene claims for 0',
    ]);
  });
});

const exercise =
  '```exercise\nscenario: mine\nat: 5\npod: web\nseconds: 60\ngoals:\n' +
  '  - { status: { phase: Running }, for: 30 }\n```\n';
const solution = '```solution\nkind: Pod\n```\n';
const task = '- [ ] It runs\n\n! Look\n  closely.\n\n! Again.\n\nDone.\n';

describe('an exercise', () => {
  it('has a body, goals, hints, an explanation and a solution', () => {
    const { steps } = read(`${front}## First {#first}\n\n${exercise}\n${solution}\nRepair it.\n\n${task}`);
    expect(steps[0]).toMatchObject({
      body: 'Repair it.',
      question: undefined,
      scene: undefined,
      exercise: { pod: 'web', seconds: 60, profile: 'v1.36', goals: [{ status: { phase: 'Running' }, for: 30 }] },
      task: { goals: ['It runs'], hints: ['Look\nclosely.', 'Again.'], explanation: 'Done.' },
      solution: 'kind: Pod\n',
    });
  });

  it.each([
    ['no goal text', `${exercise}\nText.\n`, [/:9: .*has no goal/]],
    ['a question', `${exercise}\nText.\n\n? Why?\n\n${task}`, [/an exercise has no question/]],
    ['a scene', `${scene}\n${exercise}\nText.\n\n${task}`, [/:10: .*an exercise has no scene/]],
    ['no explanation', `${exercise}\nText.\n\n- [ ] It runs\n`, [/after the goals and hints comes the text/]],
    [
      'an attempt that is too long',
      `${exercise.replace('60', '301')}\nText.\n\n${task}`,
      [/:14: .*exercise: seconds: /],
    ],
    [
      'a goal that is no claim',
      `${exercise.replace('for: 30', 'for: no')}\nText.\n\n${task}`,
      [/:16: .*goals.0.for: /],
    ],
  ])('with %s is reported with its line', (_, text, wanted) => {
    const problems = problemsOf(`${front}\n## First {#first}\n\n${text}`);
    expect(problems).toEqual(wanted.map((each) => expect.stringMatching(each)));
  });

  it('has notes for teachers, which are not part of its text and not in the copy for learners', () => {
    const notes = '```notes\nAsk why first.\n\nThen *wait*.\n```';
    const text = `${front}## First {#first}\n\n${exercise}\n${solution}\nRepair it.\n\n${notes}\n\n${task}`;
    expect(read(text).steps[0]).toMatchObject({ body: 'Repair it.', notes: 'Ask why first.\n\nThen *wait*.' });
    expect(read(withoutSolutions(text)).steps[0]?.notes).toBeDefined();
    const [learned] = read(forLearners(text)).steps;
    expect([learned?.notes, learned?.solution, learned?.body]).toEqual([undefined, undefined, 'Repair it.']);
  });

  it('loses its solution in a package for learners', () => {
    const text = `${front}## First {#first}\n\n${exercise}\n${solution}\nRepair it.\n\n${task}`;
    const { steps } = read(withoutSolutions(text));
    expect(steps[0]?.solution).toBeUndefined();
    expect(steps[0]?.task?.goals).toEqual(['It runs']);
  });
});
