/** Contains the Chinese texts of the share menu. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { shareMessages } from './messages.en.ts';

export const share = translateMessages(shareMessages, {
  link: '复制此视图的链接',
  file: '将本次运行保存为文件',
  perfetto: '导出到 Perfetto 和 Chrome',
  otlp: '导出为 OTLP',
  picture: '保存时间线图片',
  copyPicture: '复制时间线图片',
  embed: '复制嵌入此视图的代码',
  saved: '已保存 {name}',
  linkCopied: '此视图的链接已复制到剪贴板。',
  linkCopiedWith: '此视图的链接已复制到剪贴板，带有 {count, plural, other {# 个断点}}。',
  linkCopiedWithout: '此视图的链接已复制到剪贴板。断点过多，无法放入地址：请将运行保存为文件来传递它们。',
  pictureCopied: '图片已复制到剪贴板。',
  embedCopied: '代码已复制到剪贴板：粘贴到网页中即可。',
  noClipboard: '浏览器不允许本页写入剪贴板。地址栏中有相同的链接。',
  share: '分享',
});
