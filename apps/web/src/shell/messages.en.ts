/** Contains the English texts of the frame of the page. */
import { defineMessages } from '../base/i18n/define-messages.ts';

export const tabTitleMessages = defineMessages('tabs', {
  steps: 'Steps',
  code: 'Code',
  results: 'Results',
  events: 'Events',
  logs: 'Logs',
  spec: 'Spec',
  metrics: 'Metrics',
  compare: 'Compare',
});

export const shellMessages = defineMessages('shell', {
  details: 'Details',
  loading: 'Loading…',
  close: 'Close',
  dismiss: 'Dismiss',
  messages: 'Messages',
  notices: 'Notices',
  noticeCount: '{count, plural, one {# notice} other {# notices}}',
  search: 'Search',
  searchPlaceholder: 'Search…',
  navigation: 'Parts of Podscope',
  lessons: 'Lessons',
  scenarios: 'Scenarios',
  explain: 'Explain',
  runs: 'Runs',
  faults: 'Faults',
  settings: 'Settings',
  help: 'Help',
  podsPanel: 'Pods panel',
  inspectorPanel: 'Inspector panel',
  theme: 'Theme: {theme, select, light {light} dark {dark} other {system}}',
  connection: 'Connection: {word}',
  connecting: 'Connecting',
  away: 'Disconnected',
  catchingUp: 'Catching up',
  live: 'Live',
  recording: 'Recording',
  readOnly: 'Read-only',
  readOnlyReason: 'This server is read-only (--read-only or --kubeconfig).',
  nodeNamed: 'Node {name}',
  openNode: 'Show the node: CPU, memory, images, ConfigMaps, Secrets (Podscope {version})',
  simulator: 'Simulator',
  release: 'Kubelet release',
  backToNode: 'Back to the node',
  simulatedTime: 'Simulated time',
  letTimePass: 'Resume time',
  pauseTime: 'Pause time',
  nextEvent: 'Go to the next event',
  speed: 'Speed',
  endPresentation: 'Exit presentation mode',
  openInPodscope: 'Open in Podscope',
});

export const welcomeMessages = defineMessages('welcome', {
  connecting: 'Connecting to the node…',
  silent: 'The node is not responding',
  startWith: 'Start it with',
  openAddress: 'and open the address that it prints. This page retries automatically.',
  engineStarting: 'Starting the engine in this page…',
  engineFailed: 'The engine in this page failed to start',
  tryScenario: 'Choose a scenario, or reload the page.',
  reading: 'Loading the events so far…',
  noSuchPod: 'No pod named {name}',
  otherRun: 'The link may belong to another run. Select a pod on the left.',
  noPodThen: 'No pods at this time of the run',
  podNotThen: 'No pod {name} at this time of the run',
  chooseOtherTime: 'Choose another time with the slider.',
  select: 'Select a pod',
  appearsHere: 'Its timeline, the steps of its syncs, results, events and logs appear here.',
  noPods: 'No pods yet',
  noPodsRecorded: 'This recording contains no pods',
  playScenario: 'Play a scenario',
});

/** A genuine kubelet that is observed. */
export const observedMessages = defineMessages('observed', {
  genuine: 'kubelet {version}, genuine',
  genuineUnknown: 'genuine kubelet',
  sources: 'Sources: {names}',
  missing: 'Missing sources: {names}',
  approximate: 'The shadow engine computes the syncs as {profile}, the nearest release that it knows.',
  agreement: '{agrees} of {decided} as predicted',
  unknown: '{unknown} not decidable',
  counts:
    'Syncs with at least one call that writes: {agrees} as predicted, {differs} differ, {unknown} are not decidable ' +
    'because no source shows an input. Of the decided ones, {share} are as predicted.',
});

/** Names of the sources of facts about a genuine kubelet. */
export const sourceMessages = defineMessages('observedSources', {
  cri: 'CRI calls',
  pods: 'the kubelet’s /pods',
  configz: 'the kubelet’s /configz',
  otlp: 'traces (OTLP)',
  api: 'the API server',
});
