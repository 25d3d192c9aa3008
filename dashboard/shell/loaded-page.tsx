import type { ReactNode } from 'react'
import { Page, type Crumb } from './page.tsx'
import { Loaded, SkeletonRows, type Asked } from './states.tsx'

interface LoadedPageProps<T> {
  query: Asked<T>
  /** Of the page that says why there is no other. */
  title: string
  crumbs: readonly Crumb[]
  skeleton?: ReactNode
  /** The whole page. */
  children: (data: T) => ReactNode
}

/** The page of a record, which has its title; until it is there, a skeleton or why there is none. */
export function LoadedPage<T>({ query, title, crumbs, skeleton = <SkeletonRows />, children }: LoadedPageProps<T>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <Page title={query.error === null ? '…' : title} crumbs={crumbs}>
      <Loaded query={query} skeleton={skeleton}>
        {children}
      </Loaded>
    </Page>
  )
}
