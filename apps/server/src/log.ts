/**
 * Creates the logger. Warnings and errors go to stderr as JSON lines; text for the user at the console goes to stdout
 * ({@link file://./cli/console.ts}).
 */
import { destination, type Logger, pino } from 'pino';

/** @param level the lowest level that is written */
export const createLogger = (level: string): Logger =>
  pino(
    { name: 'podscope', level, redact: ['token', 'headers.authorization', 'headers.cookie'] },
    destination({ fd: 2, sync: true }),
  );
