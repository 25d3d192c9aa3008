import type { Contact } from '@groundwork/api'
import type { Page } from '@groundwork/sdk'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { allKey } from './keys.ts'

type Pages = InfiniteData<Page<Contact>>

interface Shown {
  queries: QueryClient
  organizationId: string
}

/** Inserts or updates a contact in the loaded pages of the unfiltered list. */
export const showContact = ({ queries, organizationId }: Shown, contact: Contact): void =>
  void queries.setQueryData<Pages>([organizationId, ...allKey], (pages) => pages && withContact(pages, contact))

/** Removes a contact from the loaded pages of the unfiltered list. */
export const hideContact = ({ queries, organizationId }: Shown, id: string): void =>
  void queries.setQueryData<Pages>([organizationId, ...allKey], (pages) => pages && withoutContact(pages, id))

/** Returns the list with the contact inserted, newest first. Appends it at the end only if all pages are loaded. */
export function withContact(list: Pages, contact: Contact): Pages {
  const has = list.pages.some(({ data }) => data.some(({ id }) => id === contact.id))
  if (has) {
    return {
      ...list,
      pages: list.pages.map((page) => ({ ...page, data: page.data.map((known) => (known.id === contact.id ? contact : known)) })),
    }
  }
  const at = list.pages.findIndex(({ data, nextCursor }) => nextCursor === null || data.some((known) => isOlder(known, contact)))
  const pages = list.pages.map((page, index) => {
    if (index !== at) return page
    const place = page.data.findIndex((known) => isOlder(known, contact))
    return { ...page, data: place === -1 ? [...page.data, contact] : page.data.toSpliced(place, 0, contact) }
  })
  return { ...list, pages: withCountChange(pages, 1) }
}

export function withoutContact(list: Pages, id: string): Pages {
  const pages = list.pages.map((page) => ({ ...page, data: page.data.filter((known) => known.id !== id) }))
  const wasListed = list.pages.some(({ data }) => data.some((known) => known.id === id))
  return { ...list, pages: wasListed ? withCountChange(pages, -1) : pages }
}

const isOlder = (contact: Contact, other: Contact): boolean =>
  contact.createdAt < other.createdAt || (contact.createdAt === other.createdAt && contact.id < other.id)

const withCountChange = (pages: Page<Contact>[], change: number): Page<Contact>[] =>
  pages.map((page) => (page.totalCount === undefined ? page : { ...page, totalCount: page.totalCount + change }))
