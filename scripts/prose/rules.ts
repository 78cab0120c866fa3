/** Lists the wordings that the project's prose avoids, each with advice on what to write instead. */

/** One wording to avoid. */
export interface Rule {
  readonly pattern: RegExp;
  /** What to write instead: one short clause. */
  readonly advice: string;
}

/** Rules for every text: comments, UI texts, help and documentation. */
export const wordingRules: readonly Rule[] = [
  { pattern: /\b(?:nobody|somebody|whoever|anybody)\b/i, advice: 'name the subject: a function, a process, a user' },
  { pattern: /(?:^|[.:;!?] )(?:Who|Whose|Whom) (?!\S+ \?)(?![^.]*\?)/, advice: 'name the subject instead of "who"' },
  { pattern: /(?:^|[.!?] )(?:One|Those|That) (?:that|which|who) /, advice: 'name the subject' },
  { pattern: /(?:^|[.!?] )What (?!to |if |happens)[^?]*$/, advice: 'start with the subject, not with "What"' },
  { pattern: /(?:^|[.!?] )Such /, advice: 'name the subject instead of "such"' },
  { pattern: /\banew\b/i, advice: 'again' },
  { pattern: /\b(?:is|are|was|were|has|have|had) none\b/i, advice: 'plain negation: "no X", "isn\'t"' },
  {
    // "There is no X" is plain English, "there is nothing to X" is not.
    pattern:
      /\b(?:(?:is|are|was|were) nothing|(?<!\bthere )(?:is|are|was|were) no) (?!longer|more|such|matter|less|later|earlier)/i,
    advice: "isn't, has no",
  },
  { pattern: /\bnothing that\b/i, advice: 'plain negation' },
  { pattern: /\b(?:go|goes|went|gone|going) on\b/i, advice: 'continue' },
  { pattern: /\bl(?:eave|eaves|eft|eaving) (?:away|out)\b/i, advice: 'hide or omit' },
  { pattern: /\bbe had\b/i, advice: 'available' },
  {
    pattern: /\b(?:stand|stands|stood|standing) (?:still|in|at|there|beside|below|under|on)\b/i,
    advice: 'is, stops, is stopped',
  },
  { pattern: /\b(?:tell|tells|told|telling) (?:of|apart|about)\b/i, advice: 'report, distinguish, log' },
  { pattern: /\b(?:is|are|was|were|been) told\b/i, advice: 'is reported, is notified' },
  { pattern: /\b(?:hear|hears|heard|hearing) of\b/i, advice: 'is notified of, observes' },
  { pattern: /\bask(?:s|ed)? after\b/i, advice: 'look up, query' },
  { pattern: /\b(?:take|takes|took|taken) (?:\S+ )?(?:away|along)\b/i, advice: 'remove' },
  { pattern: /\b(?:back and forth|step forth|forth)\b/i, advice: 'forward' },
  { pattern: /\bweigh(?:s|ed|ing)?\b/i, advice: 'evaluate' },
  { pattern: /\briddles?\b/i, advice: 'rename the thing' },
  { pattern: /\b(?:mend|mends|mended|mending)\b/i, advice: 'fix' },
  { pattern: /\bkept runs?\b/i, advice: 'saved runs' },
  { pattern: /\bkeeps ending\b/i, advice: 'crashes' },
  { pattern: /\bmeddl(?:e|es|ing)\b/i, advice: 'inject a failure' },
  { pattern: /\bshall\b/i, advice: 'must or will' },
  { pattern: /\b(?:wherein|whereof|thereof|therein|thereby|hitherto|henceforth)\b/i, advice: 'a modern word' },
  { pattern: /\bpostponed\b/i, advice: 'waiting (with the reason)' },
];

/** Rules for Chinese texts. The terms are those of kubernetes.io/zh-cn. */
export const chineseRules: readonly Rule[] = [
  { pattern: /\p{Script=Han}[,;:!?]|[,;:!?]\p{Script=Han}/u, advice: 'full-width punctuation: ，；：！？' },
  { pattern: /\p{Script=Han}\((?=.*\))|\)\p{Script=Han}/u, advice: 'full-width brackets: （）' },
  { pattern: /\p{Script=Han}\.(?![\w*{])/u, advice: 'full-width period: 。' },
  { pattern: /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u, advice: 'a space between Chinese and Latin' },
  { pattern: /\p{Script=Han} +\p{Script=Han}/u, advice: 'no space between Chinese characters' },
  { pattern: /\.{3}/, advice: '…' },
  { pattern: /您/, advice: '你' },
  { pattern: /退避/, advice: '回退' },
  { pattern: /名称空间|名字空间/, advice: '命名空间' },
  { pattern: /豆荚|容器集|容器组/, advice: 'Pod' },
  { pattern: /挎斗|侧车/, advice: '边车' },
  { pattern: /映像/, advice: '镜像' },
  { pattern: /群集/, advice: '集群' },
  { pattern: /探测器/, advice: '探针' },
  { pattern: /沙盒/, advice: '沙箱' },
  { pattern: /垃圾回收/, advice: '垃圾收集' },
  { pattern: /注释/, advice: '注解' },
  { pattern: /缺省/, advice: '默认' },
  { pattern: /登陆/, advice: '登录' },
  { pattern: /帐[号户]/, advice: '账' },
  { pattern: /其它/, advice: '其他' },
  { pattern: /退出代码/, advice: '退出码' },
];

/** Rules for the comment at the top of a source file. */
export const headerRules: readonly Rule[] = [
  {
    pattern: /^(?:What|Who|Where|When|How|Why|Whether|Which|There)\b/,
    advice: 'say what the module does: "Computes …"',
  },
];
