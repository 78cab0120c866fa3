/** Selects the form of a response: object or table. Upstream: apiserver endpoints/handlers/negotiation (v1.36). */
import { notAcceptable } from '@podscope/apiserver';

export interface AnswerForm {
  readonly table: boolean;
  readonly yaml: boolean;
}

const offered = ['application/json', 'application/yaml'];

interface MediaRange {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const parseAccept = (header: string): readonly MediaRange[] =>
  header.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    return {
      type: type.toLowerCase(),
      parameters: Object.fromEntries(parameters.map((parameter) => parameter.split('=', 2) as [string, string])),
    };
  });

/**
 * Returns the first supported form that an Accept header lists.
 * @throws ApiError NotAcceptable
 */
export function negotiate(accept: string | undefined): AnswerForm {
  for (const { type, parameters } of parseAccept(accept || '*/*')) {
    const json = type === 'application/json' || type === '*/*' || type === 'application/*';
    if (json && parameters.as === 'Table' && parameters.g === 'meta.k8s.io' && parameters.v === 'v1')
      return { table: true, yaml: false };
    if (json && parameters.as === undefined) return { table: false, yaml: false };
    if (type === 'application/yaml' && parameters.as === undefined) return { table: false, yaml: true };
  }
  throw notAcceptable(offered);
}
