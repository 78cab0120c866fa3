/** Parses `metav1.DeleteOptions` from the body and the query. */
import { badRequest, type DeleteOptions } from '@podscope/apiserver';
import type { Request } from 'express';
import { z } from 'zod';
import { structuredBody } from '../requests/body.ts';
import { integerParameter, textParameter } from '../requests/parameters.ts';

const propagationPolicies = ['Orphan', 'Background', 'Foreground'] as const;

const schema = z.object({
  kind: z.string().nullish(),
  gracePeriodSeconds: z.int().nullish(),
  preconditions: z.object({ uid: z.string().nullish(), resourceVersion: z.string().nullish() }).nullish(),
  orphanDependents: z.boolean().nullish(),
  propagationPolicy: z.enum(propagationPolicies).nullish(),
  dryRun: z.array(z.string()).nullish(),
});

/** Returns true for `dryRun=All`. @throws ApiError BadRequest for any other value */
export function isDryRun(request: Request): boolean {
  const text = textParameter(request, 'dryRun');
  if (text === undefined) return false;
  if (text === 'All') return true;
  throw badRequest(`dryRun: Unsupported value: ${JSON.stringify(text)}: supported values: "All"`);
}

/** Parses the options of a deletion. The body takes precedence over the query. @throws ApiError BadRequest */
export const parseDeleteOptions = (request: Request): DeleteOptions =>
  deleteOptionsOf(structuredBody(request), request);

/** Parses deletion options that are a part of another body. */
export function deleteOptionsOf(body: unknown, request: Request): DeleteOptions {
  const parsed = schema.safeParse(body ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw badRequest(`DeleteOptions: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`);
  }
  const { gracePeriodSeconds, preconditions, dryRun, orphanDependents } = parsed.data;
  return {
    propagationPolicy:
      parsed.data.propagationPolicy ?? queryPolicy(request) ?? (orphanDependents ? 'Orphan' : undefined),
    gracePeriodSeconds: gracePeriodSeconds ?? integerParameter(request, 'gracePeriodSeconds', Number.MIN_SAFE_INTEGER),
    dryRun: isDryRun(request) || (dryRun?.includes('All') ?? false),
    preconditions: {
      uid: preconditions?.uid ?? undefined,
      resourceVersion: preconditions?.resourceVersion ?? undefined,
    },
  };
}

function queryPolicy(request: Request): DeleteOptions['propagationPolicy'] {
  const text = textParameter(request, 'propagationPolicy');
  const found = propagationPolicies.find((policy) => policy === text);
  if (text !== undefined && !found)
    throw badRequest(
      `propagationPolicy: Unsupported value: ${JSON.stringify(text)}: supported values: "Foreground", ` +
        '"Background", "Orphan"',
    );
  return found;
}
