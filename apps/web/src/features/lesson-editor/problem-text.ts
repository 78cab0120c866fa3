/**
 * Translates the problems of a lesson, which `@podscope/lessons` reports in English, for the editor. A problem without
 * a translation, such as an error of the YAML parser, stays in English.
 */
import type { Language } from '../../base/preferences/languages.ts';

/** Patterns of messages with their Chinese text, in which $1 is the first group. */
const chinese: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^(.*): is missing$/, '缺少 $1'],
  [/^(.*): is empty$/, '$1：不能为空'],
  [/^claim (\d+) of "expect" doesn't hold in the run$/, '“expect” 的第 $1 个断言在运行中不成立'],
  [/^no option is right: none of the claims holds in the run$/, '没有正确的选项：所有断言在运行中都不成立'],
  [
    /^the claims of options (.*) all hold: exactly one may hold in the run$/,
    '选项 $1 的断言都成立：只能有一个断言在运行中成立',
  ],
  [
    /^option (\d+) is wrong in the run and needs a remark, indented below it$/,
    '选项 $1 在运行中是错误的，需要在其下方缩进写一条说明',
  ],
  [/^option (\d+) is right in the run and needs no remark$/, '选项 $1 在运行中是正确的，不需要说明'],
  [/^the run doesn't reach the breakpoint (.*) during the step$/, '运行在此步骤期间没有到达断点 $1'],
  [
    /^there are options, but no question: a question is a line that begins with "\? "$/,
    '有选项但没有问题：问题是以 “? ” 开头的一行',
  ],
  [
    /^the question has no options: they are lines such as "- \[ \] At once"$/,
    '问题没有选项：选项是形如 “- [ ] 立即” 的行',
  ],
  [/^a question has at least two options$/, '一个问题至少需要两个选项'],
  [
    /^the text after the options is missing: it is shown once the question is answered$/,
    '选项之后缺少正文：回答之后会显示它',
  ],
  [/^there is no step: .*$/, '没有步骤：步骤以形如 “## 第一次重启 {#first-restart}” 的标题开头'],
  [/^two steps have the id (.*): links could not tell them apart$/, '两个步骤的 id 都是 $1：链接无法区分它们'],
  [/^two scenarios have the id (.*)$/, '两个场景的 id 都是 $1'],
  [/^the block ```(\w+) has no end$/, '```$1 块没有结尾'],
  [/^a step has one (\w+)$/, '一个步骤只能有一个 $1'],
  [
    /^the heading (.*) needs an id of lower-case words at its end, such as .*$/,
    '标题 $1 的末尾需要一个由小写单词组成的 id',
  ],
  [/^an exercise has no scene: ask the question in a step before$/, '练习没有场景设置：请在前一个步骤中提问'],
  [/^an exercise has no question: ask it in a step before$/, '练习没有问题：请在前一个步骤中提问'],
  [/^there is no text$/, '没有正文'],
  [/^there is no (scenario|recording|point) (.*)$/, '$1 “$2” 不存在'],
  [/^(scenario .*) is over after (.*) s, before the (.*) s of the scene$/, '$1 在 $2 秒后结束，早于场景设置的 $3 秒'],
  [/^"until" \((.*) s\) lies before "at" \((.*) s\)$/, '“until”（$1 秒）早于 “at”（$2 秒）'],
  [/^options are judged at "until", which has to be later than "at"$/, '选项在 “until” 时判定，它必须晚于 “at”'],
  [/^(scenario .*) has no (container|pod) (.*)$/, '$1 没有 $2 “$3”'],
  [/^the exercise has (\d+) goals, and (\d+) texts of goals$/, '练习有 $1 个目标，但有 $2 条目标文字'],
  [/^a goal lasts (.*) s, but the attempt ends after (.*) s$/, '一个目标需要持续 $1 秒，但每次尝试在 $2 秒后结束'],
  [/^the question has (\d+) options, the scene claims for (\d+)$/, '问题有 $1 个选项，场景设置有 $2 个断言'],
  [/^the first step needs a scene: there is nothing to look at$/, '第一个步骤需要场景设置：否则没有可看的内容'],
  [/^the exercise has no goal: .*$/, '练习没有目标：目标是形如 “- [ ] Pod 就绪” 的行'],
  [/^the exercise has no solution: .*$/, '练习没有答案：请写一个能达成所有目标的清单'],
  [/^the solution doesn't meet goal (\d+)$/, '答案没有达成目标 $1'],
  [/^the unchanged manifest already meets all goals$/, '未修改的清单已经达成所有目标'],
  [
    /^after the goals and hints comes the text for a learner who met the goals$/,
    '目标和提示之后缺少达成目标后显示的正文',
  ],
  [/^the original has (\d+) options, this has (\d+)$/, '原文有 $1 个选项，译文有 $2 个'],
  [
    /^the original has (\d+) goals and (\d+) hints, this has (\d+) goals and (\d+) hints$/,
    '原文有 $1 个目标和 $2 条提示，译文有 $3 个目标和 $4 条提示',
  ],
  [/^only one of the two languages says something of option (\d+)$/, '选项 $1 只有一种语言写了说明'],
];

/** The file with the line, then the step. */
const place = /^(\S+:\d+: )(?:step ([a-z0-9-]+): )?(.*)$/s;

/** Returns the problem in the language of the page. */
export function problemText(problem: string, language: Language): string {
  const [, file = '', step, message = problem] = place.exec(problem) ?? [];
  const found = language === 'zh-CN' ? chinese.find(([pattern]) => pattern.test(message)) : undefined;
  if (!found) return problem;
  const [pattern, text] = found;
  return `${file}${step === undefined ? '' : `步骤 ${step}：`}${message.replace(pattern, text)}`;
}
