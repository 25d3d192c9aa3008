import { idInput, type SearchBase, SearchHit, type SearchReply, text, wholeNumber } from '@groundwork/api'
import { z } from 'zod'
import { listBases } from '../../knowledge/bases/bases.ts'
import { searchBase, searchBases } from '../../knowledge/search/search-base.ts'
import { AppError } from '../../lib/errors.ts'
import type { IntegrationContext } from '../integration.ts'
import { untrustedContentNotice } from '../../lib/untrusted-content.ts'
import { passageHeader, passageFields } from './passage.ts'
import { tool } from './tool.ts'

/** Maximum number of knowledge bases per call. */
const maxBases = 20

export const searchKnowledge = tool({
  name: 'search_knowledge',
  title: 'Search the knowledge bases',
  description:
    'Searches the knowledge bases for passages that answer a question, best first, each with its source and a score from 0 to 1. ' +
    'Ask about one thing at a time, in words that a document would use. `confidence` is the estimated probability that the passages answer the question: below 0.5, say that you do not know. Check the text of each passage: even the best match may not answer the question.',
  scope: 'search:read',
  input: z.strictObject({
    query: text(1, 4000).meta({ description: 'The question, or words of its answer' }),
    baseIds: z
      .array(idInput('kb'))
      .min(1)
      .max(maxBases)
      .optional()
      .meta({ description: 'Ids of the knowledge bases to search, from list_bases; all by default' }),
    topK: wholeNumber(1, 20).default(5).meta({ description: 'Maximum number of passages' }),
  }),
  output: z.object({
    notice: z.string(),
    passages: z.array(
      z.object({
        ...passageFields,
        score: z.number(),
        highlights: SearchHit.shape.highlights.meta({ description: 'Spans of `text` that best answer the query, best first' }),
      }),
    ),
    confidence: z.number().meta({ description: 'Estimated probability that the passages answer the question, 0 to 1' }),
    degraded: z.array(z.string()).meta({ description: 'Parts of the search that were unavailable; empty if none' }),
  }),
  async run(ctx, { query, baseIds, topK }) {
    const ids = [...new Set(baseIds ?? (await everyBase(ctx)))]
    const { data: passages, confidence, degraded } = await searchIn(ctx, ids, { query, topK })
    const shown = passages.map(
      (passage, index) =>
        `[${index + 1}] ${passageHeader(passage)}\nscore ${passage.score.toFixed(2)}\n${bestAnswer(passage)}\n${passage.text}`,
    )
    return {
      data: { notice: untrustedContentNotice, passages, confidence, degraded },
      text: shown.length === 0 ? 'Nothing was found.' : [`confidence ${confidence.toFixed(2)}`, ...shown].join('\n\n'),
    }
  },
})

/** Returns a line with the best sentence of a passage; empty if it is the whole passage. */
function bestAnswer({ text: passage, highlights: [best] }: Pick<SearchHit, 'text' | 'highlights'>): string {
  if (best === undefined || best.end - best.start === passage.length) return ''
  return `best sentence: ${passage.slice(best.start, best.end).replace(/\s+/g, ' ')}\n`
}

/** Searches one knowledge base with its own settings, or several as one. */
async function searchIn(
  ctx: IntegrationContext,
  ids: readonly string[],
  search: SearchBase,
): Promise<Pick<SearchReply, 'data' | 'confidence' | 'degraded'>> {
  const [first, ...others] = ids
  if (first === undefined) return { data: [], confidence: 0, degraded: [] }
  return others.length === 0 ? searchBase(ctx, first, search) : searchBases(ctx, { baseIds: [...ids], ...search })
}

async function everyBase(ctx: IntegrationContext): Promise<string[]> {
  const { data, nextCursor } = await listBases(ctx, { limit: maxBases })
  if (nextCursor !== null)
    throw new AppError('bad_request', `There are more than ${maxBases} knowledge bases. Select the ones to search with baseIds.`, {
      field: 'baseIds',
    })
  return data.map(({ id }) => id.slice(-36))
}
