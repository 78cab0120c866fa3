/** Measures a class: how long an action of the teacher takes to reach every learner, and the memory of the server. */
import { encodeRunPart, lessonQuestionId } from '@podscope/classroom';
import { longRun } from '@podscope/trace/testing';
import { type Figure, percentile } from '../ui/figure.ts';
import { ClassMember } from './class-member.ts';
import { type ClassProcess, startMeasuredClass } from './class-process.ts';

/** Number of views that the teacher shares with the class. Each view adds new events of the run. */
const views = 60;
/** Number of new events per view: about as many as a crash loop emits at ten times speed. */
const eventsPerView = 100;
/** Number of attempts at an exercise. The server replays and judges them while the teacher shares views. */
const attempts = 6;
/**
 * Number of learners that join at the same time. The server accepts 50 connections from one address that haven't sent
 * the code yet.
 */
const groupSize = 40;
/** Largest p95 of the delays, in milliseconds. */
const longest = 500;
/** Largest resident memory of the server, in MB of 1,000,000 bytes. */
const mostMemory = 300;
/** Largest memory that the server retains for the class after a garbage collection, in MB. */
const mostRetained = 10;

/** Resolves when the server has judged the attempts and the answers. */
function judged(teacher: ClassMember, wanted: number): Promise<void> {
  const isDone = (): boolean => {
    const answers = Object.values(teacher.state.learners).flatMap((learner) => Object.values(learner.answers));
    return answers.filter(({ goals }) => goals).length >= wanted && answers.every(({ verdict }) => verdict);
  };
  return new Promise((resolve) => {
    const stop = teacher.on(() => {
      if (!isDone()) return;
      stop();
      resolve();
    });
    if (!isDone()) return;
    stop();
    resolve();
  });
}

/** Returns the milliseconds from the teacher's action until each learner has received it. */
async function delays(teacher: ClassMember, learners: readonly ClassMember[], view: string): Promise<number[]> {
  const before = performance.now();
  const arrivals = learners.map(async (learner) => {
    await learner.event('sharedView', ({ sharedView }) => sharedView?.view === view);
    return performance.now() - before;
  });
  teacher.send({ type: 'sharedView', sharedView: { id: 'sharedView', view, run: 'bench' } });
  return Promise.all(arrivals);
}

/** Joins as `count` learners. */
export async function joinLearners({ port, code }: ClassProcess, count: number): Promise<readonly ClassMember[]> {
  const learners: ClassMember[] = [];
  while (learners.length < count) {
    const group = Array.from({ length: Math.min(groupSize, count - learners.length) }, (_each, index) =>
      ClassMember.learner(port, code, `Learner ${learners.length + index}`),
    );
    learners.push(...(await Promise.all(group)));
  }
  return learners;
}

const repaired =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: server, image: nginx:1.27 }] }';

/** Measures a class of `count` learners. They send answers and moves while the teacher shows a run. */
export async function measureClass(count: number): Promise<readonly Figure[]> {
  const server = await startMeasuredClass();
  try {
    // Loading the program leaves up to 70 MB of garbage, which is collected when the machine and Node.js choose to.
    const atFirst = await server.collectGarbage();
    const teacher = await ClassMember.teacher(server.port, server.token);
    const learners = await joinLearners(server, count);
    const events = longRun(views * eventsPerView);
    const times: number[] = [];
    let memory = 0;
    for (const learner of learners)
      learner.send({ type: 'answered', question: lessonQuestionId('crash-loops', 'first-restart'), answer: 0 });
    for (const learner of learners.slice(0, attempts))
      learner.send({ type: 'attempted', question: lessonQuestionId('fix-image', 'repair'), manifest: repaired });
    for (let view = 0; view < views; view++) {
      for (const [index, learner] of learners.entries()) {
        if (index % 3 === view % 3) learner.send({ type: 'moved', place: { pod: `default/pod-${view}` } });
      }
      times.push(...(await delays(teacher, learners, `?at=${view}`)));
      const part = events.slice(view * eventsPerView, (view + 1) * eventsPerView);
      teacher.run(await encodeRunPart('bench', { events: part }));
      memory = Math.max(memory, await server.memory());
    }
    await judged(teacher, Math.min(attempts, count));
    memory = Math.max(memory, await server.memory());
    const retained = (await server.collectGarbage()) - atFirst;
    for (const member of [teacher, ...learners]) member.drop();
    return [
      { what: `teacher’s action to ${count} learners, p50`, value: percentile(times, 0.5), unit: 'ms' },
      {
        what: `teacher’s action to ${count} learners, p95`,
        value: percentile(times, 0.95),
        unit: 'ms',
        limit: longest,
      },
      { what: 'resident memory of the class server', value: memory / 1e6, unit: 'MB', limit: mostMemory },
      { what: 'memory retained for the class', value: retained / 1e6, unit: 'MB', limit: mostRetained },
    ];
  } finally {
    await server.stop();
  }
}
