import { sql } from 'kysely'
import { watchUrlAt } from '../video/address.ts'
import type { Citation } from './citation.ts'

/** A chunk in a search reply. */
export interface Passage {
  chunkId: string
  sourceId: string
  baseId: string
  sourceName: string
  /** The canonical URL of the page; for a video, with the second at which the passage begins. */
  url: string | null
  text: string
  citation: Citation
}

/** A row of the database. */
export type PassageRow = Omit<Passage, 'citation'> & Citation & { readonly isVideo: boolean }

/** The columns of a passage: of chunk `c`, its source `s`, and page `p` of a crawled site. */
export const passageColumns = sql<PassageRow>`c.id as "chunkId", s.id as "sourceId", s.base_id as "baseId", s.name as "sourceName",
      coalesce(p.url, s.canonical_url, s.url) as url, coalesce(p.title, s.title) as title, s.video is not null as "isVideo", c.text, c.page, c.page_end as "pageEnd",
      c.start_second as "startSecond", to_json(c.heading_path) as "headingPath", c.start_offset as "start", c.end_offset as "end"`

export function toPassage(row: PassageRow): Passage {
  const { chunkId, sourceId, baseId, sourceName, text, title, page, pageEnd, startSecond, headingPath, start, end } = row
  const url = row.url !== null && row.isVideo ? watchUrlAt(row.url, startSecond) : row.url
  return { chunkId, sourceId, baseId, sourceName, url, text, citation: { title, page, pageEnd, startSecond, headingPath, start, end } }
}
