/** What the editor of manifests says. */
import { defineMessages } from '../i18n/define-messages.ts';

export const editorMessages = defineMessages('editor', {
  newPod: 'New pod',
  templates: 'Templates',
  openFile: 'Open file',
  close: 'Close',
  loading: 'Loading the editor…',
  manifest: 'Manifest',
  errors: 'Errors in the manifest',
  policy: 'policy',
  policyNote: 'The server’s policy refuses this. Its command line says what is allowed.',
  cancel: 'Cancel',
  apply: 'Apply',
  applying: 'Applying…',
  nothingToApply: 'Nothing to apply.',
  notConnected: 'Not connected: the manifest can be written, and applied when the node is back.',
  start: 'Paste or write a manifest, take a template, or drop a file here.',
  toFix: '{count, plural, one {# error} other {# errors}} to fix.',
  valid: '{count, plural, one {# object} other {# objects}}, valid.',
  checking: 'Checking…',
  adds: 'Defaulting adds {count, plural, one {# field} other {# fields}}',
  addsTo: 'Added to {name}',
  tooLarge: '{name} has {size} KiB; a manifest may have {most}.',
  notText: '{name} is not a text file.',
});

/** The templates. */
export const templateMessages = defineMessages('template', {
  happyTitle: 'A pod that runs',
  happyText: 'Sandbox, pull, create, start: the straight way.',
  initTitle: 'Init container, then app',
  initText: 'The app starts when the init container has succeeded.',
  'crash-loopTitle': 'Crash loop',
  'crash-loopText': 'Exits with 1 after three seconds; the back-off doubles from 10 s to 5 min.',
  'missing-imageTitle': 'Missing image',
  'missing-imageText': 'ErrImagePull, then ImagePullBackOff.',
  oomTitle: 'Out of memory',
  oomText: 'Takes more memory than its limit: OOMKilled, exit 137.',
  'post-startTitle': 'postStart that fails',
  'post-startText': 'FailedPostStartHook: the container is killed and started again.',
  'pre-stopTitle': 'preStop and a grace period',
  'pre-stopText': 'Delete it: the preStop hook runs first, then SIGTERM, then SIGKILL.',
});
