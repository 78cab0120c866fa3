/** Parses the URL of a request. */

/**
 * Returns the URL of a request. Never throws: an invalid URL such as `//%00` becomes `/`, where requests change
 * nothing.
 */
export function requestUrl({ url = '/' }: { readonly url?: string | undefined }): URL {
  return URL.parse(url, 'http://localhost') ?? new URL('http://localhost/');
}
