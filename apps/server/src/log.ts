/**
 * Warnings and errors go to stderr as JSON lines; what the person at the console reads goes to stdout ({@link
 * file://./cli/console.ts}).
 */
import { destination, type Logger, pino } from 'pino';

/** @param level the least that is written */
export const createLogger = (level: string): Logger =>
  pino(
    { name: 'podscope', level, redact: ['token', 'headers.authorization', 'headers.cookie'] },
    destination({ fd: 2, sync: true }),
  );
