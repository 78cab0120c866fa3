/**
 * Converts the view (pod, sync, selection, tab, visible time) to a query string and back. The address is the only
 * place that stores it.
 */

export const tabs = ['steps', 'code', 'results', 'events', 'logs', 'spec', 'metrics', 'compare'] as const;
type TabId = (typeof tabs)[number];

export interface View {
  /** `namespace/name` of the pod. Unlike a UID, it is readable and stays valid when the pod is recreated. */
  readonly pod: string | undefined;
  readonly uid: string | undefined;
  readonly tab: TabId;
  /**
   * Number of the shown sync. If undefined, the page shows the sync that contains the selected item, or else the latest
   * one.
   */
  readonly sync: number | undefined;
  /** Id of the selected item: `span:42`, `attempt:…`, `event:7`. */
  readonly selected: string | undefined;
  /** Sequence number of the last event applied to the shown state; undefined while the page follows the present. */
  readonly at: number | undefined;
  /** True while the timeline scrolls with the current time. */
  readonly follow: boolean;
  /**
   * Visible time range, in milliseconds since the Unix epoch. Undefined while the timeline scrolls with the current
   * time or shows the whole run.
   */
  readonly range: { readonly start: number; readonly end: number } | undefined;
  /** Id of the saved run that is shown instead of the current one. */
  readonly run: string | undefined;
  /** True in presentation mode. */
  readonly present: boolean;
}

export const initialView: View = {
  pod: undefined,
  uid: undefined,
  tab: 'steps',
  sync: undefined,
  selected: undefined,
  at: undefined,
  follow: true,
  range: undefined,
  run: undefined,
  present: false,
};

const isTab = (value: string | null): value is TabId => tabs.some((tab) => tab === value);

const positive = (value: string | null): number | undefined => {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

function readRange(value: string | null): View['range'] {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(value ?? '');
  if (!match) return undefined;
  const [start, end] = [Number(match[1]), Number(match[2])];
  return end > start ? { start, end } : undefined;
}

/** Accepts the ids that `runInfoSchema` allows. */
const readRun = (value: string | null): string | undefined =>
  value !== null && /^[A-Za-z0-9-]{1,64}$/.test(value) ? value : undefined;

/** Returns the view of a query string. Invalid values are ignored. */
export function readView(search: string): View {
  const parameters = new URLSearchParams(search);
  const tab = parameters.get('tab');
  const range = readRange(parameters.get('range'));
  return {
    pod: parameters.get('pod') || undefined,
    uid: parameters.get('uid') || undefined,
    tab: isTab(tab) ? tab : initialView.tab,
    sync: positive(parameters.get('sync')),
    selected: parameters.get('selected') || undefined,
    at: positive(parameters.get('at')),
    follow: range === undefined && parameters.get('follow') !== 'no',
    range,
    run: readRun(parameters.get('run')),
    present: parameters.has('present'),
  };
}

/** Returns the query string of a view: empty for the initial view, else with its question mark. */
export function writeView(view: View): string {
  const parameters: [string, string][] = [];
  if (view.run) parameters.push(['run', view.run]);
  if (view.pod) parameters.push(['pod', view.pod]);
  if (view.uid) parameters.push(['uid', view.uid]);
  if (view.tab !== initialView.tab) parameters.push(['tab', view.tab]);
  if (view.sync !== undefined) parameters.push(['sync', String(view.sync)]);
  if (view.selected) parameters.push(['selected', view.selected]);
  if (view.at !== undefined) parameters.push(['at', String(view.at)]);
  if (view.range) parameters.push(['range', `${Math.round(view.range.start)}-${Math.round(view.range.end)}`]);
  else if (!view.follow) parameters.push(['follow', 'no']);
  if (view.present) parameters.push(['present', 'yes']);
  // Leave slashes and colons unescaped: they are valid in a query, and easier to read.
  const text = parameters
    .map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3A', ':')}`)
    .join('&');
  return text === '' ? '' : `?${text}`;
}
