import { sql, type RawBuilder } from 'kysely'
import { watchUrlAt } from '../video/address.ts'

/** The position of a passage in its document. */
export interface Citation {
  page: number | null
  pageEnd: number | null
  /** Second of the recording at which the passage begins; null without a recording. */
  startSecond: number | null
  headingPath: string[]
  /** Span in the document's text, UTF-16 code units, end exclusive. */
  start: number
  end: number
  /** Title of the document, or of the page of a crawled site. */
  title: string | null
}

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

export interface Neighbour {
  chunkId: string
  text: string
  citation: Citation
}

/** The chunks before and after a hit, in document order. */
export interface Neighbours {
  before: Neighbour[]
  after: Neighbour[]
}

/** A row of the database. `distance` is the number of chunks from the hit, negative before it. */
export type NeighbourRow = Omit<Neighbour, 'citation'> & Omit<Citation, 'title'> & { readonly distance: number }

/** Returns the SQL for up to `count` chunks on each side of chunk `c` in its document; the pages of a site share a generation. */
export function neighboursOf(count: number): RawBuilder<NeighbourRow[]> {
  return sql`(
    select coalesce(json_agg(json_build_object('distance', n.ordinal - c.ordinal, 'chunkId', n.id, 'text', n.text, 'page', n.page,
      'pageEnd', n.page_end, 'startSecond', n.start_second, 'headingPath', n.heading_path, 'start', n.start_offset, 'end', n.end_offset)
      order by n.ordinal), '[]')
    from chunk n
    where n.organization_id = c.organization_id and n.generation = c.generation
      and n.ordinal between c.ordinal - ${count}::integer and c.ordinal + ${count}::integer and n.ordinal <> c.ordinal
      and n.page_id is not distinct from c.page_id
  )`
}

/** Converts rows. `title` is the title of the hit's document, which its neighbours share. */
export function toNeighbours(rows: readonly NeighbourRow[], title: string | null): Neighbours {
  const on = (side: (distance: number) => boolean): Neighbour[] =>
    rows
      .filter(({ distance }) => side(distance))
      .map(({ distance: _distance, chunkId, text, ...citation }) => ({ chunkId, text, citation: { ...citation, title } }))
  return { before: on((distance) => distance < 0), after: on((distance) => distance > 0) }
}
