/** What the settings say. */
import { defineMessages } from '../../i18n/define-messages.ts';

export const settingsMessages = defineMessages('settings', {
  title: 'Settings',
  appearance: 'Appearance',
  theme: 'Theme',
  themeChoice: '{choice, select, light {Light} dark {Dark} other {As the system}}',
  language: 'Language',
  languageSystem: 'As the browser',
  motion: 'Motion',
  motionChoice: '{choice, select, full {Full} reduced {Reduced} other {As the system}}',
  present: 'Presentation mode',
  presentNote: 'Larger type and bolder lines, with less around them: for a wall. The link keeps it.',
  logs: 'Logs',
  logWrap: 'Wrap long lines',
  logTimestamps: 'Show timestamps',
  debugger: 'Debugger',
  onDisconnect: 'When the last page leaves',
  onDisconnectNote: 'Stopped pods can go on by themselves, or wait until somebody is back.',
  onDisconnectChoice: '{choice, select, keep {Keep stops} other {Let all go on}}',
  probes: 'Probes of a stopped pod',
  probesNote: 'A missed probe has no result: it neither restarts a container nor makes it ready.',
  probesChoice: '{choice, select, held {Held} made {Made} other {Missed}}',
  ofNode: 'These are the node’s: they hold for everyone who looks at it.',
  help: 'Help',
  hints: 'Show the first hints again',
  kept: 'Settings are kept in this browser.',
});
