/** Parses and validates query parameters. */
import { badRequest } from '@podscope/apiserver';
import type { Request } from 'express';
import { requestUrl } from '../../http/request-url.ts';

/**
 * Returns the parameter's text; undefined if the parameter is absent or empty. If it has several values, returns the
 * first.
 */
export function textParameter(request: Request, name: string): string | undefined {
  return requestUrl({ url: request.originalUrl }).searchParams.get(name) || undefined;
}

/** Parses a boolean like Go's strconv.ParseBool. Returns false if the parameter is absent. */
export function booleanParameter(request: Request, name: string): boolean {
  const text = textParameter(request, name);
  if (text === undefined) return false;
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  if (/^(0|f|F|FALSE|false|False)$/.test(text)) return false;
  throw badRequest(`${name}: invalid boolean ${JSON.stringify(text)}`);
}

/** Parses a whole number of at least `least`. */
export function integerParameter(request: Request, name: string, least: number): number | undefined {
  const text = textParameter(request, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^-?\d{1,15}$/.test(text) || value < least)
    throw badRequest(`${name}: Invalid value: ${JSON.stringify(text)}: must be a whole number of at least ${least}`);
  return value;
}
