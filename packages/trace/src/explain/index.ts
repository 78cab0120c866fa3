/** Exports the explanations of pods in plain words. */
export { type CauseOrigin, causeOrigins, type Diagnosis, type FieldFact, type NextCommand } from './diagnosis.ts';
export { exitCodeMeaning } from './exit-codes.ts';
export type { PodExplanation, PodSummary, SyncExplanation, Warning } from './explain-pod.ts';
export { fieldOfFact } from './fact-fields.ts';
export { explainMessages } from './messages.ts';
export { outcomeMessages, ruleMessages } from './rule-messages.ts';
export { isKnownRule, type OutcomeName, type OutcomeText, outcomeText, type RuleName } from './rules.ts';
export { sandboxChangeDiagnosis, stoppedDiagnosis } from './run-causes.ts';
export { type ExplainMessageId, type ExplainText, elided, inEnglish, type NestedText, textOf } from './text.ts';
