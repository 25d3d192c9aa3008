import type { ReactNode } from 'react'
import type { Crumb } from './page-link.ts'
import { Page } from './page.tsx'
import { RecordPage } from './record-gone.tsx'
import { Loaded, SkeletonRows, useDrawn, type Asked } from './states.tsx'

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
  const drawn = useDrawn(query)
  if (drawn.data !== undefined)
    return (
      <RecordPage query={query} restore={restore}>
        {children(drawn.data)}
      </RecordPage>
    )
  return (
    <Page title={drawn.error === null ? '…' : title} crumbs={crumbs}>
      <Loaded query={drawn} skeleton={skeleton}>
        {children}
      </Loaded>
    </Page>
  )
}
