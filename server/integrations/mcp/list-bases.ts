import { idOutput, text, wholeNumber } from '@groundwork/api'
import { z } from 'zod'
import { listBases } from '../../knowledge/bases/bases.ts'
import { untrustedContentNotice } from '../../lib/untrusted-content.ts'
import { tool } from './tool.ts'

export const listBasesTool = tool({
  name: 'list_bases',
  title: 'List the knowledge bases',
  description: 'Lists the knowledge bases, newest first, with id, description and language. Pass the ids to search_knowledge.',
  scope: 'bases:read',
  input: z.strictObject({
    limit: wholeNumber(1, 100).default(50),
    cursor: text(1, 200).optional().meta({ description: 'The nextCursor of the previous page' }),
  }),
  output: z.object({
    notice: z.string(),
    bases: z.array(
      z.object({
        baseId: idOutput('kb'),
        name: z.string(),
        description: z.string(),
        language: z.string().nullable().meta({ description: 'BCP 47 tag; null if not set' }),
        sources: z.number().int(),
        chunks: z.number().int(),
      }),
    ),
    nextCursor: z.string().nullable().meta({ description: 'null on the last page' }),
  }),
  async run(ctx, input) {
    const { data, nextCursor } = await listBases(ctx, input)
    const bases = data.map(({ id, name, description, language = null, stats: { sources, chunks } }) => {
      return { baseId: id, name, description, language, sources, chunks }
    })
    const lines = bases.map((base) =>
      [`${base.baseId}: ${base.name} (${base.sources} sources, ${base.chunks} chunks)`, base.description]
        .filter((line) => line !== '')
        .join('\n'),
    )
    const more = nextCursor === null ? [] : [`Next page: cursor ${nextCursor}`]
    return {
      data: { notice: untrustedContentNotice, bases, nextCursor },
      text: [...(lines.length === 0 ? ['There are no knowledge bases.'] : lines), ...more].join('\n\n'),
    }
  },
})
