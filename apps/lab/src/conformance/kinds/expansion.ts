/** Defines the kind `expansion`: the expansion of `$(VAR)` in a text. */
import { expand, mappingOf } from '@podscope/k8s';
import { background, VirtualClock } from '@podscope/trace';
import { z } from 'zod';
import { defineKind, findingOf } from './kind.ts';
import { textsSchema } from './shapes.ts';

interface ExpansionVector {
  readonly id: string;
  readonly input: string;
  readonly mapping: Readonly<Record<string, string>>;
  readonly expect: string;
}

const schema: z.ZodType<ExpansionVector> = z.object({
  id: z.string(),
  input: z.string(),
  mapping: textsSchema,
  expect: z.string(),
});

export const expansion = defineKind<ExpansionVector>({
  name: 'expansion',
  schema,
  release: () => undefined,
  situation: ({ input, mapping }) => [
    `the text ${JSON.stringify(input)}`,
    ...Object.entries(mapping).map(([name, value]) => `  ${name} is ${JSON.stringify(value)}`),
  ],
  recorded: ({ expect }) => [`  ${JSON.stringify(expect)}`],
  judge({ input, mapping, expect: expected }, { tracer }) {
    const ctx = background(new VirtualClock(), tracer);
    const values = mappingOf(mapping);
    const got = expand(input, (name) => {
      const value = values(name);
      tracer.decide(
        ctx,
        'expand.reference',
        { name },
        value === undefined ? 'it stays as it is: there is no such variable' : `it becomes ${JSON.stringify(value)}`,
      );
      return value;
    });
    return findingOf(got === expected ? [] : [{ what: 'text', expected, got }]);
  },
});
