import type { ReactNode } from 'react'
import { Page, type Crumb } from './page.tsx'
import { Loaded, SkeletonRows, type Asked } from './states.tsx'

interface LoadedPageProps<T> {
  query: Asked<T>
  /** The title of the error page. */
  title: string
  crumbs: readonly Crumb[]
  skeleton?: ReactNode
  /** Renders the complete page. */
  children: (data: T) => ReactNode
}

/** The page of a record. Shows a skeleton until the record is loaded, or an error page. */
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
