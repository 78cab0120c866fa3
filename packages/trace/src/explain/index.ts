/** Why pods are as they are, in plain words. */
export { diagnosePod } from './diagnose.ts';
export type { NestedText } from './end-causes.ts';
export { exitCodeMeaning } from './exit-codes.ts';
export { fieldOfFact } from './fact-fields.ts';
export { explainMessages } from './messages.ts';
export type { Diagnosis, FieldFact, NextCommand } from './patient.ts';
export { outcomeMessages, ruleMessages } from './rule-messages.ts';
export { isKnownRule, type OutcomeName, type OutcomeText, outcomeText, type RuleName } from './rules.ts';
export { type ExplainMessageId, type ExplainText, inEnglish } from './text.ts';
