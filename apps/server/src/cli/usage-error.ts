/** A command line that cannot be followed; the message is one line for the person who typed it. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
