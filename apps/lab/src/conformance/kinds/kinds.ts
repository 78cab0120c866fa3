/** Lists the kinds of recorded cases. */
import type { KindName } from '../vector-files.ts';
import { backoff } from './backoff.ts';
import { compute } from './compute.ts';
import { dockershim } from './dockershim.ts';
import { expansion } from './expansion.ts';
import type { VectorKind } from './kind.ts';
import { status } from './status.ts';
import { sync } from './sync.ts';

export const kinds: Readonly<Record<KindName, VectorKind>> = { compute, sync, status, backoff, expansion, dockershim };
