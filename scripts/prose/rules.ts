/** Lists the wordings that the project's prose avoids, each with what to write instead. */

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
    pattern: /\b(?:is|are|was|were) (?:no|nothing) (?!longer|more|such|matter|less|later|earlier)/i,
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

/** Rules for the comment at the top of a source file. */
export const headerRules: readonly Rule[] = [
  {
    pattern: /^(?:What|Who|Where|When|How|Why|Whether|Which|There)\b/,
    advice: 'say what the module does: "Computes …"',
  },
];
