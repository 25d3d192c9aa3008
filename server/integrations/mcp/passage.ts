import { idOutput, SearchHit } from '@groundwork/api'
import { z } from 'zod'

/** Output fields of a passage: its text and its location. */
export const passageFields = {
  chunkId: idOutput('chk').meta({ description: 'Can be passed to get_chunk' }),
  baseId: idOutput('kb'),
  sourceId: idOutput('src'),
  sourceName: z.string(),
  url: z.string().nullable(),
  text: z.string(),
  citation: SearchHit.shape.citation.meta({ description: 'Location in the document' }),
}
const passage = z.object(passageFields)

/** Returns the lines above a passage with its source, location and ids. */
export function passageHeader({ chunkId, baseId, sourceId, sourceName, url, citation }: z.input<typeof passage>): string {
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
