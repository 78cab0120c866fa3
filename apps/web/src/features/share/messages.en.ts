/** Contains the English texts of the share menu. */
import { defineMessages } from '../../base/i18n/define-messages.ts';

export const shareMessages = defineMessages('share', {
  link: 'Copy link to this view',
  file: 'Save run as a file',
  perfetto: 'Export for Perfetto and Chrome',
  otlp: 'Export as OTLP',
  picture: 'Save timeline as an image',
  copyPicture: 'Copy timeline as an image',
  embed: 'Copy embed code',
  saved: 'Saved {name}',
  linkCopied: 'Link to this view copied.',
  linkCopiedWith: 'Link to this view copied, with {count, plural, one {# breakpoint} other {# breakpoints}}.',
  linkCopiedWithout:
    'Link to this view copied without breakpoints: they don’t fit. Save the run as a file to share them.',
  pictureCopied: 'Image copied.',
  embedCopied: 'Embed code copied.',
  noClipboard: 'The browser doesn’t allow this page to use the clipboard. The address bar shows the same link.',
  share: 'Share',
});
