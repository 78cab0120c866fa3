import type { Translation } from '../i18n/define-messages.ts';
import type { fileMessages } from './messages.en.ts';

export const files: Translation<typeof fileMessages> = {
  fromFile: '这是一份录制：{name}。',
  fromStore: '这是一次保留的运行：{name}。',
  nothingToDo: '这是一份录制：无法再对它做任何操作。',
  noRun: '还没有可以保存的运行。',
  problem: '{name}：{problem}',
};
