import { useState, type ReactNode } from 'react'
import type { Crumb } from './page-link.ts'
import { Page, PlaceholderContext } from './page.tsx'
import { RecordPage } from './record-gone.tsx'
import { Loaded, SkeletonRows, type Asked } from './states.tsx'

interface LoadedPageProps<T> {
  query: Asked<T>
  /** The title of the error page. */
  title: string
  crumbs: readonly Crumb[]
  skeleton?: ReactNode
  /** A button that brings the record back after it was deleted. */
  restore?: ReactNode
  /** Renders the complete page. */
  children: (data: T) => ReactNode
}

/** The page of a record. Shows a skeleton until the record is loaded, or an error page. */
export function LoadedPage<T>({ query, title, crumbs, skeleton = <SkeletonRows />, restore, children }: LoadedPageProps<T>) {
  const [hadData] = useState(query.data !== undefined)
  if (query.data !== undefined)
    return (
      <RecordPage query={query} restore={restore}>
        <PlaceholderContext value={hadData ? undefined : skeleton}>{children(query.data)}</PlaceholderContext>
      </RecordPage>
    )
  return (
    <Page title={query.error === null ? '…' : title} crumbs={crumbs}>
      <Loaded query={query} skeleton={skeleton}>
        {children}
      </Loaded>
    </Page>
  )
}
