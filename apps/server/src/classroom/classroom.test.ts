import {
  classProtocol,
  type FromServer,
  type LearnerMessage,
  lessonQuestionId,
  type TeacherMessage,
  taskLessonId,
} from '@podscope/classroom';
import { describe, expect, it } from 'vitest';
import { Classroom, type ClassSeat } from './classroom.ts';
import { JoinGuard } from './join-guard.ts';
import type { Judge, JudgeResult } from './judging/judge-request.ts';
import { playRequest } from './judging/play-request.ts';
import type { Peer } from './members.ts';

interface TestPeer extends Peer {
  readonly messages: FromServer[];
  readonly refusals: string[];
}

function newPeer(): TestPeer {
  const messages: FromServer[] = [];
  const refusals: string[] = [];
  return {
    messages,
    refusals,
    send: (text) => messages.push(JSON.parse(text) as FromServer),
    refuse: (reason) => refusals.push(reason),
  };
}

const code = 'ABC234';

/** A lesson with the id of a lesson of the library, in which the second option is right. */
const ownLesson = `---
id: crash-loops
title: My crash loop
summary: A container restarts.
minutes: 1
---

## Restart {#first-restart}

\`\`\`scene
scenario: crash-loop
at: 2
until: 4
options:
  - { never: { type: runtimeStateChanged, name: app, attempt: 1, to: running } }
  - { happens: { type: runtimeStateChanged, name: app, attempt: 1, to: running } }
\`\`\`

The process exits.

? Does it restart?

- [ ] No
      It does.
- [ ] Yes

It does at once.
`;

const unknown: JudgeResult = { kind: 'unknown' };

function newClassroom(judge: Judge = async () => unknown): Classroom {
  let keys = 0;
  return new Classroom({
    code,
    joinInfo: () => ({ code, links: [], insecure: true }),
    now: () => 1_000,
    newKey: () => `key-${++keys}-${'x'.repeat(20)}`,
    judge,
  });
}

const welcomeOf = ({ messages }: TestPeer): Extract<FromServer, { type: 'welcome' }> => {
  const welcome = messages.find((message) => message.type === 'welcome');
  if (!welcome) throw new Error('not welcome');
  return welcome;
};
const eventsOf = ({ messages }: TestPeer): string[] =>
  messages.flatMap((message) => (message.type === 'event' ? [message.event.event.type] : []));

function joined(classroom: Classroom, name?: string): { peer: TestPeer; seat: ClassSeat<LearnerMessage> } {
  const peer = newPeer();
  const seat = classroom.join(peer, { code, name });
  if (!seat) throw new Error('refused');
  return { peer, seat };
}

function taught(classroom: Classroom, client = 't'): { peer: TestPeer; seat: ClassSeat<TeacherMessage> } {
  const peer = newPeer();
  const seat = classroom.teach(peer, { type: 'hello', role: 'teacher', protocol: classProtocol, client });
  if (!seat) throw new Error('refused');
  return { peer, seat };
}

describe('joining', () => {
  it('refuses a wrong code and accepts lower case', () => {
    const classroom = newClassroom();
    const peer = newPeer();
    expect(classroom.join(peer, { code: 'XXXXXX' })).toBeUndefined();
    expect(peer.refusals).toEqual(['code']);
    expect(classroom.join(newPeer(), { code: 'abc234' })).toBeDefined();
  });

  it('gives late joiners the shared run, the tasks and the open question', () => {
    const classroom = newClassroom();
    const { seat } = taught(classroom);
    seat.receive(1, { type: 'task', task: { id: 't', kind: 'lesson', lesson: 'crash-loops' } });
    seat.receive(2, { type: 'question', question: { id: 'q', kind: 'choice', text: 'Which?', options: ['a', 'b'] } });
    seat.receive(3, { type: 'sharedView', sharedView: { id: 'l', view: '?tab=logs', run: 'run-1' } });
    seat.run({ run: 'run-1', from: 1, to: 9, data: 'events' });
    const { peer } = joined(classroom);
    expect(welcomeOf(peer).state).toMatchObject({
      sharedView: { view: '?tab=logs' },
      tasks: [{ id: 't' }],
      questions: [{ isOpen: true }],
    });
    expect(peer.messages.at(-1)).toMatchObject({ type: 'run', part: { data: 'events' } });
  });

  it('is possible for 200 learners', () => {
    const classroom = newClassroom();
    for (let index = 0; index < 200; index++) joined(classroom);
    const peer = newPeer();
    expect(classroom.join(peer, { code })).toBeUndefined();
    expect(peer.refusals).toEqual(['full']);
  });

  it('gives the seat of a learner who has left without an answer to the next one in a full class', () => {
    const classroom = newClassroom();
    const { seat } = joined(classroom, 'Ada');
    const idle = joined(classroom, 'Bob');
    for (let index = 2; index < 200; index++) joined(classroom);
    seat.receive(1, { type: 'answered', question: 'lesson:crash-loops/curve', answer: 0 });
    seat.closed();
    expect(classroom.join(newPeer(), { code })).toBeUndefined();
    idle.seat.closed();
    joined(classroom, 'Cem');
    const names = Object.values(classroom.state.learners).map(({ name }) => name);
    expect(names).toContain('Ada');
    expect(names).not.toContain('Bob');
  });

  it('gives a newcomer the seat of an unnamed learner at an address that has taken all seats', () => {
    const classroom = newClassroom();
    const at = (address: string, name?: string): TestPeer => {
      const peer = newPeer();
      classroom.join(peer, { code, name }, address);
      return peer;
    };
    at('10.0.0.9', 'Ada');
    const crowd = Array.from({ length: 199 }, () => at('10.0.0.9'));
    expect(at('10.0.0.9').refusals).toEqual(['full']);
    expect(at('10.0.0.5').refusals).toEqual([]);
    expect(crowd.filter(({ refusals }) => refusals.includes('full'))).toEqual([crowd.at(-1)]);
    expect(Object.values(classroom.state.learners).some(({ name }) => name === 'Ada')).toBe(true);
  });

  it('removes characters from names that would change the text around them', () => {
    const classroom = newClassroom();
    joined(classroom, '\u202Eadam\u2069\n');
    joined(classroom, ' \u200F ');
    expect(Object.values(classroom.state.learners).map(({ name }) => name)).toEqual(['adam', undefined]);
  });

  it('knows a learner who joined by the key only', () => {
    const classroom = newClassroom();
    const { you } = welcomeOf(joined(classroom).peer);
    expect(classroom.knows(you)).toBe(true);
    expect(classroom.knows({ learner: you?.learner ?? '', key: 'guessed' })).toBe(false);
    expect(classroom.knows(undefined)).toBe(false);
  });
});

describe('a lost connection', () => {
  it('continues after the last event that the learner has, and ignores a message that it has already processed', () => {
    const classroom = newClassroom();
    const { peer, seat } = joined(classroom, 'Ada');
    seat.receive(1, { type: 'hand', raised: true });
    const { you, state } = welcomeOf(peer);
    const last = Math.max(...peer.messages.flatMap((each) => (each.type === 'event' ? [each.event.seq] : [])));
    expect(state?.seq).toBeLessThan(last);
    seat.closed();
    taught(classroom).seat.receive(1, { type: 'task', task: { id: 't', kind: 'lesson', lesson: 'crash-loops' } });
    const again = newPeer();
    const second = classroom.join(again, { code, resume: you, after: last });
    expect(again.messages[0]?.type).toBe('welcome');
    const welcome = welcomeOf(again);
    expect(welcome.confirmed).toBe(1);
    expect(welcome.state).toBeUndefined();
    expect(welcome.events?.map(({ event }) => event.type)).toEqual(['connection', 'task', 'connection']);
    second?.receive(1, { type: 'hand', raised: false });
    expect(Object.values(classroom.state.learners)[0]?.handAt).toBe(1_000);
    second?.receive(2, { type: 'hand', raised: false });
    expect(Object.values(classroom.state.learners)[0]?.handAt).toBeUndefined();
  });

  it('does not let a learner become another one without the key', () => {
    const classroom = newClassroom();
    const { learner = '' } = welcomeOf(joined(classroom, 'Ada').peer).you ?? {};
    const peer = newPeer();
    classroom.join(peer, { code, resume: { learner, key: 'guessed' } });
    expect(welcomeOf(peer).you?.learner).not.toBe(learner);
  });
});

describe('what learners get', () => {
  it('contains nothing about other learners', () => {
    const classroom = newClassroom();
    const ada = joined(classroom, 'Ada');
    const bob = joined(classroom, 'Bob');
    bob.seat.receive(1, { type: 'moved', place: { pod: 'default/secret-pod' } });
    expect(JSON.stringify(ada.peer.messages)).not.toMatch(/Bob|secret-pod/);
    expect(eventsOf(bob.peer)).toContain('moved');
  });

  it('does not contain the join code', () => {
    expect(welcomeOf(joined(newClassroom()).peer).joinInfo).toBeUndefined();
  });
});

describe('the teacher', () => {
  it('points and sets breakpoints only with the consent of the learner', () => {
    const classroom = newClassroom();
    const { seat, peer } = joined(classroom);
    const { learner = '' } = welcomeOf(peer).you ?? {};
    const { seat: teacher } = taught(classroom);
    teacher.receive(1, { type: 'point', learner, view: '?tab=logs' });
    teacher.receive(2, { type: 'breakpoints', learner, breakpoints: [{ point: 'cri.StartContainer' }] });
    expect(eventsOf(peer)).not.toContain('pointed');
    seat.receive(1, { type: 'consent', given: true });
    teacher.receive(3, { type: 'point', learner, view: '?tab=logs' });
    teacher.receive(4, { type: 'breakpoints', learner, breakpoints: [{ point: 'cri.StartContainer' }] });
    expect(eventsOf(peer)).toEqual(expect.arrayContaining(['pointed', 'breakpointsSet']));
  });

  it('gets the run of a learner only while it is open', () => {
    const classroom = newClassroom();
    const { seat, peer } = joined(classroom);
    const { learner = '' } = welcomeOf(peer).you ?? {};
    const teacher = taught(classroom);
    const part = { run: 'r', from: 1, to: 2, data: 'events' };
    seat.run(part);
    expect(teacher.peer.messages.some(({ type }) => type === 'run')).toBe(false);
    teacher.seat.receive(1, { type: 'watch', learner, watching: true });
    seat.run(part);
    expect(teacher.peer.messages.at(-1)).toEqual({ type: 'run', learner, part });
  });

  it('asking a question releases the screens and closes the previous question', () => {
    const classroom = newClassroom();
    const { seat } = taught(classroom);
    const question = { kind: 'choice' as const, text: 'Which?', options: ['a', 'b'] };
    seat.receive(1, { type: 'question', question: { ...question, id: 'q1' } });
    seat.receive(2, { type: 'sharedView', sharedView: { id: 'l', view: '', run: 'r' } });
    seat.receive(3, { type: 'question', question: { ...question, id: 'q2' } });
    expect(classroom.state.sharedView).toBeNull();
    expect(classroom.state.questions.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  });

  it('at the end of a class, deletes names, disconnects learners and rejects new ones with `ended`', () => {
    const classroom = newClassroom();
    const { peer } = joined(classroom, 'Ada');
    const { seat } = taught(classroom);
    seat.receive(1, { type: 'end' });
    expect(peer.refusals).toEqual(['ended']);
    expect(JSON.stringify(classroom.state)).not.toContain('Ada');
    const late = taught(classroom, 'other').peer;
    expect(JSON.stringify(late.messages)).not.toContain('Ada');
    const refused = newPeer();
    expect(classroom.join(refused, { code })).toBeUndefined();
    expect(refused.refusals).toEqual(['ended']);
  });
});

describe('a late answer', () => {
  it('is ignored when the question is closed', () => {
    const classroom = newClassroom();
    const { seat, peer } = joined(classroom);
    const { seat: teacher } = taught(classroom);
    teacher.receive(1, {
      type: 'question',
      question: { id: 'q', kind: 'choice', text: 'Which?', options: ['a', 'b'] },
    });
    teacher.receive(2, { type: 'closeQuestion', question: 'q' });
    seat.receive(1, { type: 'answered', question: 'q', answer: 0 });
    expect(eventsOf(peer)).not.toContain('answered');
  });
});

describe('verdicts', () => {
  const question = 'lesson:crash-loops/first-restart';
  const verdictOf = async (classroom: Classroom, id: string): Promise<unknown> => {
    const find = (): unknown => Object.values(classroom.state.learners)[0]?.answers[id]?.verdict;
    await expect.poll(find).toBeDefined();
    return find();
  };

  it('are those of the run that the server plays, whatever a learner claims', async () => {
    const classroom = newClassroom(playRequest);
    const { seat } = joined(classroom);
    seat.receive(1, { type: 'answered', question, answer: 1 });
    seat.receive(2, { type: 'judged', question, verdict: { right: true, actual: 1 } });
    expect(await verdictOf(classroom, question)).toEqual({ right: false, actual: 0 });
  });

  it('are right for a right answer, also if the learner claims nothing', async () => {
    const classroom = newClassroom(playRequest);
    joined(classroom).seat.receive(1, { type: 'answered', question, answer: 0 });
    expect(await verdictOf(classroom, question)).toEqual({ right: true, actual: 0 });
  });

  it('are those of the lesson in a task, even if the library has a lesson with its id', async () => {
    const classroom = newClassroom(playRequest);
    taught(classroom).seat.receive(1, {
      type: 'task',
      task: { id: 't-1', kind: 'lesson', lesson: 'crash-loops', source: { text: ownLesson } },
    });
    const asked = lessonQuestionId(taskLessonId('t-1'), 'first-restart');
    const { seat } = joined(classroom);
    seat.receive(1, { type: 'answered', question: asked, answer: 1 });
    expect(await verdictOf(classroom, asked)).toEqual({ right: true, actual: 1 });
  });

  it('on a prediction come from the scene in which the teacher asked', async () => {
    const classroom = newClassroom(playRequest);
    const scene = { scenario: 'crash-loop', profile: 'v1.36', at: 20 } as const;
    const asked = { id: 'q', kind: 'restartIn', text: 'When?', scene, pod: 'default/crash-loop' } as const;
    taught(classroom).seat.receive(1, { type: 'question', question: asked });
    const { seat } = joined(classroom);
    seat.receive(1, { type: 'answered', question: 'q', answer: 500 });
    seat.receive(2, { type: 'judged', question: 'q', verdict: { right: true, actual: 500 } });
    const verdict = await verdictOf(classroom, 'q');
    expect(verdict).toMatchObject({ right: false });
    expect((verdict as { actual: number }).actual).toBeLessThan(60);
  });

  it('of a learner’s browser are unverified, and only used if the server has no run', async () => {
    const classroom = newClassroom();
    taught(classroom).seat.receive(1, { type: 'question', question: { id: 'q', kind: 'restartIn', text: 'When?' } });
    const { seat } = joined(classroom);
    seat.receive(1, { type: 'answered', question: 'q', answer: 10 });
    seat.receive(2, { type: 'judged', question: 'q', verdict: { right: true, actual: 10 } });
    expect(await verdictOf(classroom, 'q')).toEqual({ right: true, actual: 10, unverified: true });
  });

  it('on a question with options come from the teacher, and learners don’t receive the right option', () => {
    const classroom = newClassroom();
    const { seat, peer } = joined(classroom);
    const teacher = taught(classroom);
    const asked = { id: 'q', kind: 'choice', text: 'Which?', options: ['a', 'b'], right: 1 } as const;
    teacher.seat.receive(1, { type: 'question', question: { ...asked, options: [...asked.options] } });
    const late = joined(classroom).peer;
    for (const { messages } of [peer, late]) expect(JSON.stringify(messages)).not.toContain('"right"');
    expect(JSON.stringify(teacher.peer.messages)).toContain('"right":1');
    seat.receive(1, { type: 'judged', question: 'q', verdict: { right: true } });
    seat.receive(2, { type: 'answered', question: 'q', answer: 0 });
    seat.receive(3, { type: 'judged', question: 'q', verdict: { right: true } });
    expect(Object.values(classroom.state.learners)[0]?.answers['q']?.verdict).toEqual({ right: false, actual: 1 });
  });

  it('on an exercise count its goals, attempt by attempt, until one is right', async () => {
    const [exercise, broken] = ['lesson:fix-image/repair', 'kind: nonsense'];
    const repaired = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: server, image: 'nginx:1.27' }] }`;
    const classroom = newClassroom(playRequest);
    const { seat } = joined(classroom);
    const given = () => Object.values(classroom.state.learners)[0]?.answers[exercise];
    seat.receive(1, { type: 'attempted', question: exercise, manifest: broken });
    await expect.poll(() => given()?.answer).toBe(1);
    expect(given()).toMatchObject({ verdict: { right: false }, goals: { met: 0 } });
    seat.receive(2, { type: 'attempted', question: exercise, manifest: repaired });
    await expect.poll(() => given()?.answer).toBe(2);
    expect(given()?.verdict).toEqual({ right: true });
    expect(given()?.goals?.met).toBe(given()?.goals?.of);
    seat.receive(3, { type: 'attempted', question: exercise, manifest: broken });
    expect(given()?.answer).toBe(2);
  });
});

describe('JoinGuard', () => {
  it('allows ten wrong codes per machine and minute', () => {
    let now = 0;
    const guard = new JoinGuard(() => now);
    for (let index = 0; index < 10; index++) {
      expect(guard.mayTry('10.0.0.1')).toBe(true);
      guard.wasWrong('10.0.0.1');
    }
    expect(guard.mayTry('10.0.0.1')).toBe(false);
    expect(guard.mayTry('10.0.0.2')).toBe(true);
    now = 60_001;
    expect(guard.mayTry('10.0.0.1')).toBe(true);
  });
});
