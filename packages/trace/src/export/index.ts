/** Exports runs in the formats of other tools. Works in a browser. */
export { otlpSpanName, writeOtlp } from './otlp.ts';
export { attributesOf, nanoseconds } from './otlp-values.ts';
export { writePerfetto } from './perfetto.ts';
