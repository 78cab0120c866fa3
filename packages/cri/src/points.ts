/** A point of the flow for each CRI RPC. */
import type { Point } from '@podscope/trace';
import { type CriMethod, imageServiceMethods, runtimeServiceMethods } from './services.ts';

/** The point at which a CRI call is seen and can be stopped. */
export const criPoints: Readonly<Record<CriMethod, Point>> = Object.fromEntries(
  [...runtimeServiceMethods, ...imageServiceMethods].map((method) => [method, { id: `cri.${method}`, kind: 'cri', title: method } satisfies Point]),
) as Record<CriMethod, Point>;
