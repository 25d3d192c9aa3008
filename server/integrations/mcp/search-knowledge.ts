import { idInput, type SearchBase, type SearchReply, text, wholeNumber } from '@groundwork/api'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { listBases } from '../../knowledge/bases/bases.ts'
import { searchBase, searchBases } from '../../knowledge/search/search-base.ts'
import { AppError } from '../../lib/errors.ts'
import { untrustedContentNotice } from './untrusted-content.ts'
import { headOf, passageFields } from './passage.ts'
import { tool } from './tool.ts'

/** Bases at most that one call searches. */
const maxBases = 20

export const searchKnowledge = tool({
  name: 'search_knowledge',
  title: 'Search the knowledge bases',
  description:
    'Finds the passages of the knowledge bases that answer a question, best first, each with its source and a score of 0 to 1. ' +
    'Ask one thing at a time, in the words in which a document would say it. Judge by the text whether a passage answers: what is best may still be beside the point.',
  scope: 'search:read',
  input: z.strictObject({
    query: text(1, 4000).meta({ description: 'The question, or words of its answer' }),
    baseIds: z
      .array(idInput('kb'))
      .min(1)
      .max(maxBases)
      .optional()
      .meta({ description: 'The bases to search, by their ids from list_bases; all of them by default' }),
    topK: wholeNumber(1, 20).default(5).meta({ description: 'Passages at most' }),
  }),
  output: z.object({
    notice: z.string(),
    passages: z.array(z.object({ ...passageFields, score: z.number() })),
    degraded: z.array(z.string()).meta({ description: 'What the search had to do without; empty when it had everything' }),
  }),
  async find(ctx, { query, baseIds, topK }) {
    const ids = [...new Set(baseIds ?? (await everyBase(ctx)))]
    const { data: passages, degraded } = await searchIn(ctx, ids, { query, topK })
    const shown = passages.map(
      (passage, index) => `[${index + 1}] ${headOf(passage)}\nscore ${passage.score.toFixed(2)}\n\n${passage.text}`,
    )
    return {
      data: { notice: untrustedContentNotice, passages, degraded },
      text: shown.length === 0 ? 'Nothing was found.' : shown.join('\n\n'),
    }
  },
})

/** One base is searched with its own settings, several as if they were one. */
async function searchIn(ctx: Context, ids: readonly string[], asked: SearchBase): Promise<Pick<SearchReply, 'data' | 'degraded'>> {
  const [first, ...others] = ids
  if (first === undefined) return { data: [], degraded: [] }
  return others.length === 0 ? searchBase(ctx, first, asked) : searchBases(ctx, { baseIds: [...ids], ...asked })
}

async function everyBase(ctx: Context): Promise<string[]> {
  const { data, nextCursor } = await listBases(ctx, { limit: maxBases })
  if (nextCursor !== null)
    throw new AppError('bad_request', `there are more than ${maxBases} knowledge bases: name those to search in baseIds`, {
      field: 'baseIds',
    })
  return data.map(({ id }) => id.slice(-36))
}
