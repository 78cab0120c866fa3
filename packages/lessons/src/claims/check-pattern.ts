/**
 * Checks that a claim's pattern can match an event. With a pattern that matches nothing, `never` would always be true,
 * and a wrong answer would count as right.
 */
import { traceEventSchema } from '@podscope/trace/event-schema';
import type { z } from 'zod';
import { issueMessage, type ProblemText, problemText } from '../problem.ts';

const shapes = new Map<string, Readonly<Record<string, z.ZodType>>>(
  traceEventSchema.options.map(({ shape }) => [shape.type.value, shape]),
);

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

/**
 * Reports the fields that events of the pattern's type don't have, and the values that the fields can't have. Nested
 * fields aren't checked.
 */
export function checkPattern(
  pattern: Readonly<Record<string, unknown>> & { readonly type: string },
  context: z.RefinementCtx,
): void {
  const shape = shapes.get(pattern.type) ?? {};
  for (const [name, wanted] of Object.entries(pattern)) {
    const field = shape[name];
    const reported = (problem: ProblemText): void =>
      context.addIssue({ code: 'custom', path: [name], message: issueMessage(problem) });
    if (!field) reported(problemText('unknownField', { type: pattern.type, fields: Object.keys(shape).join(', ') }));
    else if (isScalar(wanted) && !(typeof wanted === 'string' && wanted.startsWith('~'))) {
      const { error } = field.safeParse(wanted);
      const message = error?.issues[0]?.message ?? '';
      if (error) reported(problemText('impossibleValue', { value: JSON.stringify(wanted), message }));
    }
  }
}
