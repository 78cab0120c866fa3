/**
 * Plays a lesson: prepares each step in a simulator or recording, runs it after the answer, and evaluates the result.
 */
import { errorMessage } from '@podscope/base';
import { type Lesson, type LessonStep, type Look, type LookTarget, rightOption, type Scene } from '@podscope/lessons';
import { currentLanguage, translate } from '../../../base/i18n/i18n.ts';
import type { Language } from '../../../base/preferences/languages.ts';
import { setPreference, usePreferences } from '../../../base/preferences/preferences.ts';
import { writeAddressedLesson } from '../../../node/address/address.ts';
import { tabs } from '../../../node/address/view-address.ts';
import { selectSpan, useView } from '../../../node/address/view-store.ts';
import type { NodeSession } from '../../../node/run/node-session.ts';
import { openFileRun, openLocalRun, returnToNode, useOpenNode } from '../../../node/run/open-node.ts';
import { beginOf, live, pass } from '../../../node/run/virtual-time.ts';
import { travelToTime } from '../../../node/travel/use-travel.ts';
import { closeColumns, roomForInspector, useInterface } from '../../../node/view/interface.ts';
import { nothingPointedAt, usePointedAt } from '../../../node/view/pointed-at.ts';
import type { GivenLesson } from '../given-lesson.ts';
import { loadLesson, parseGivenLesson, readGivenLesson } from '../library/lesson-library.ts';
import { loadRecording } from '../library/recordings.ts';
import { lessonMessages } from '../messages.en.ts';
import { type LessonStop, noLesson, stepOf, useLesson } from './lesson-store.ts';
import { highlight } from './look.ts';
import { exerciseManifest, playAttempt } from './play-exercise.ts';

/** Breakpoint group of lessons. */
const lessonGroup = 'lesson';

/** Width of the window below which a lesson closes the pods column, in pixels. */
const narrow = 1_200;

const session = (): NodeSession => useOpenNode.getState().session;

/**
 * Advances virtual time to a second of the scenario and waits until the page shows it.
 * @param toStop true to stop at breakpoints
 * @returns false if a breakpoint stopped the run earlier
 */
async function passTo(node: NodeSession, seconds: number, toStop = false): Promise<boolean> {
  const until = beginOf(node) + seconds * 1_000;
  const now = node.run.runTime?.now ?? beginOf(node);
  return (await pass(node, until - now, toStop)) >= until;
}

/** The running scene. A later step with the same scene continues it. */
let playing: { readonly key: string; readonly node: NodeSession } | undefined;

/** Returns the elapsed seconds of the scenario. */
const passed = (node: NodeSession): number => ((node.run.runTime?.now ?? beginOf(node)) - beginOf(node)) / 1_000;

/** Continues the pods that the step's breakpoint stopped. */
async function continueRun({ connection }: NodeSession): Promise<void> {
  await connection.command<'setBreakpoints'>({ command: 'setBreakpoints', group: lessonGroup, breakpoints: [] });
  await connection.command<'continue'>({ command: 'continue' });
}

/** Returns true if the scene with this key is shown. */
const isPlaying = (key: string): boolean => playing?.key === key && playing.node === session();

/** Prepares the scene in an engine of the page and advances it to the start of the step. */
async function setPlayedScene(
  scenario: string,
  { profile, seed, at }: Pick<Scene, 'profile' | 'seed' | 'at'>,
): Promise<void> {
  const own = useLesson.getState().lesson?.scenarios.find(({ id }) => id === scenario)?.value;
  const key = JSON.stringify([own ?? scenario, profile, seed]);
  const continues = isPlaying(key) && passed(session()) <= at;
  if (!continues) {
    const played = own === undefined ? { scenario } : { ownScenario: own };
    openLocalRun({ ...played, profile, paused: true, ...(seed === undefined ? {} : { seed }) });
    playing = { key, node: session() };
  }
  const node = session();
  await live(node);
  if (continues) await continueRun(node);
  await passTo(node, at);
}

/** Shows a recording at a second of its scenario. */
const lookBackTo = (node: NodeSession, seconds: number): void => travelToTime(node, beginOf(node) + seconds * 1_000);

/**
 * Prepares the scene in a recording.
 * @param isWanted returns false after the user has left the step
 */
async function setRecordedScene(recording: string, { at }: Scene, isWanted: () => boolean): Promise<void> {
  const key = JSON.stringify({ recording });
  if (!isPlaying(key)) {
    const [loaded, { fileNode }] = await Promise.all([
      loadRecording(recording),
      import('../../../node/files/file-node.ts'),
    ]);
    if (!isWanted()) return;
    openFileRun(fileNode(loaded, recording));
    playing = { key, node: session() };
    await live(session());
  }
  if (isWanted()) lookBackTo(session(), at);
}

/** Prepares the scene of a step. */
async function setScene(scene: Scene, isWanted: () => boolean): Promise<void> {
  if (scene.recording !== undefined) await setRecordedScene(scene.recording, scene, isWanted);
  else if (scene.scenario !== undefined) await setPlayedScene(scene.scenario, scene);
}

const placesOf = ({ scene, exercise }: LessonStep): readonly Look[] => (scene ?? exercise)?.look ?? [];

/** Opens the columns that a step needs. A narrow page has space for only one beside the run, or for none. */
function showPanels(places: ReadonlySet<LookTarget>): void {
  const wantsPods = places.has('pods') || places.has('notes');
  const wantsInspector = places.has('inspector') || places.has('why');
  if (innerWidth < roomForInspector) closeColumns();
  else if (innerWidth < narrow)
    useInterface.setState({ isPodsOpen: wantsPods, isInspectorOpen: wantsInspector || !wantsPods });
  else
    useInterface.setState((now) => ({
      isPodsOpen: now.isPodsOpen || wantsPods,
      isInspectorOpen: now.isInspectorOpen || wantsInspector,
    }));
}

/** Opens the tab and highlights the parts of a step. */
function lookAt(step: LessonStep): void {
  const places = placesOf(step);
  showPanels(new Set(places.map(({ at }) => at)));
  const tab = tabs.find((each) => places.some(({ at }) => at === each));
  if (tab !== undefined) useView.getState().show({ tab });
  pointAt(step);
}

/** Returns the newest span of a point that started before the shown moment. */
const newestSpan = ({ run: { history, past } }: NodeSession, point: string): number | undefined =>
  history.events.findLast(
    (event) => event.type === 'spanStarted' && event.point === point && event.seq <= (past?.seq ?? event.seq),
  )?.span;

/**
 * Highlights the lane, the step and the call that a lesson step names. If the step names none, or if none exists yet,
 * highlights the whole panel.
 */
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
    const hasLane =
      name !== undefined && pods.some((pod) => [pod.sandbox, ...pod.containers].some((track) => track.name === name));
    if (at === 'timeline' && hasLane) container = name;
    else if (at === 'steps' && point !== undefined && pods.some(({ syncs }) => syncs.length > 0)) stepId = point;
    // A selected call needs no highlight of a panel, because the timeline and the inspector show it.
    else if (at !== 'timeline' || span === undefined) panels.push(at);
  }
  usePointedAt.setState({ container, step: stepId });
  if (call !== undefined) selectSpan(call);
  highlight(panels);
}

/** Returns the scene of a step: the step's own, or else the scene of an earlier step. */
const sceneOf = ({ steps }: Lesson, index: number): Scene | undefined =>
  steps.slice(0, index + 1).findLast(({ scene }) => scene)?.scene;

/** Starts a step. Errors are shown in the lesson panel. */
export async function goToStep(index: number): Promise<void> {
  const { lesson, source } = useLesson.getState();
  const step = lesson?.steps[index];
  if (!lesson || !step) return;
  useLesson.setState({ ...noLesson, lesson, source, step: index, phase: 'setting' });
  if (!source) writeAddressedLesson(lesson.id, step.id);
  const isCurrent = (): boolean => useLesson.getState().lesson?.id === lesson.id && useLesson.getState().step === index;
  try {
    const { exercise } = step;
    if (exercise) {
      const [manifest] = await Promise.all([
        exerciseManifest(lesson, exercise),
        setPlayedScene(exercise.scenario, exercise),
      ]);
      if (!isCurrent()) return;
      lookAt(step);
      useLesson.setState({ phase: 'ready', manifest });
      return;
    }
    const scene = step.scene ?? (index > 0 && isLocal() ? undefined : sceneOf(lesson, index));
    if (scene) await setScene(scene, isCurrent);
    if (!isCurrent()) return;
    lookAt(step);
    useLesson.setState({ phase: step.scene?.until === undefined ? 'over' : 'ready' });
    if (step.scene?.until === undefined) keepProgress(lesson, step);
  } catch (error) {
    if (isCurrent()) useLesson.setState({ phase: 'over', problem: errorMessage(error) });
  }
}

/** Returns true while the page shows the lesson's own run instead of the node in the address. */
const isLocal = (): boolean => useOpenNode.getState().session !== useOpenNode.getState().home;

/**
 * Runs the step after the answer, up to the step's breakpoint or end.
 * @param answer index of the chosen option; undefined if the step has no question
 */
export async function playStep(answer: number | undefined): Promise<void> {
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

/** Continues from the step's breakpoint to its end. */
export async function continueFromStop(): Promise<void> {
  const step = stepOf(useLesson.getState());
  if (!step?.scene || useLesson.getState().phase !== 'stopped') return;
  useLesson.setState({ phase: 'playing' });
  await play(step, async (node, until) => {
    await continueRun(node);
    return passTo(node, until);
  });
}

/** Applies the learner's manifest on the node, plays the attempt, and judges its goals. */
export async function attempt(manifest: string): Promise<void> {
  const { lesson, phase, attempt: before } = useLesson.getState();
  const step = stepOf(useLesson.getState());
  if (!lesson || !step?.exercise || phase !== 'ready') return;
  const node = session();
  const isCurrent = (): boolean =>
    useLesson.getState().lesson?.id === lesson.id && stepOf(useLesson.getState())?.id === step.id && session() === node;
  useLesson.setState({ phase: 'playing', problem: undefined });
  try {
    const result = await playAttempt(node, step.exercise, manifest);
    if (!isCurrent()) return;
    const isMet = result.goals.length > 0 && result.goals.every(Boolean);
    useLesson.setState({
      phase: isMet ? 'over' : 'ready',
      attempt: { ...result, manifest, number: (before?.number ?? 0) + 1 },
    });
    pointAt(step);
    if (isMet) keepProgress(lesson, step);
  } catch (error) {
    if (isCurrent()) useLesson.setState({ phase: 'ready', problem: errorMessage(error) });
  }
}

/** Returns the latest stop, with the values of the watched expressions. */
async function stopOf(
  { connection, run }: NodeSession,
  expressions: readonly string[],
): Promise<LessonStop | undefined> {
  const stop = run.history.events.findLast((event) => event.type === 'stopped');
  if (!stop) return undefined;
  const { thread, point, phase } = stop;
  if (expressions.length === 0) return { point, phase, watched: [] };
  const { values } = await connection.command<'watch'>({ command: 'watch', thread, expressions: [...expressions] });
  return {
    point,
    phase,
    watched: values.map((each) => ({ expression: each.expression, value: 'error' in each ? each.error : each.value })),
  };
}

/** Runs the step with `advance`, and evaluates its result at the end. */
async function play(step: LessonStep, advance: (node: NodeSession, until: number) => Promise<boolean>): Promise<void> {
  const { lesson } = useLesson.getState();
  const { scene } = step;
  if (!lesson || !scene) return;
  const node = session();
  // While the step runs, the user may leave it.
  const isCurrent = (): boolean =>
    useLesson.getState().lesson?.id === lesson.id && stepOf(useLesson.getState())?.id === step.id && session() === node;
  try {
    const isOver = await advance(node, scene.until ?? scene.at);
    if (!isCurrent()) return;
    if (!isOver) {
      const stop = await stopOf(node, scene.breakpoint?.watch ?? []);
      if (!isCurrent()) return;
      useLesson.setState({ phase: 'stopped', stop });
      // Show the inspector, which contains the stack and the variables.
      showPanels(new Set(['inspector']));
      highlight(['inspector']);
      return;
    }
    const begin = beginOf(node);
    const until = begin + (scene.until ?? scene.at) * 1_000;
    const right = rightOption(scene, { begin, events: node.run.history.events.filter(({ time }) => time <= until) });
    useLesson.setState({ phase: 'over', right });
    // Highlight again, because the target of the step may exist only now.
    pointAt(step);
    keepProgress(lesson, step);
  } catch (error) {
    if (isCurrent()) useLesson.setState({ phase: 'over', problem: errorMessage(error) });
  }
}

function keepProgress({ id }: Lesson, step: LessonStep): void {
  const { lessonProgress } = usePreferences.getState();
  const done = lessonProgress[id] ?? [];
  if (!done.includes(step.id)) setPreference({ lessonProgress: { ...lessonProgress, [id]: [...done, step.id] } });
}

async function begin(lesson: Lesson, source: GivenLesson | undefined, stepId?: string): Promise<void> {
  useLesson.setState({ ...noLesson, lesson, source });
  const index = lesson.steps.findIndex(({ id }) => id === stepId);
  await goToStep(Math.max(0, index));
}

/** Opens a lesson of the library at one of its steps. @throws Error for an unknown id */
export async function openLesson(id: string, stepId?: string): Promise<void> {
  const lesson = await loadLesson(id, currentLanguage()).catch((error: unknown) => {
    throw new Error(translate(lessonMessages.noSuchLesson, { id }), { cause: error });
  });
  await begin(lesson, undefined, stepId);
}

/**
 * Opens a lesson from its text, in the page's language if there is a translation.
 * @throws Error that lists every problem
 */
export const openGivenLesson = async (given: GivenLesson): Promise<void> =>
  begin(await readGivenLesson(given, currentLanguage()), given, given.step);

/** Reloads the open lesson in another language. */
export async function translateOpenLesson(language: Language): Promise<void> {
  const { lesson, source } = useLesson.getState();
  if (!lesson || lesson.language === language) return;
  const translated = source ? parseGivenLesson(source, language) : await loadLesson(lesson.id, language);
  if (useLesson.getState().lesson === lesson) useLesson.setState({ lesson: translated });
}

/** Closes the lesson and returns to the node. */
export function closeLesson(): void {
  useLesson.setState(noLesson);
  highlight([]);
  usePointedAt.setState(nothingPointedAt);
  writeAddressedLesson(undefined, undefined);
  returnToNode();
}
