import type { AnswerBase, AnswerCitation, AnswerEvent, AnswerReason, SearchHit, SearchMessage, SearchReply } from '@groundwork/api'
import type { Logger } from 'pino'
import { withTransaction } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import type { KnowledgeContext, KnowledgeServices } from '../context.ts'
import { requireBase } from '../rows/bases.ts'
import { searchBase } from '../search/search-base.ts'
import { ChatError, type ChatModel } from './chat-model.ts'
import { groundingIn, markerPattern, type Grounding } from './grounding.ts'
import { noAnswer, promptOf } from './prompt.ts'
import { withoutThoughts } from './thoughts.ts'
import { usableText } from './usable-text.ts'
import { writtenSentences } from './written-sentences.ts'

export interface AnswerServices extends KnowledgeServices {
  /** Null if no chat model is configured. */
  readonly chatModel: ChatModel | null
}

export type AnswerContext = KnowledgeContext & AnswerServices

/** Passages of a search for an answer. More passages make the model slower, and hardly better. */
const defaultTopK = 6
const defaultMinConfidence = 0.5
/** A longer reply is no answer of a few sentences. */
const maxAnswerLength = 4_000

/**
 * Searches a knowledge base and yields the passages, then the sentences of an answer that the passages support, then its outcome.
 * A sentence that no passage supports is left out.
 * @throws AppError `conflict` if no chat model is configured; those of `searchBase`
 */
export async function answerFrom(
  ctx: AnswerContext,
  baseId: string,
  { minConfidence = defaultMinConfidence, topK = defaultTopK, ...asked }: AnswerBase,
  signal: AbortSignal,
): Promise<AsyncIterable<AnswerEvent>> {
  const { chatModel } = ctx
  if (chatModel === null) {
    await withTransaction(ctx, (trx) => requireBase(trx, baseId))
    throw new AppError('conflict', 'No chat model is configured. The operator can set CHAT_URL and CHAT_MODEL.')
  }
  const found = await searchBase(ctx, baseId, { ...asked, topK })
  return numbered(eventsOf({ chatModel, asked, found, minConfidence, log: ctx.log, signal }))
}

interface Answering {
  readonly chatModel: ChatModel
  readonly asked: Pick<AnswerBase, 'query' | 'messages'>
  readonly found: SearchReply
  readonly minConfidence: number
  readonly log: Logger
  readonly signal: AbortSignal
}

async function* eventsOf(answering: Answering): AsyncGenerator<Unnumbered> {
  const { query, confidence, data } = answering.found
  yield { type: 'passages', query, confidence, data }
  const passages = usablePassages(data)
  const written: Written = { answer: '', citations: [], withheld: 0, hasGap: false, isNoAnswer: false }
  let failure: ChatError | null = null
  let reason: AnswerReason | null = null
  if (data.length === 0 || confidence < answering.minConfidence) reason = 'low_confidence'
  else if (passages.length === 0) reason = 'no_answer'
  else failure = yield* sentencesOf(answering, passages, written)
  yield ended(answering.chatModel.model, written, failure, reason)
}

/** Yields the sentences that the passages support, and adds them to the answer. Returns the failure of the model. */
async function* sentencesOf(
  { chatModel, asked, log, signal }: Answering,
  passages: readonly SearchHit[],
  written: Written,
): AsyncGenerator<Unnumbered, ChatError | null> {
  const { question, earlier } = conversationOf(asked)
  // Loaded at the first answer: its tables take 0.4 s of processor time, also in programs without a chat model.
  const { detectLanguage } = await import('../extract/language.ts')
  const language = detectLanguage([...passages.map(({ text }) => text), question], [], null)
  const grounding = groundingIn(passages.map(withHeadings), question, language)
  try {
    const reply = chatModel.reply(promptOf(question, earlier, passages.map(promptPassage)), signal)
    for await (const sentence of writtenSentences(limited(withoutThoughts(reply)), language)) {
      const text = checked(sentence, grounding, passages, written)
      if (text !== null) yield text
    }
    return null
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ChatError)) throw error
    log.warn({ err: error }, 'the chat model failed')
    return error
  }
}

function ended(
  model: string,
  { answer, citations, withheld, isNoAnswer }: Written,
  failure: ChatError | null,
  refusal: AnswerReason | null,
): Unnumbered {
  const end = { type: 'end' as const, answer: answer.trim(), citations: [...citations], withheldSentences: withheld, model }
  if (failure !== null) return { ...end, outcome: 'failed', reason: failure.isLate ? 'model_timeout' : 'model_error' }
  if (answer !== '') return { ...end, outcome: 'answered', reason: null }
  return { ...end, outcome: 'refused', reason: refusal ?? (isNoAnswer || withheld === 0 ? 'no_answer' : 'not_grounded') }
}

/** Returns the last message of the user, and the messages before it. */
function conversationOf({ query, messages = [] }: Answering['asked']): { question: string; earlier: SearchMessage[] } {
  if (query !== undefined) return { question: query, earlier: [] }
  const last = messages.findLastIndex(({ role, content }) => role === 'user' && content !== '')
  return { question: messages[last]?.content ?? '', earlier: messages.slice(0, Math.max(last, 0)) }
}

type Unnumbered = AnswerEvent extends infer E ? (E extends AnswerEvent ? Omit<E, 'id'> : never) : never

interface Written {
  answer: string
  citations: AnswerCitation[]
  /** Number of sentences that were left out. */
  withheld: number
  /** Whether the last sentence was left out, with the white space around it. */
  hasGap: boolean
  isNoAnswer: boolean
}

async function* numbered(events: AsyncIterable<Unnumbered>): AsyncGenerator<AnswerEvent> {
  let id = 0
  for await (const event of events) yield { ...event, id: String((id += 1)) }
}

/** Returns the passages without commands to a model; those that contain nothing else are left out. */
const usablePassages = (hits: readonly SearchHit[]): SearchHit[] =>
  hits.map((hit) => ({ ...hit, text: usableText(hit.text) })).filter(({ text }) => text !== '')

const promptPassage = ({ sourceName, citation, text }: SearchHit) => ({ sourceName, headingPath: citation.headingPath, text })

/** Headings name what the text of the passage is about. */
const withHeadings = ({ citation, text }: SearchHit): string =>
  [...citation.headingPath.map(usableText).map((heading) => `${heading}.`), text].join('\n')

/** Returns the event of a sentence that passages support, and adds it to the answer; null for other sentences. */
function checked(sentence: string, grounding: Grounding, passages: readonly SearchHit[], written: Written): Unnumbered | null {
  if (sentence.includes(noAnswer)) {
    written.isNoAnswer = true
    return null
  }
  const plain = sentence.replace(markerPattern, '')
  if (plain.trim() === '') return null
  const supporting = grounding.supporting(sentence, citedIn(sentence))
  if (supporting.length === 0) {
    written.withheld += 1
    written.hasGap = true
    return null
  }
  const before = written.answer.length
  const sentenceText = plain.trimStart()
  const space = before === 0 ? '' : plain.slice(0, plain.length - sentenceText.length)
  const needsSpace = written.hasGap && space === '' && /\S$/.test(written.answer)
  written.answer += `${needsSpace ? ' ' : space}${sentenceText}`
  written.hasGap = false
  const start = written.answer.length - sentenceText.length
  const end = start + sentenceText.trimEnd().length
  const citations = supporting.flatMap((index): AnswerCitation[] => {
    const passage = passages[index]
    if (passage === undefined) return []
    return [{ chunkId: passage.chunkId, sourceId: passage.sourceId, start, end }]
  })
  written.citations.push(...citations)
  return { type: 'text', text: written.answer.slice(before), citations }
}

const citedIn = (sentence: string): number[] =>
  [...sentence.matchAll(markerPattern)].flatMap(([marker]) => (marker.match(/\d+/g) ?? []).map((number) => Number(number) - 1))

/** Fails if a reply is too long. Its last sentence would be cut off, and can then say the opposite. */
async function* limited(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let length = 0
  for await (const part of parts) {
    length += part.length
    if (length > maxAnswerLength) throw new ChatError(`The reply of the chat model is longer than ${maxAnswerLength} characters.`)
    yield part
  }
}
