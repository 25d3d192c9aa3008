import { setImmediate } from 'node:timers/promises'
import type { ExtractedDocument } from '../extract/document.ts'
import type { Chunk, ChunkingSettings } from './chunk.ts'
import { describePassages } from './describe.ts'
import type { Division } from './divide.ts'
import { fixedPassages } from './fixed.ts'
import { markdownDivision } from './markdown.ts'
import { bounded, toPassage } from './passage.ts'
import { semanticDivision } from './semantic.ts'
import { sentenceDivision } from './sentence.ts'
import { indexTokens } from './tokens.ts'
import { toUnits, type Unit } from './units.ts'

/**
 * Divides a document into retrievable passages. The same input gives the same chunks; their spans together hold all of
 * the text but white space, and `countTokens(chunk.text)` never exceeds `settings.size`.
 *
 * - `semantic`: cut where structure and vocabulary change, towards 0.23 of `size`, at which passages are found best; only
 *   what is better not cut grows up to `size` (see `semanticDivision`). `overlap`: a chunk that begins inside a paragraph
 *   repeats the sentences before it that fit in so many tokens.
 * - `sentence`: as many whole sentences as `size` holds, whatever the structure. `overlap`: the last sentences of the
 *   chunk before that fit in so many tokens, within a section.
 * - `fixed`: `size` tokens, cut between words, whatever the structure; no table header is repeated. `overlap`: the last
 *   tokens of the chunk before, from the start of a word.
 * - `markdown`: a chunk for each section, tiny neighbours together; a longer section is cut between paragraphs, a longer
 *   paragraph between sentences. `overlap` as with `semantic`.
 *
 * All but `fixed` keep whole what fits `size`: a table, a code block, a row, a line, a sentence. Where a table goes on in
 * another chunk, its header rows are repeated unless they take more than a third of `size`.
 * @returns in order of the text; none for a document without text
 */
export async function chunkDocument(document: ExtractedDocument, settings: ChunkingSettings): Promise<Chunk[]> {
  const { text } = document
  const tokens = indexTokens(text)
  if (settings.strategy === 'fixed') return describePassages(document, fixedPassages(text, tokens, settings))
  // A second's work on some megabytes: between its stages, requests have their turn.
  await setImmediate()
  const units = toUnits(document, tokens, settings.size)
  await setImmediate()
  const passages = divided(text, units, settings).map((range) => toPassage(units, range))
  await setImmediate()
  return describePassages(
    document,
    passages.flatMap((passage) => bounded(text, tokens, passage, settings.size)),
  )
}

function divided(text: string, units: readonly Unit[], settings: ChunkingSettings): Division {
  switch (settings.strategy) {
    case 'sentence':
      return sentenceDivision(units, settings)
    case 'markdown':
      return markdownDivision(units, settings)
    default:
      return semanticDivision(text, units, settings)
  }
}
