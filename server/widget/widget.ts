import type { SearchHit } from '@groundwork/api'
import { answerFrom, type AnswerContext } from '../knowledge/answers/answer.ts'
import { searchBase } from '../knowledge/search/search-base.ts'

/** A passage as a public page shows it: without ids and scores. */
export interface WidgetPassage {
  /** Title of the document, else name of the source. */
  readonly title: string
  /** Address of the web page; null for files. */
  readonly url: string | null
  /** First page of the passage in its document, from 1; null without pages. */
  readonly page: number | null
  readonly text: string
  /** Sentences that best answer the question, as offsets in `text`. */
  readonly highlights: readonly { readonly start: number; readonly end: number }[]
}

export interface WidgetSearch {
  /** Estimated probability that the passages answer the question, 0 to 1. */
  readonly confidence: number
  readonly passages: readonly WidgetPassage[]
  /** Whether a chat model can answer the question. */
  readonly answers: boolean
}

export interface WidgetAnswer {
  /** Null if the passages do not answer the question, or the model failed. */
  readonly answer: string | null
  readonly passages: readonly WidgetPassage[]
}

/** Maximum number of passages in the widget. */
const topK = 5

/** Returns the passages of the knowledge base that answer a visitor's question, best first. */
export async function searchForVisitor(ctx: AnswerContext, baseId: string, query: string): Promise<WidgetSearch> {
  const { confidence, data } = await searchBase(ctx, baseId, { query, topK })
  return { confidence, passages: data.map(toPassage), answers: ctx.chatModel !== null }
}

/**
 * Returns an answer of the chat model to a visitor's question, with the passages that support it.
 * @throws AppError `conflict` if no chat model is configured
 */
export async function answerVisitor(ctx: AnswerContext, baseId: string, query: string, signal: AbortSignal): Promise<WidgetAnswer> {
  let found: readonly SearchHit[] = []
  for await (const event of await answerFrom(ctx, baseId, { query }, signal)) {
    if (event.type === 'passages') found = event.data
    if (event.type !== 'end' || event.outcome !== 'answered') continue
    const cited = new Set(event.citations.map(({ chunkId }) => chunkId))
    return { answer: event.answer, passages: found.filter(({ chunkId }) => cited.has(chunkId)).map(toPassage) }
  }
  return { answer: null, passages: [] }
}

const toPassage = ({ sourceName, url, text, highlights, citation: { title, page } }: SearchHit): WidgetPassage => ({
  title: title ?? sourceName,
  url,
  page,
  text,
  highlights: highlights.map(({ start, end }) => ({ start, end })),
})
