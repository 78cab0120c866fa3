/** Lists the keys of the timeline, for the key handler and for the help. */

export interface TimelineActions {
  zoomIn(): void;
  zoomOut(): void;
  panLeft(): void;
  panRight(): void;
  fit(): void;
  fold(): void;
  next(): void;
  previous(): void;
  nextInRow(): void;
  previousInRow(): void;
  laneUp(): void;
  laneDown(): void;
  toStart(): void;
  toEnd(): void;
  activate(): void;
  clear(): void;
}

export interface TimelineKey {
  /** Values of `KeyboardEvent.key`, in lower case. */
  readonly keys: readonly string[];
  readonly action: keyof TimelineActions;
  readonly description: string;
}

/** Keys that work while the timeline has the focus. */
export const timelineKeys: readonly TimelineKey[] = [
  { keys: ['w', '+', '='], action: 'zoomIn', description: 'Zoom in' },
  { keys: ['s', '-'], action: 'zoomOut', description: 'Zoom out' },
  { keys: ['a'], action: 'panLeft', description: 'Earlier' },
  { keys: ['d'], action: 'panRight', description: 'Later' },
  { keys: ['f'], action: 'fit', description: 'Fit the selection, then everything' },
  { keys: ['g'], action: 'fold', description: 'Fold idle time, or show it' },
  { keys: ['.'], action: 'next', description: 'Next item of the lane' },
  { keys: [','], action: 'previous', description: 'Previous item of the lane' },
  { keys: ['arrowright'], action: 'nextInRow', description: 'Next item of the row' },
  { keys: ['arrowleft'], action: 'previousInRow', description: 'Previous item of the row' },
  { keys: ['arrowup'], action: 'laneUp', description: 'Lane above' },
  { keys: ['arrowdown'], action: 'laneDown', description: 'Lane below' },
  { keys: ['home'], action: 'toStart', description: 'Begin of the run' },
  { keys: ['end'], action: 'toEnd', description: 'End of the run; live: follow' },
  { keys: ['enter'], action: 'activate', description: 'Open the selection' },
  { keys: ['escape'], action: 'clear', description: 'Clear range and selection' },
];

const byKey = new Map(timelineKeys.flatMap(({ keys, action }) => keys.map((key) => [key, action] as const)));

/** Runs the action of a key. Returns false if the timeline doesn't use the key. */
export function handleKey(event: KeyboardEvent, actions: TimelineActions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const action = byKey.get(event.key.toLowerCase());
  if (!action) return false;
  actions[action]();
  event.preventDefault();
  event.stopPropagation();
  return true;
}
