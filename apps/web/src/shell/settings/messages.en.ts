/** English texts of the settings. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const settingsMessages = defineMessages('settings', {
  title: 'Settings',
  appearance: 'Appearance',
  theme: 'Theme',
  themeChoice: '{choice, select, light {Light} dark {Dark} other {System}}',
  language: 'Language',
  languageSystem: 'Browser default',
  motion: 'Motion',
  motionChoice: '{choice, select, full {Full} reduced {Reduced} other {System}}',
  present: 'Presentation mode',
  presentNote: 'Larger type, bolder lines and less clutter, for projectors. Included in shared links.',
  logs: 'Logs',
  logWrap: 'Wrap long lines',
  logTimestamps: 'Show timestamps',
  debugger: 'Debugger',
  onDisconnect: 'When the last page closes',
  onDisconnectNote: 'Stopped pods either continue or wait until a page connects again.',
  onDisconnectChoice: '{choice, select, keep {Keep stopped} other {Continue all}}',
  probes: 'Probes of stopped pods',
  probesNote: 'A missed probe has no result: it neither restarts a container nor marks it ready.',
  probesChoice: '{choice, select, held {Delayed} made {Run} other {Missed}}',
  ofNode: 'Node settings, shared by all users.',
  help: 'Help',
  hints: 'Show the hints again',
  kept: 'Settings are stored in this browser.',
});
