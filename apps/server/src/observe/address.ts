/**
 * Separates credentials from an address. Requests send them in a header, and messages show the address without them.
 */

export interface Address {
  /** The address without user and password; its path ends with a slash. */
  readonly url: string;
  /** The header with the credentials; empty for an address without credentials. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Decodes percent-encoded text. Returns other text unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Separates an address into its URL and the header with its credentials. `fetch` rejects addresses with credentials,
 * and its error message would quote them.
 * @throws TypeError if the text isn't an address
 */
export function addressOf(text: string): Address {
  const url = URL.parse(text);
  // Throw a new error, because the error of `new URL` would quote the whole text.
  if (!url) throw new TypeError('the address is invalid');
  const [user, password] = [decoded(url.username), decoded(url.password)];
  url.username = '';
  url.password = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  return { url: url.href, headers: user === '' && password === '' ? {} : { authorization: `Basic ${basic}` } };
}

/** Returns an address for messages: without credentials, query and fragment. */
export function shownAddress(text: string): string {
  const url = URL.parse(text);
  return url ? `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}` : 'the address';
}
