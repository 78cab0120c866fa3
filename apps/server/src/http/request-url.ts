/** The address a request asks for. */

/** Never throws: what is no address (`//%00`) is the root, where nothing is changed and nothing streams. */
export function requestUrl({ url = '/' }: { readonly url?: string | undefined }): URL {
  return URL.parse(url, 'http://localhost') ?? new URL('http://localhost/');
}
