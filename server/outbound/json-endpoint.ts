export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A POST of JSON that wants JSON, in the name of the key where there is one. */
export const posting = (body: unknown, apiKey: string | undefined): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
  body: JSON.stringify(body),
})

/** What a reply says; the text itself where it is not JSON: that has not the shape either which the caller checks for. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What an endpoint says of its refusal, for the log alone, without the key, which some repeat; nothing of one that wants another key. */
export function saidBy(status: number, text: string, apiKey: string | undefined): Error | undefined {
  if (status === 401 || status === 403) return undefined
  return new Error((apiKey ? text.replaceAll(apiKey, '…') : text).slice(0, 300))
}
