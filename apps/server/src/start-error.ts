/** A reason why the server can't start, said in one line to the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
