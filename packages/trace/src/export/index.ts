/** A run in the formats of other tools. Runs in a browser. */
export { otlpSpanName, writeOtlp } from './otlp.ts';
export { writePerfetto } from './perfetto.ts';
