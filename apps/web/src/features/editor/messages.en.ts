/** Contains the English texts of the manifest editor and its templates. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const editorMessages = defineMessages('editor', {
  newPod: 'New pod',
  templates: 'Templates',
  openFile: 'Open file',
  close: 'Close',
  loading: 'Loading the editor…',
  manifest: 'Manifest',
  errors: 'Errors in the manifest',
  policy: 'policy',
  policyNote: 'The server’s policy refuses this. Its command line sets what is allowed.',
  cancel: 'Cancel',
  apply: 'Apply',
  applying: 'Applying…',
  nothingToApply: 'Nothing to apply.',
  notConnected: 'Not connected. You can edit the manifest now and apply it when the node is back.',
  start: 'Paste or write a manifest, choose a template, or drop a file here.',
  toFix: '{count, plural, one {# error} other {# errors}} to fix.',
  valid: '{count, plural, one {# object} other {# objects}}, valid.',
  checking: 'Checking…',
  workloads:
    '{names}: this node runs pods only and has no controller for {count, plural, one {this workload} other {these ' +
    'workloads}}.',
  takeTemplates: 'Use {count, plural, one {its pod template} other {their pod templates}}',
  adds: 'Defaulting adds {count, plural, one {# field} other {# fields}}',
  addsTo: 'Added to {name}',
  tooLarge: '{name} is {size} KiB. The limit for a manifest is {most} KiB.',
  notText: '{name} is not a text file.',
});

/** The templates. */
export const templateMessages = defineMessages('template', {
  healthyTitle: 'Healthy pod',
  healthyText: 'Sandbox, image pull, container creation and start all succeed.',
  initTitle: 'Init container, then app',
  initText: 'The app starts after the init container succeeds.',
  'crash-loopTitle': 'Crash loop',
  'crash-loopText': 'Exits with code 1 after three seconds; the back-off doubles from 10 s to 5 min.',
  'missing-imageTitle': 'Missing image',
  'missing-imageText': 'ErrImagePull, then ImagePullBackOff.',
  oomTitle: 'Out of memory',
  oomText: 'Uses more memory than its limit: OOMKilled, exit code 137.',
  'post-startTitle': 'Failing postStart hook',
  'post-startText': 'FailedPostStartHook: the container is killed and restarted.',
  'pre-stopTitle': 'preStop and grace period',
  'pre-stopText': 'Delete it: the preStop hook runs first, then SIGTERM, then SIGKILL.',
});
