/** Defines the kind `dockershim`: CRI requests and the resulting Docker calls. */
import {
  type DockershimVector,
  dockershimDisagreement,
  type RecordedCall,
  type RecordedRequest,
} from '@podscope/dockershim/testing';
import { z } from 'zod';
import { formatValue, short } from './case-text.ts';
import { defineKind } from './kind.ts';
import { recordSchema, textsSchema } from './shapes.ts';

const callSchema: z.ZodType<RecordedCall> = z
  .object({
    on: z.enum(['docker', 'network', 'checkpoint', 'os', 'file']),
    method: z.string(),
    error: z.string().optional(),
    imageNotFound: z.boolean().optional(),
    code: z.number().optional(),
  })
  .loose();

const requestSchema: z.ZodType<RecordedRequest> = z.object({
  request: z.object({ method: z.string(), body: recordSchema }),
  calls: z
    .array(callSchema)
    .nullable()
    .transform((calls) => calls ?? []),
  response: z.unknown(),
  error: z.string().nullable(),
  networkReady: z.record(z.string(), z.boolean()),
});

const schema: z.ZodType<DockershimVector> = z.object({
  id: z.string(),
  story: z.string().optional(),
  setup: z.object({
    cgroupDriver: z.enum(['cgroupfs', 'systemd']),
    networkPlugin: z.string(),
    podSandboxImage: z.string(),
    loggingDriver: z.string(),
    files: textsSchema.nullable(),
  }),
  steps: z.array(z.union([z.object({ restart: z.literal(true) }), requestSchema])),
});

const stepLine = (step: DockershimVector['steps'][number]): string =>
  'restart' in step ? 'the kubelet restarts' : short(`${step.request.method} ${formatValue(step.request.body)}`);

const callsOf = (step: DockershimVector['steps'][number]): string =>
  'restart' in step
    ? ''
    : ' → ' +
      (step.calls.map(({ method, error }) => `${method}${error === undefined ? '' : ' (fails)'}`).join(', ') ||
        'no call');

export const dockershim = defineKind<DockershimVector>({
  name: 'dockershim',
  schema,
  // v1.20 is the recorded release; later kubelets have no dockershim.
  release: () => 'v1.20',
  situation: ({ setup, story }) => [
    ...(story ? [`story: ${story}`] : []),
    `cgroup driver ${setup.cgroupDriver}, network plugin ${setup.networkPlugin}, sandbox image ` +
      `${setup.podSandboxImage || "the release's own"}, logging driver ${setup.loggingDriver}`,
  ],
  recorded: ({ steps }) => steps.map((step, index) => `  ${index + 1} ${stepLine(step)}${callsOf(step)}`),
  async judge(vector, { tracer, onPart }) {
    const onStep =
      onPart &&
      ((index: number, step: DockershimVector['steps'][number]): void =>
        onPart(`step ${index + 1}, ${stepLine(step)}`));
    const found = await dockershimDisagreement(vector, { tracer, ...(onStep ? { onStep } : {}) });
    if (!found) return undefined;
    const step = vector.steps[found.step];
    return {
      where: `step ${found.step + 1}, ${step && 'request' in step ? step.request.method : ''}`,
      before: vector.steps.slice(0, found.step).map((each, index) => `${index + 1} ${stepLine(each)}${callsOf(each)}`),
      disagreements: found.disagreements,
    };
  },
});
