/**
 * Handles access and token reviews. The only user is the holder of the token. This user may do everything, and on a
 * read-only server read everything. Upstream: registry/authorization and registry/authentication (v1.36).
 */
import { badRequest, unknownPath } from '@podscope/apiserver';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Presentation } from './answers.ts';
import { structuredBody } from './requests/body.ts';
import type { ApiRequest } from './requests/request-info.ts';

/** The only user: the holder of the token. */
const user = { username: 'podscope', groups: ['system:masters', 'system:authenticated'] } as const;
const reason = "the token's holder may do everything";
const looking = ['get', 'list', 'watch'];
const readOnlyReason = 'this server is read-only';

const attributes = z.record(z.string(), z.unknown());
const specSchema = z.object({
  resourceAttributes: attributes.nullish(),
  nonResourceAttributes: attributes.nullish(),
  namespace: z.string().nullish(),
  user: z.string().nullish(),
  groups: z.array(z.string()).nullish(),
});
const bodySchema = z.object({
  apiVersion: z.string().nullish(),
  kind: z.string().nullish(),
  spec: specSchema.nullish(),
});
type Spec = z.infer<typeof specSchema>;

const exactlyOne = ({ resourceAttributes, nonResourceAttributes }: Spec): void => {
  if (!resourceAttributes === !nonResourceAttributes)
    throw badRequest('exactly one of nonResourceAttributes or resourceAttributes must be specified');
};

/** Returns the access review for the token's holder. */
function access({ resourceAttributes, nonResourceAttributes }: Spec, readOnly: boolean): unknown {
  const { verb, subresource } = resourceAttributes ?? { ...nonResourceAttributes, subresource: undefined };
  const looks = looking.includes(String(verb)) && !['exec', 'attach', 'portforward'].includes(String(subresource));
  return readOnly && !looks ? { allowed: false, reason: readOnlyReason } : { allowed: true, reason };
}

const selfAccess = (spec: Spec, readOnly: boolean): unknown => {
  exactlyOne(spec);
  return access(spec, readOnly);
};

const subjectAccess = (spec: Spec, readOnly: boolean): unknown => {
  exactlyOne(spec);
  if (!spec.user && !spec.groups?.length) throw badRequest('at least one of user or group must be specified');
  const allowed = spec.user === user.username || (spec.groups?.includes('system:masters') ?? false);
  return allowed ? access(spec, readOnly) : { allowed, reason: `there is no user but ${user.username}` };
};

/** For each kind of review, computes the status. */
const answers: Readonly<Record<string, (spec: Spec, readOnly: boolean) => unknown>> = {
  LocalSubjectAccessReview: subjectAccess,
  SelfSubjectAccessReview: selfAccess,
  SelfSubjectReview: () => ({ userInfo: user }),
  SelfSubjectRulesReview: ({ namespace }, readOnly) => {
    if (!namespace) throw badRequest('no namespace on request');
    const verbs = readOnly ? looking : ['*'];
    return {
      resourceRules: [{ verbs, apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs, nonResourceURLs: ['*'] }],
      incomplete: false,
    };
  },
  SubjectAccessReview: subjectAccess,
};

/** Returns true for review resources. */
export const isReview = ({ resource }: ApiRequest): boolean => Object.hasOwn(answers, resource.kind);

/** Handles a review. @throws ApiError NotFound or BadRequest */
export function handleReview(
  { groupVersion, resource, name }: ApiRequest,
  request: Request,
  response: Response,
  presentation: Presentation,
  readOnly: boolean,
): void {
  const answer = answers[resource.kind];
  if (!answer || request.method !== 'POST' || name !== undefined) throw unknownPath();
  const parsed = bodySchema.safeParse(structuredBody(request) ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw badRequest(`${resource.kind}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`);
  }
  const spec = parsed.data.spec ?? {};
  const apiVersion = `${groupVersion.group}/${groupVersion.version}`;
  presentation.send(response, 201, {
    kind: resource.kind,
    apiVersion,
    metadata: { creationTimestamp: null },
    spec,
    status: answer(spec, readOnly),
  });
}
