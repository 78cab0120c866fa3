import type { Translation } from '../i18n/define-messages.ts';
import type { lessonMessages } from './messages.en.ts';

export const lessons: Translation<typeof lessonMessages> = {
  title: '课程',
  lesson: '课程',
  intro: '引导式学习：每一步设置一个场景，先问会发生什么，然后让它发生。',
  own: '打开自己的课程',
  minutes: '{minutes, plural, other {# 分钟}}',
  progress: '已完成 {done}/{count} 步',
  complete: '已完成',
  start: '开始：{title}',
  goOn: '继续：{title}',
  place: '第 {step} 步，共 {count} 步',
  setting: '正在设置场景……',
  playing: '时间正在推进……',
  choose: '你认为呢？',
  letHappen: '让它发生',
  right: '正确：实际就是这样。',
  wrong: '不完全对。实际发生的是：{option}',
  undecided: '运行已被改动，因此无法判断哪个正确。',
  back: '上一步',
  next: '下一步',
  again: '再来一次',
  finish: '完成',
  close: '结束课程',
  noSuchLesson: '没有课程 {id}；课程列表中有全部课程。',
};
