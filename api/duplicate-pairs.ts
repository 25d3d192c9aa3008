import { z } from 'zod'
import { createdAt, queryDecimal, Timestamp } from './schemas.ts'

/** Pairs with a lower confidence are listed only if `minConfidence` asks for them. */
export const defaultMinConfidence = 0.7

/** The count stops there, so that it takes bounded time. */
export const maxDuplicateCount = 1_000

/** @param same what the records of a pair probably are, such as `the same person` */
export const pairFilters = (same: string) => ({
  minConfidence: queryDecimal(0.5, 1)
    .default(defaultMinConfidence)
    .describe(`Only pairs with at least this confidence: 0.5 to 1, ${defaultMinConfidence} by default.`),
  status: z
    .enum(['open', 'dismissed'])
    .default('open')
    .describe(`\`dismissed\` lists the pairs that are not ${same}. \`open\` by default.`),
})

export const pairFields = (same: string) => ({
  status: z.enum(['open', 'dismissed']).describe(`\`dismissed\` if somebody decided that they are not ${same}.`),
  createdAt,
  dismissedAt: Timestamp.nullable().describe('Time of this decision: UTC with milliseconds (ISO 8601); null before it.'),
})

export const duplicateCount = (id: string) =>
  z
    .object({
      count: z.int().describe(`Number of pairs, at most ${maxDuplicateCount.toLocaleString('en')}.`),
      hasMore: z.boolean().describe('Whether there are more pairs than `count`.'),
    })
    .meta({ id, description: 'The number of pairs that meet the filters.' })
