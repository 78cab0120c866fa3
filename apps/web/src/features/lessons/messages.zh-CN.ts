/** Chinese texts of the lesson panel and dialog. */
import { translateMessages } from '../../base/i18n/define-messages.ts';
import { lessonMessages } from './messages.en.ts';

export const lessons = translateMessages(lessonMessages, {
  title: '课程',
  lesson: '课程',
  intro: '引导式学习：每一步设置一个场景，先问会发生什么，再运行它。',
  own: '打开自己的课程',
  write: '编写课程',
  saveProgress: '保存进度',
  loadProgress: '载入进度',
  noProgress: '此文件中没有课程进度。',
  minutes: '{minutes, plural, other {# 分钟}}',
  progress: '已完成 {done}/{count} 步',
  complete: '已完成',
  start: '开始：',
  goOn: '继续：',
  place: '第 {step} 步，共 {count} 步',
  setting: '正在设置场景…',
  playing: '正在运行…',
  choose: '你预计会发生什么？',
  letHappen: '运行',
  stopped:
    '运行停在一个断点处：{point} {phase, select, before {之前} other {之后}}。先在检查器中看看它的调用栈和变量，然后继续。',
  goOnFromStop: '继续',
  lookAt: '请看',
  where:
    '{at, select, pods {Pod 列表} timeline {时间线} steps {步骤} code {代码} results {结果} events {事件} logs {日志} spec {规约} ' +
    'compare {对比} why {检查器中的原因} inspector {检查器} time {时间滑块} debugger {调试器} other {说明}}',
  lane: '时间线上的 {container}',
  happened: '实际发生',
  didNotHappen: '没有发生',
  right: '正确：实际就是这样。',
  wrong: '不完全对。实际发生的是：{option}',
  undecided: '运行已被改动，因此无法判断哪个正确。',
  undecidedOwn: '到场景结束时无法判断哪个正确：必须恰好有一个选项的断言成立。',
  back: '上一步',
  next: '下一步',
  again: '重播',
  finish: '完成',
  nextLesson: '下一课',
  following: '下一课：{title}',
  close: '结束课程',
  noSuchLesson: '没有 id 为 {id} 的课程。列表中有全部课程。',
});
