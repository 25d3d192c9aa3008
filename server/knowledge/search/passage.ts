import { sql } from 'kysely'
import { watchUrlAt } from '../video/address.ts'
import type { Citation } from './citation.ts'

/** A chunk as it is told of. */
export interface Passage {
  chunkId: string
  sourceId: string
  baseId: string
  sourceName: string
  /** Of the page, by its canonical address; of a video, at the second at which the passage begins. */
  url: string | null
  text: string
  citation: Citation
}

/** As the database gives it. */
export type PassageRow = Omit<Passage, 'citation'> & Citation & { readonly type: string }

/** Of chunk `c` and its source `s`, and of page `p`, which is there where the source is a site. */
export const passageColumns = sql<PassageRow>`c.id as "chunkId", s.id as "sourceId", s.base_id as "baseId", s.name as "sourceName",
      coalesce(p.url, s.canonical_url, s.url) as url, coalesce(p.title, s.title) as title, s.type, c.text, c.page, c.page_end as "pageEnd",
      c.start_second as "startSecond", to_json(c.heading_path) as "headingPath", c.start_offset as "start", c.end_offset as "end"`

export function toPassage(row: PassageRow): Passage {
  const { chunkId, sourceId, baseId, sourceName, text, title, page, pageEnd, startSecond, headingPath, start, end } = row
  const url = row.url !== null && row.type === 'youtube' ? watchUrlAt(row.url, startSecond) : row.url
  return { chunkId, sourceId, baseId, sourceName, url, text, citation: { title, page, pageEnd, startSecond, headingPath, start, end } }
}
