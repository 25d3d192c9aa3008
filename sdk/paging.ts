import type { Answer, ApiRequest, RequestOptions, Transport } from './transport.ts'

export interface Page<T> {
  data: T[]
  /** `cursor` of the next page; null on the last page. */
  nextCursor: string | null
  /** The total number of records, if the request asked for it. */
  totalCount?: number
}

/** A list that is fetched page by page while it is read: `for await (const contact of client.contacts.list())`. */
export interface Paged<T> extends AsyncIterable<T> {
  /** Fetches one page: the first, or the one at `cursor`. */
  page(): Promise<Page<T>>
  pages(): AsyncIterable<Page<T>>
}

export function paged<T>(transport: Transport, path: string, query: object = {}, options?: RequestOptions): Paged<T> {
  const fetchPage = async (cursor?: string): Promise<Page<T>> => {
    const request: ApiRequest = { method: 'GET', path, query: { ...query, ...(cursor !== undefined && { cursor }) } }
    return pageOf(await transport.send(request, options))
  }
  async function* pages(): AsyncGenerator<Page<T>> {
    let page = await fetchPage()
    yield page
    while (page.nextCursor !== null) {
      page = await fetchPage(page.nextCursor)
      yield page
    }
  }
  return {
    page: () => fetchPage(),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data
    },
  }
}

/** Reads both forms of a page in the contract: `{ data, nextCursor }`, and a bare array with headers. */
function pageOf<T>(answer: Answer<unknown>): Page<T> {
  const { body, headers } = answer as Answer<T[] | Page<T>>
  if (!Array.isArray(body)) return body
  const total = headers.get('x-total-count')
  return {
    data: body,
    nextCursor: headers.get('x-next-cursor') ?? cursorOf(headers.get('link')),
    ...(total !== null && { totalCount: Number(total) }),
  }
}

/** A proxy or a browser may remove one of the two headers. */
function cursorOf(link: string | null): string | null {
  const address = /<([^>]*)>\s*;[^,]*\brel="?next\b/.exec(link ?? '')?.[1]
  return address === undefined ? null : new URL(address, 'http://localhost').searchParams.get('cursor')
}
