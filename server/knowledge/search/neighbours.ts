import { sql, type RawBuilder } from 'kysely'
import type { Citation } from './citation.ts'

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
