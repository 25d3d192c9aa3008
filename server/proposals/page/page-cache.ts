/** A rendered page. */
export interface CachedPage {
  readonly html: string
  /** The versions of the rows that the page shows. */
  readonly rows: string
  /** The page shows the state from this time until another: milliseconds of Unix time. */
  readonly from: number
  readonly until: number
}

/** Rendered pages, in the memory of this process. The caller compares their rows with the stored ones. */
export interface PageCache {
  /** Returns the page if it is valid at the time. */
  readonly get: (key: string, nowMs: number) => CachedPage | undefined
  readonly set: (key: string, page: CachedPage) => void
}

/** Bytes that an entry takes beside its page, approximately. */
const entryBytes = 1000

/** @param maxBytes size of all pages, beyond which those used least recently are dropped */
export function createPageCache(maxBytes: number): PageCache {
  /** Least recently used first. */
  const pages = new Map<string, CachedPage>()
  let bytes = 0
  const remove = (key: string): CachedPage | undefined => {
    const page = pages.get(key)
    if (page === undefined) return undefined
    pages.delete(key)
    bytes -= sizeOf(page)
    return page
  }
  const add = (key: string, page: CachedPage): void => {
    pages.set(key, page)
    bytes += sizeOf(page)
  }
  return {
    get(key, nowMs) {
      const page = remove(key)
      if (page === undefined || nowMs < page.from || nowMs >= page.until) return undefined
      add(key, page)
      return page
    },
    set(key, page) {
      remove(key)
      if (sizeOf(page) > maxBytes) return
      add(key, page)
      for (const oldest of pages.keys()) {
        if (bytes <= maxBytes) return
        remove(oldest)
      }
    },
  }
}

/** Texts take up to two bytes per character. */
const sizeOf = ({ html }: CachedPage): number => 2 * html.length + entryBytes
