import type { Contact } from '@groundwork/api'
import type { Page } from '@groundwork/sdk'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { allKey } from './queries.ts'

type Pages = InfiniteData<Page<Contact>>

interface Shown {
  queries: QueryClient
  organizationId: string
}

/** Puts a contact into the list of everybody as far as it was read, at its place or at its new state. */
export const showContact = ({ queries, organizationId }: Shown, contact: Contact): void =>
  void queries.setQueryData<Pages>([organizationId, ...allKey], (pages) => pages && withContact(pages, contact))

/** Takes it out. */
export const hideContact = ({ queries, organizationId }: Shown, id: string): void =>
  void queries.setQueryData<Pages>([organizationId, ...allKey], (pages) => pages && withoutContact(pages, id))

/** The list with a contact in it: newest first, and behind what was read only where nothing more is to be read. */
export function withContact(list: Pages, contact: Contact): Pages {
  const has = list.pages.some(({ data }) => data.some(({ id }) => id === contact.id))
  if (has) {
    return {
      ...list,
      pages: list.pages.map((page) => ({ ...page, data: page.data.map((one) => (one.id === contact.id ? contact : one)) })),
    }
  }
  const at = list.pages.findIndex(({ data, nextCursor }) => nextCursor === null || data.some((one) => isOlder(one, contact)))
  const pages = list.pages.map((page, index) => {
    if (index !== at) return page
    const place = page.data.findIndex((one) => isOlder(one, contact))
    return { ...page, data: place === -1 ? [...page.data, contact] : page.data.toSpliced(place, 0, contact) }
  })
  return { ...list, pages: counting(pages, 1) }
}

export function withoutContact(list: Pages, id: string): Pages {
  const pages = list.pages.map((page) => ({ ...page, data: page.data.filter((one) => one.id !== id) }))
  const gone = list.pages.some(({ data }) => data.some((one) => one.id === id))
  return { ...list, pages: gone ? counting(pages, -1) : pages }
}

const isOlder = (one: Contact, than: Contact): boolean =>
  one.createdAt < than.createdAt || (one.createdAt === than.createdAt && one.id < than.id)

const counting = (pages: Page<Contact>[], more: number): Page<Contact>[] =>
  pages.map((page) => (page.totalCount === undefined ? page : { ...page, totalCount: page.totalCount + more }))
