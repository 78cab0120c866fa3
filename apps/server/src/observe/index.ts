/** Exports what reads and serves observations of genuine kubelets. */
export { readRecordingDirectory, sessionsOf } from './recording-directory.ts';
