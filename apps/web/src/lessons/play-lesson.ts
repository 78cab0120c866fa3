/** Plays a lesson: sets each step's scene in a simulator of the page's own or in a recording, lets time go on once it has been answered, and judges by what happened. */
import { type Lesson, type LessonStep, type Look, type LookTarget, rightOption, type Scene } from '@podscope/lessons';
import { instant } from '@podscope/trace';
import { currentLanguage, type Language, translate } from '../i18n/i18n.ts';
import type { NodeSession } from '../run/node-session.ts';
import { openFileRun, openLocalRun, returnToNode, useOpenNode } from '../run/open-node.ts';
import { useInterface } from '../state/interface.ts';
import { setPreference, usePreferences } from '../state/preferences.ts';
import { tabs } from '../state/view-address.ts';
import { selectSpan, useView } from '../state/view-store.ts';
import { travelToTime } from '../travel/use-travel.ts';
import { loadLesson, readOwnLesson } from './lesson-library.ts';
import { type LessonStop, noLesson, stepOf, useLesson } from './lesson-store.ts';
import { highlight } from './look.ts';
import { lessonMessages } from './messages.en.ts';
import { nothingPointedAt, usePointedAt } from './pointed-at.ts';
import { loadRecording } from './recordings.ts';

/** The list of breakpoints that are a lesson's own. */
const lessonGroup = 'lesson';

/** A page too narrow for one more column gives up that of the pods. */
const narrow = 1_200;

/** Resolves when the page has all of the node's events. */
function live({ connection }: NodeSession): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const { state } = connection;
      if (state.phase === 'live') {
        stop();
        resolve();
      } else if (state.phase === 'away' && state.reason !== '') {
        stop();
        reject(new Error(state.reason));
      }
    };
    const stop = connection.subscribe(look);
    look();
  });
}

/** Says in the address where the lesson stands, so that a link opens the step. */
function writeAddress(lesson: string | undefined, step: string | undefined): void {
  const address = new URL(location.href);
  for (const [word, value] of [
    ['lesson', lesson],
    ['step', step],
  ] as const)
    if (value === undefined) address.searchParams.delete(word);
    else address.searchParams.set(word, value);
  history.replaceState(null, '', address);
}

const session = (): NodeSession => useOpenNode.getState().session;

/** When the scenario of the run in view began. */
const beginOf = ({ run }: NodeSession) => instant(run.history.events[0]?.time ?? 0);

/** Resolves when the page has the node's event of that number: answers may come before the events that they are about. */
function seen({ run }: NodeSession, seq: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (run.history.lastSeq < seq) return;
      stop();
      resolve();
    };
    const stop = run.subscribe(look);
    look();
  });
}

/**
 * Lets virtual time pass up to so many seconds of the scenario, and waits until the page has seen it.
 * @param toStop goes no further than to where a breakpoint stops the run
 * @returns false when it was stopped before
 */
async function passTo(node: NodeSession, seconds: number, toStop = false): Promise<boolean> {
  const { now = beginOf(node) } = node.run.runTime ?? {};
  const until = beginOf(node) + seconds * 1_000;
  if (until <= now) return true;
  const { time, lastSeq } = await node.connection.command<'stepTime'>({ command: 'stepTime', milliseconds: until - now, toStop });
  await seen(node, lastSeq);
  return time.now >= until;
}

/** What runs for the lesson now, so that a step that goes on with it needs no new one. */
let playing: { readonly key: string; readonly node: NodeSession } | undefined;

/** Seconds of the scenario that have passed. */
const passed = (node: NodeSession): number => ((node.run.runTime?.now ?? beginOf(node)) - beginOf(node)) / 1_000;

/** What a step's breakpoint stopped goes on. */
async function goOn({ connection }: NodeSession): Promise<void> {
  await connection.command<'setBreakpoints'>({ command: 'setBreakpoints', group: lessonGroup, breakpoints: [] });
  await connection.command<'continue'>({ command: 'continue' });
}

/** True when what the key names is in view already. */
const isPlaying = (key: string): boolean => playing?.key === key && playing.node === session();

/** The step's scene in an engine of the page's own, brought to where the step begins. */
async function setPlayedScene(scenario: string, { profile, seed, at }: Scene): Promise<void> {
  const key = JSON.stringify([scenario, profile, seed]);
  const goesOn = isPlaying(key) && passed(session()) <= at;
  if (!goesOn) {
    openLocalRun({ scenario, profile, paused: true, ...(seed === undefined ? {} : { seed }) });
    playing = { key, node: session() };
  }
  const node = session();
  await live(node);
  if (goesOn) await goOn(node);
  await passTo(node, at);
}

/** Looks back to so many seconds of a recording. */
const lookBackTo = (node: NodeSession, seconds: number): void => travelToTime(node, beginOf(node) + seconds * 1_000);

/** The step's scene in a recording, opened as any saved run is. @param isWanted false once somebody went elsewhere meanwhile */
async function setRecordedScene(recording: string, { at }: Scene, isWanted: () => boolean): Promise<void> {
  const key = JSON.stringify({ recording });
  if (!isPlaying(key)) {
    const [loaded, { fileNode }] = await Promise.all([loadRecording(recording), import('../files/file-node.ts')]);
    if (!isWanted()) return;
    openFileRun(fileNode(loaded, recording));
    playing = { key, node: session() };
    await live(session());
  }
  if (isWanted()) lookBackTo(session(), at);
}

/** Sets the step's scene. */
async function setScene(scene: Scene, isWanted: () => boolean): Promise<void> {
  if (scene.recording !== undefined) await setRecordedScene(scene.recording, scene, isWanted);
  else if (scene.scenario !== undefined) await setPlayedScene(scene.scenario, scene);
}

const placesOf = ({ scene }: LessonStep): readonly Look[] => scene?.look ?? [];

/** Opens the columns that a step is about; a narrow page has room for one of them beside the lesson. */
function showPanels(places: ReadonlySet<LookTarget>): void {
  const wantsPods = places.has('pods') || places.has('notes');
  const wantsInspector = places.has('inspector') || places.has('why');
  if (innerWidth < narrow) useInterface.setState({ isPodsOpen: wantsPods, isInspectorOpen: wantsInspector || !wantsPods });
  else useInterface.setState((now) => ({ isPodsOpen: now.isPodsOpen || wantsPods, isInspectorOpen: now.isInspectorOpen || wantsInspector }));
}

/** Brings up what a step is about. */
function lookAt(step: LessonStep): void {
  const places = placesOf(step);
  showPanels(new Set(places.map(({ at }) => at)));
  const tab = tabs.find((each) => places.some(({ at }) => at === each));
  if (tab !== undefined) useView.getState().show({ tab });
  pointAt(step);
}

/** The newest span of a point so far: of a recording, up to the instant in view. */
const newestSpan = ({ run: { history, past } }: NodeSession, point: string): number | undefined =>
  history.events.findLast((event) => event.type === 'spanStarted' && event.point === point && event.seq <= (past?.seq ?? event.seq))?.span;

/** Outlines what a step names: the lane, the step, the call; and the whole panel where nothing in it is named, or that is not there yet. */
function pointAt(step: LessonStep): void {
  const node = session();
  const pods = node.run.fold.pods();
  const panels: LookTarget[] = [];
  let { container, step: stepId } = nothingPointedAt;
  let call: number | undefined;
  for (const place of placesOf(step)) {
    const { at } = place;
    const name = 'container' in place ? place.container : undefined;
    const point = 'point' in place ? place.point : undefined;
    const span = point === undefined ? undefined : newestSpan(node, point);
    call ??= span;
    const hasLane = name !== undefined && pods.some((pod) => [pod.sandbox, ...pod.containers].some((track) => track.name === name));
    if (at === 'timeline' && hasLane) container = name;
    else if (at === 'steps' && point !== undefined && pods.some(({ syncs }) => syncs.length > 0)) stepId = point;
    // A call that is selected stands out on the timeline by itself; the inspector is then all about it.
    else if (at !== 'timeline' || span === undefined) panels.push(at);
  }
  usePointedAt.setState({ container, step: stepId });
  if (call !== undefined) selectSpan(call);
  highlight(panels);
}

/** The scene that a step is about: its own, or that of a step before. */
const sceneOf = ({ steps }: Lesson, index: number): Scene | undefined => steps.slice(0, index + 1).findLast(({ scene }) => scene)?.scene;

/** Begins a step. What goes wrong is told in the lesson's own place. */
export async function goToStep(index: number): Promise<void> {
  const { lesson, isOwn } = useLesson.getState();
  const step = lesson?.steps[index];
  if (!lesson || !step) return;
  useLesson.setState({ step: index, phase: 'setting', answer: undefined, right: undefined, problem: undefined });
  if (!isOwn) writeAddress(lesson.id, step.id);
  const isCurrent = (): boolean => useLesson.getState().lesson?.id === lesson.id && useLesson.getState().step === index;
  try {
    const scene = step.scene ?? (index > 0 && isLocal() ? undefined : sceneOf(lesson, index));
    if (scene) await setScene(scene, isCurrent);
    if (!isCurrent()) return;
    lookAt(step);
    useLesson.setState({ phase: step.scene?.until === undefined ? 'over' : 'ready' });
    if (step.scene?.until === undefined) keepProgress(lesson, step);
  } catch (error) {
    if (isCurrent()) useLesson.setState({ phase: 'over', problem: error instanceof Error ? error.message : String(error) });
  }
}

/** True while the lesson's own run, played or recorded, is in view. */
const isLocal = (): boolean => useOpenNode.getState().session !== useOpenNode.getState().home;

/**
 * Takes the answer and lets happen what the step is about: as far as its breakpoint, where there is one, or to the end, where it is judged.
 * @param answer index of an option; undefined where nothing was asked
 */
export async function letHappen(answer: number | undefined): Promise<void> {
  const step = stepOf(useLesson.getState());
  if (!step?.scene || useLesson.getState().phase !== 'ready') return;
  const { breakpoint, recording } = step.scene;
  useLesson.setState({ phase: 'playing', answer });
  await play(step, async (node, until) => {
    if (recording !== undefined) {
      lookBackTo(node, until);
      return true;
    }
    if (!breakpoint) return passTo(node, until);
    const { point, phase } = breakpoint;
    await node.connection.command<'setBreakpoints'>({
      command: 'setBreakpoints',
      group: lessonGroup,
      breakpoints: [{ point, when: phase, oneShot: true }],
    });
    return passTo(node, until, true);
  });
}

/** From where the step's breakpoint stopped the run, to its end. */
export async function goOnFromStop(): Promise<void> {
  const step = stepOf(useLesson.getState());
  if (!step?.scene || useLesson.getState().phase !== 'stopped') return;
  useLesson.setState({ phase: 'playing' });
  await play(step, async (node, until) => {
    await goOn(node);
    return passTo(node, until);
  });
}

/** Where a breakpoint has stopped the run, and the values of expressions there. */
async function stopOf({ connection, run }: NodeSession, expressions: readonly string[]): Promise<LessonStop | undefined> {
  const stop = run.history.events.findLast((event) => event.type === 'stopped');
  if (!stop) return undefined;
  const { thread, point, phase } = stop;
  if (expressions.length === 0) return { point, phase, watched: [] };
  const { values } = await connection.command<'watch'>({ command: 'watch', thread, expressions: [...expressions] });
  return { point, phase, watched: values.map((each) => ({ expression: each.expression, value: 'error' in each ? each.error : each.value })) };
}

/** Lets time pass as `pass` does it. When it came to the step's end, it is judged by what happened. */
async function play(step: LessonStep, pass: (node: NodeSession, until: number) => Promise<boolean>): Promise<void> {
  const { lesson } = useLesson.getState();
  const { scene } = step;
  if (!lesson || !scene) return;
  const node = session();
  // Somebody may have gone elsewhere meanwhile.
  const isCurrent = (): boolean => useLesson.getState().lesson?.id === lesson.id && stepOf(useLesson.getState())?.id === step.id && session() === node;
  try {
    const isOver = await pass(node, scene.until ?? scene.at);
    if (!isCurrent()) return;
    if (!isOver) {
      const stop = await stopOf(node, scene.breakpoint?.watch ?? []);
      if (!isCurrent()) return;
      useLesson.setState({ phase: 'stopped', stop });
      // Stack and variables are there.
      showPanels(new Set(['inspector']));
      highlight(['inspector']);
      return;
    }
    const begin = beginOf(node);
    const until = begin + (scene.until ?? scene.at) * 1_000;
    const right = rightOption(scene, { begin, events: node.run.history.events.filter(({ time }) => time <= until) });
    useLesson.setState({ phase: 'over', right });
    // What it names may have come only now.
    pointAt(step);
    keepProgress(lesson, step);
  } catch (error) {
    if (isCurrent()) useLesson.setState({ phase: 'over', problem: error instanceof Error ? error.message : String(error) });
  }
}

function keepProgress({ id }: Lesson, step: LessonStep): void {
  const { lessonProgress } = usePreferences.getState();
  const done = lessonProgress[id] ?? [];
  if (!done.includes(step.id)) setPreference({ lessonProgress: { ...lessonProgress, [id]: [...done, step.id] } });
}

async function begin(lesson: Lesson, isOwn: boolean, stepId?: string): Promise<void> {
  useLesson.setState({ ...noLesson, lesson, isOwn });
  const index = lesson.steps.findIndex(({ id }) => id === stepId);
  await goToStep(Math.max(0, index));
}

/** Opens a lesson of the library, at one of its steps. @throws Error when there is none of that id */
export async function openLesson(id: string, stepId?: string): Promise<void> {
  const lesson = await loadLesson(id, currentLanguage()).catch((error: unknown) => {
    throw new Error(translate(lessonMessages.noSuchLesson, { id }), { cause: error });
  });
  await begin(lesson, false, stepId);
}

/** Opens a lesson that somebody wrote. @throws Error with all that is wrong with it */
export const openOwnLesson = async (text: string, name: string): Promise<void> => begin(await readOwnLesson(text, name), true);

/** Says the same lesson in another language. */
export async function translateOpenLesson(language: Language): Promise<void> {
  const { lesson, isOwn } = useLesson.getState();
  if (!lesson || isOwn || lesson.language === language) return;
  const translated = await loadLesson(lesson.id, language);
  if (useLesson.getState().lesson === lesson) useLesson.setState({ lesson: translated });
}

/** Ends the lesson, and goes back to the node. */
export function closeLesson(): void {
  useLesson.setState(noLesson);
  highlight([]);
  usePointedAt.setState(nothingPointedAt);
  writeAddress(undefined, undefined);
  returnToNode();
}
