/**
 * Holds the state of one class: numbers the events, computes the state from them, and forwards them to the teacher and
 * the learners. It depends neither on sockets nor on HTTP. It runs no nodes: each learner's run is in the learner's
 * browser.
 */
import {
  applyEvent,
  type ClassEvent,
  type ClassState,
  emptyClass,
  type FromServer,
  type FromTeacher,
  forLearners,
  isVisibleTo,
  type JoinInfo,
  type LearnerMessage,
  lessonTaskOf,
  type NumberedEvent,
  parseLessonQuestionId,
  type Question,
  type RefusalReason,
  type RunPart,
  type TeacherMessage,
  tallyAnswers,
  type Verdict,
  verdictOf,
  visibleTo,
} from '@podscope/classroom';
import { tokensEqual } from '../security/token.ts';
import { freeSeat } from './free-seat.ts';
import { Attempts } from './judging/attempts.ts';
import type { Judge } from './judging/judge-request.ts';
import { RightAnswers } from './judging/right-answers.ts';
import { cleanName, type Member, type Peer, type Resume, type Teacher } from './members.ts';

export interface ClassroomOptions {
  readonly code: string;
  readonly joinInfo: () => JoinInfo;
  /** Returns the time in milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Returns an id that can't be guessed. */
  readonly newKey: () => string;
  /** Plays the run of a question and decides which answer is right. */
  readonly judge: Judge;
}

/** Maximum sizes of a class. */
const most = {
  learners: 200,
  /**
   * The number of recent events that are stored. A client that lacks only stored events receives these; any other
   * client receives the whole state.
   */
  events: 2_000,
  tasks: 200,
  questions: 200,
  /** Maximum number of answers of one learner. */
  answers: 500,
  /** Maximum length of the run that all screens show, in characters. */
  sharedView: 12_000_000,
  teachers: 8,
} as const;

/** Receives the messages that a connection sends after its hello. */
export interface ClassSeat<ClassMessage> {
  receive(n: number, body: ClassMessage): void;
  run(part: RunPart): void;
  closed(): void;
}

const text = (message: FromServer): string => JSON.stringify(message);

export class Classroom {
  readonly id: string;
  readonly #options: ClassroomOptions;
  #state: ClassState;
  /** The newest events, oldest first. */
  readonly #events: NumberedEvent[] = [];
  readonly #members = new Map<string, Member>();
  readonly #removed = new Set<string>();
  readonly #teachers = new Map<string, Teacher>();
  #joined = 0;
  /** The parts of the run that all screens show. */
  #sharedParts: RunPart[] = [];
  readonly #rightAnswers: RightAnswers;
  readonly #attempts: Attempts;

  constructor(options: ClassroomOptions) {
    this.#options = options;
    this.id = options.newKey();
    this.#state = emptyClass(options.now());
    this.#rightAnswers = new RightAnswers(options.judge);
    this.#attempts = new Attempts(options.judge, (learner, question, attempt, goals) => {
      if (!this.#isPresent(learner)) return;
      const met = goals.filter(Boolean).length;
      this.#append({ type: 'attempted', learner, question, attempt, met, goals: goals.length });
    });
  }

  get state(): ClassState {
    return this.#state;
  }

  /**
   * Adds a learner to the class. With `resume`, connects a learner who already joined.
   * @param address the learner's address in the network
   * @returns the seat, or undefined if the learner was rejected
   */
  join(
    peer: Peer,
    hello: {
      readonly code: string;
      readonly name?: string | undefined;
      readonly resume?: Resume | undefined;
      readonly after?: number | undefined;
    },
    address = '',
  ): ClassSeat<LearnerMessage> | undefined {
    if (this.#state.endedAt !== undefined) return this.#refuse(peer, 'ended');
    if (!tokensEqual(hello.code.trim().toUpperCase(), this.#options.code)) return this.#refuse(peer, 'code');
    const { resume } = hello;
    if (resume && this.#removed.has(resume.learner)) return this.#refuse(peer, 'removed');
    const member = this.#knownMember(resume) ?? this.#admit(peer, cleanName(hello.name), address);
    if (!member) return undefined;
    const { id } = member;
    // If the same learner opens a second window, the first window is disconnected.
    const before = member.peer;
    member.peer = undefined;
    before?.refuse('removed');
    // The welcome already contains this event, so `peer` is set only after it.
    if (this.#state.learners[id]?.connected === false)
      this.#append({ type: 'connection', learner: id, connected: true });
    member.peer = peer;
    peer.send(
      text({
        ...this.#welcome(
          member.confirmed,
          hello.after,
          (event) => isVisibleTo(event, id),
          visibleTo(this.#state, id),
          forLearners,
        ),
        you: { learner: id, key: member.key },
      }),
    );
    for (const part of this.#sharedParts) peer.send(text({ type: 'run', part }));
    const isCurrent = (): boolean => member.peer === peer;
    return {
      receive: (n, body) => {
        if (!isCurrent()) return;
        if (n === member.confirmed + 1) {
          member.confirmed = n;
          this.#receiveFromLearner(member, body);
        }
        if (isCurrent() && member.confirmed > 0) peer.send(text({ type: 'confirmed', n: member.confirmed }));
      },
      run: (part) => {
        if (isCurrent() && this.#state.learners[id]?.isWatched === true)
          this.#toTeachers(text({ type: 'run', learner: id, part }));
      },
      closed: () => {
        if (!isCurrent()) return;
        member.peer = undefined;
        this.#append({ type: 'connection', learner: id, connected: false });
      },
    };
  }

  /**
   * Adds a teacher, whose token the caller has checked.
   * @returns the seat, or undefined if the teacher was rejected
   */
  teach(peer: Peer, { client, after }: Extract<FromTeacher, { type: 'hello' }>): ClassSeat<TeacherMessage> | undefined {
    const known = this.#teachers.get(client);
    if (!known && this.#teachers.size >= most.teachers) {
      const idle = [...this.#teachers.values()].find((each) => each.peer === undefined);
      if (!idle) return this.#refuse(peer, 'full');
      this.#teachers.delete(idle.client);
    }
    const teacher: Teacher = known ?? { client, confirmed: 0, peer: undefined };
    teacher.peer = peer;
    this.#teachers.set(client, teacher);
    const everything = (): boolean => true;
    peer.send(
      text({ ...this.#welcome(teacher.confirmed, after, everything, this.#state), joinInfo: this.#options.joinInfo() }),
    );
    const isCurrent = (): boolean => teacher.peer === peer;
    return {
      receive: (n, body) => {
        if (!isCurrent()) return;
        if (n === teacher.confirmed + 1) {
          teacher.confirmed = n;
          this.#receiveFromTeacher(body);
        }
        if (teacher.confirmed > 0) peer.send(text({ type: 'confirmed', n: teacher.confirmed }));
      },
      run: (part) => {
        if (isCurrent()) this.#showRun(part);
      },
      closed: () => {
        if (isCurrent()) teacher.peer = undefined;
      },
    };
  }

  /** Returns true for a learner who already joined. */
  knows(resume: Resume | undefined): boolean {
    return this.#knownMember(resume) !== undefined;
  }

  #knownMember(resume: Resume | undefined): Member | undefined {
    const member = resume && this.#members.get(resume.learner);
    return member && tokensEqual(resume.key, member.key) ? member : undefined;
  }

  #refuse(peer: Peer, reason: RefusalReason): undefined {
    peer.refuse(reason);
    return undefined;
  }

  #admit(peer: Peer, name: string, address: string): Member | undefined {
    if (this.#members.size >= most.learners) this.#freeSeat(address);
    if (this.#members.size >= most.learners) return this.#refuse(peer, 'full');
    const member: Member = {
      id: this.#options.newKey().slice(0, 12),
      key: this.#options.newKey(),
      confirmed: 0,
      peer: undefined,
      address,
    };
    this.#members.set(member.id, member);
    this.#joined += 1;
    this.#append({ type: 'joined', learner: member.id, number: this.#joined, ...(name ? { name } : {}) });
    return member;
  }

  /** Removes the learner whose seat a newcomer from the address gets. */
  #freeSeat(address: string): void {
    const seats = [...this.#members.values()].map((member) => {
      const { name, answers = {}, handAt } = this.#state.learners[member.id] ?? {};
      const isActive = Object.keys(answers).length > 0 || handAt !== undefined;
      const { id, peer } = member;
      return { id, address: member.address, isConnected: peer !== undefined, hasName: name !== undefined, isActive };
    });
    const id = freeSeat(seats, address);
    if (id === undefined) return;
    const { peer } = this.#members.get(id) ?? {};
    this.#append({ type: 'removed', learner: id });
    this.#members.delete(id);
    peer?.refuse('full');
  }

  #welcome(
    confirmed: number,
    after: number | undefined,
    isSeen: (event: NumberedEvent) => boolean,
    state: ClassState,
    seenAs: (event: NumberedEvent) => NumberedEvent = (event) => event,
  ): Extract<FromServer, { type: 'welcome' }> {
    const first = this.#events[0]?.seq ?? 1;
    const hasRest = after !== undefined && after <= this.#state.seq && after + 1 >= first;
    return {
      type: 'welcome',
      class: this.id,
      now: this.#options.now(),
      confirmed,
      ...(hasRest
        ? { events: this.#events.filter((event) => event.seq > after && isSeen(event)).map(seenAs) }
        : { state }),
    };
  }

  /** Numbers an event and sends it to everyone who may see it. */
  #append(event: ClassEvent): void {
    const numbered: NumberedEvent = { seq: this.#state.seq + 1, at: this.#options.now(), event };
    this.#state = applyEvent(this.#state, numbered);
    this.#events.push(numbered);
    if (this.#events.length > most.events) this.#events.splice(0, this.#events.length - most.events);
    const message = text({ type: 'event', event: forLearners(numbered) });
    if ('learner' in event) this.#members.get(event.learner)?.peer?.send(message);
    else for (const { peer } of this.#members.values()) peer?.send(message);
    this.#toTeachers(text({ type: 'event', event: numbered }));
  }

  #toTeachers(message: string): void {
    for (const { peer } of this.#teachers.values()) peer?.send(message);
  }

  #receiveFromLearner({ id }: Member, body: LearnerMessage): void {
    const learner = this.#state.learners[id];
    if (!learner || this.#state.endedAt !== undefined) return;
    switch (body.type) {
      case 'moved':
        this.#append({ type: 'moved', learner: id, place: body.place });
        break;
      case 'hand':
        if (body.raised !== (learner.handAt !== undefined))
          this.#append({ type: 'hand', learner: id, raised: body.raised });
        break;
      case 'answered': {
        const asked = this.#state.questions.find(({ question }) => question.id === body.question);
        const isLate = asked !== undefined && !asked.isOpen;
        if (isLate || learner.answers[body.question] || Object.keys(learner.answers).length >= most.answers) break;
        this.#append({ type: 'answered', learner: id, question: body.question, answer: body.answer });
        this.#judge(id, body.question, body.answer, asked?.question);
        break;
      }
      case 'judged':
        this.#claim(id, body.question, body.verdict);
        break;
      case 'attempted': {
        const step = parseLessonQuestionId(body.question);
        const hasRoom = learner.answers[body.question] || Object.keys(learner.answers).length < most.answers;
        if (step && hasRoom && learner.answers[body.question]?.verdict?.right !== true)
          this.#attempts.add(id, body.question, {
            kind: 'attempt',
            ...step,
            text: this.#lessonText(body.question),
            manifest: body.manifest,
          });
        break;
      }
      case 'consent':
        this.#append({ type: 'consent', learner: id, given: body.given });
        break;
      case 'taskStatus': {
        if (!this.#state.tasks.some((task) => task.id === body.task)) break;
        const { task, status, message } = body;
        this.#append({ type: 'taskStatus', learner: id, task, status, ...(message === undefined ? {} : { message }) });
        break;
      }
      case 'leave':
        this.#remove(id);
        break;
      default:
        body satisfies never;
    }
  }

  /** Returns true if the learner takes part in the class and the class hasn't ended. */
  #isPresent(learner: string): boolean {
    return this.#state.endedAt === undefined && this.#state.learners[learner] !== undefined;
  }

  #verdict(learner: string, question: string, verdict: Verdict): void {
    const given = this.#isPresent(learner) && this.#state.learners[learner]?.answers[question];
    if (given && !given.verdict) this.#append({ type: 'judged', learner, question, verdict });
  }

  /** Returns the text of the lesson of a question, if a task brought it; undefined for other questions. */
  #lessonText(question: string): string | undefined {
    const step = parseLessonQuestionId(question);
    return step && lessonTaskOf(step.lesson, this.#state.tasks)?.source.text;
  }

  /** Judges an answer with the run of the question, which the server itself plays. */
  #judge(learner: string, id: string, answer: number, asked: Question | undefined): void {
    if (asked?.kind === 'choice') {
      this.#verdict(learner, id, verdictOf(asked, answer, asked.right));
      return;
    }
    void this.#rightAnswers.of(id, asked, this.#lessonText(id)).then((result) => {
      if (result) this.#verdict(learner, id, verdictOf(asked ?? { kind: 'choice' }, answer, result.actual));
    });
  }

  /** Stores the verdict of a learner's browser, if the server has no run that decides the question. */
  #claim(learner: string, id: string, verdict: Verdict): void {
    const asked = this.#state.questions.find(({ question }) => question.id === id)?.question;
    const given = this.#state.learners[learner]?.answers[id];
    if (asked?.kind === 'choice' || !given || given.verdict) return;
    void this.#rightAnswers.of(id, asked, this.#lessonText(id)).then((result) => {
      if (!result) this.#verdict(learner, id, { ...verdict, unverified: true });
    });
  }

  #receiveFromTeacher(body: TeacherMessage): void {
    if (this.#state.endedAt !== undefined) return;
    const learner = 'learner' in body ? this.#state.learners[body.learner] : undefined;
    if ('learner' in body && !learner) return;
    switch (body.type) {
      case 'sharedView':
        if (body.sharedView.run !== this.#state.sharedView?.run) this.#sharedParts = [];
        this.#append({ type: 'sharedView', sharedView: body.sharedView });
        break;
      case 'release':
        this.#sharedParts = [];
        if (this.#state.sharedView) this.#append({ type: 'sharedView', sharedView: null });
        break;
      case 'task':
        if (this.#state.tasks.length < most.tasks) this.#append({ type: 'task', task: body.task });
        break;
      case 'question':
        if (this.#state.questions.length < most.questions) this.#ask(body.question);
        break;
      case 'closeQuestion':
        this.#append({ type: 'questionClosed', question: body.question });
        break;
      case 'reveal':
        this.#append({
          type: 'revealed',
          question: body.question,
          bars: tallyAnswers(this.#state, body.question).slice(0, 100),
        });
        break;
      case 'watch':
        this.#append({ type: 'watched', learner: body.learner, watching: body.watching });
        break;
      case 'askConsent':
        this.#append({ type: 'consentAsked', learner: body.learner });
        break;
      case 'point':
        if (learner?.consent === 'given') this.#append({ type: 'pointed', learner: body.learner, view: body.view });
        break;
      case 'breakpoints':
        if (learner?.consent === 'given')
          this.#append({ type: 'breakpointsSet', learner: body.learner, breakpoints: body.breakpoints });
        break;
      case 'lowerHand':
        this.#append({ type: 'hand', learner: body.learner, raised: false });
        break;
      case 'remove':
        this.#remove(body.learner);
        break;
      case 'end':
        this.#end();
        break;
      default:
        body satisfies never;
    }
  }

  /**
   * Asks a question. Learners need their own runs to answer it, so the screens stop showing the teacher's view. An open
   * question is closed first.
   */
  #ask(question: Extract<TeacherMessage, { type: 'question' }>['question']): void {
    this.#sharedParts = [];
    if (this.#state.sharedView) this.#append({ type: 'sharedView', sharedView: null });
    for (const { question: before, isOpen } of this.#state.questions)
      if (isOpen) this.#append({ type: 'questionClosed', question: before.id });
    this.#append({ type: 'question', question });
    // Play the question's run now, before the first answer arrives.
    if (question.kind !== 'choice') void this.#rightAnswers.of(question.id, question);
  }

  #showRun(part: RunPart): void {
    if (part.run !== this.#state.sharedView?.run) return;
    const last = this.#sharedParts.at(-1);
    // If the teacher reloaded the page, the run arrives from its beginning again and replaces the stored parts.
    const kept = last && part.from > last.to ? this.#sharedParts : [];
    const size = kept.reduce((sum, { data }) => sum + data.length, part.data.length);
    if (size > most.sharedView) return;
    this.#sharedParts = [...kept, part];
    const message = text({ type: 'run', part });
    for (const { peer } of this.#members.values()) peer?.send(message);
  }

  #remove(id: string): void {
    const member = this.#members.get(id);
    this.#removed.add(id);
    this.#append({ type: 'removed', learner: id });
    this.#members.delete(id);
    member?.peer?.refuse('removed');
  }

  /** Ends the class: removes the names of learners from its state, and deletes the events that contain names. */
  #end(): void {
    this.#sharedParts = [];
    this.#append({ type: 'ended' });
    this.#events.length = 0;
    for (const { peer } of this.#members.values()) peer?.refuse('ended');
    this.#members.clear();
  }
}
