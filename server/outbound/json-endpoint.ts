export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Returns a POST of JSON that accepts JSON, with the key as bearer token if there is one. */
export const jsonPost = (body: unknown, apiKey: string | undefined): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
  body: JSON.stringify(body),
})

/** Parses a response; returns the text itself if it is not JSON, which fails the caller's schema as well. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the error message of an endpoint for the log, without the API key, which some repeat; undefined for authentication errors. */
export function endpointError(status: number, text: string, apiKey: string | undefined): Error | undefined {
  if (status === 401 || status === 403) return undefined
  return new Error((apiKey ? text.replaceAll(apiKey, '…') : text).slice(0, 300))
}
