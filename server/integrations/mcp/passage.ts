import { idOutput, SearchHit } from '@groundwork/api'
import { z } from 'zod'

/** Where a passage stands, and what it says. */
export const passageFields = {
  chunkId: idOutput('chk').meta({ description: 'For get_chunk' }),
  baseId: idOutput('kb'),
  sourceId: idOutput('src'),
  sourceName: z.string(),
  url: z.string().nullable(),
  text: z.string(),
  citation: SearchHit.shape.citation.meta({ description: 'Where in the document it stands' }),
}
const passage = z.object(passageFields)

/** The lines above a passage that say where it stands. */
export function headOf({ chunkId, baseId, sourceId, sourceName, url, citation }: z.input<typeof passage>): string {
  const { title, page, startSecond, headingPath } = citation
  const place = [
    title !== null && title !== sourceName ? `${sourceName}: ${title}` : sourceName,
    page === null ? '' : `page ${page}`,
    startSecond === null ? '' : `second ${startSecond}`,
    headingPath.join(' > '),
  ]
  return [place.filter((part) => part !== '').join(', '), ...(url === null ? [] : [url]), `${chunkId} of ${sourceId} in ${baseId}`].join(
    '\n',
  )
}
