/** Measures a class: how long an action of the teacher takes to reach every learner, and the memory of the server. */
import { encodeRunPart } from '@podscope/classroom';
import { longRun } from '@podscope/trace/testing';
import { type Figure, percentile } from '../ui/figure.ts';
import { ClassMember } from './class-member.ts';
import { startLocalClass } from './class-process.ts';

/** Views that the teacher shows, each with new events of the run. */
const views = 60;
/** Events per view, as in a crash loop at ten times its speed. */
const eventsPerView = 100;
const longest = 500;
const mostMemory = 300;

/** Returns the milliseconds from the teacher's action until each learner has it. */
async function delays(teacher: ClassMember, learners: readonly ClassMember[], view: string): Promise<number[]> {
  const before = performance.now();
  const arrivals = learners.map(async (learner) => {
    await learner.event('look', ({ look }) => look?.view === view);
    return performance.now() - before;
  });
  teacher.say({ say: 'look', look: { id: 'look', view, run: 'bench' } });
  return Promise.all(arrivals);
}

/** Measures a class of this many learners, who answer and move while the teacher shows a run. */
export async function measureClass(count: number): Promise<readonly Figure[]> {
  const server = await startLocalClass();
  try {
    const teacher = await ClassMember.teacher(server.port, server.token);
    const learners = await Promise.all(
      Array.from({ length: count }, (_each, index) =>
        ClassMember.learner(server.port, server.code, `Learner ${index}`),
      ),
    );
    const events = longRun(views * eventsPerView);
    const times: number[] = [];
    for (let view = 0; view < views; view++) {
      for (const [index, learner] of learners.entries()) {
        if (index % 3 === view % 3) learner.say({ say: 'moved', place: { pod: `default/pod-${view}` } });
      }
      times.push(...(await delays(teacher, learners, `?at=${view}`)));
      const part = events.slice(view * eventsPerView, (view + 1) * eventsPerView);
      teacher.run(await encodeRunPart('bench', { events: part }));
    }
    const memory = await server.memory();
    for (const member of [teacher, ...learners]) member.drop();
    return [
      { what: `teacher’s action to ${count} learners, p50`, value: percentile(times, 0.5), unit: 'ms' },
      {
        what: `teacher’s action to ${count} learners, p95`,
        value: percentile(times, 0.95),
        unit: 'ms',
        limit: longest,
      },
      { what: 'resident memory of the class server', value: memory, unit: 'MiB', limit: mostMemory },
    ];
  } finally {
    await server.stop();
  }
}
