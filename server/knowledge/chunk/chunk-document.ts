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
import { tokenDensity } from './token-density.ts'
import { toUnits, type Unit } from './units.ts'

/**
 * Divides a document into chunks. The same input gives the same chunks. Their spans cover all text except white space, and
 * `countTokens(chunk.text)` never exceeds `settings.size`.
 *
 * - `semantic`: cuts where structure and vocabulary change and aims for 0.23 of `size`, the length with the best retrieval
 *   results; only passages that are better kept whole grow up to `size` (see `semanticDivision`). `overlap`: a chunk that
 *   begins inside a paragraph repeats the preceding sentences that fit.
 * - `sentence`: packs whole sentences up to `size`, regardless of structure. `overlap`: repeats the last sentences of the
 *   previous chunk that fit, within a section.
 * - `fixed`: `size` tokens, cut between words, regardless of structure; table headers are not repeated. `overlap`: repeats the
 *   last tokens of the previous chunk, from the start of a word.
 * - `markdown`: one chunk for each section, with tiny adjacent sections merged; a longer section is cut between paragraphs, a
 *   longer paragraph between sentences. `overlap` as with `semantic`.
 *
 * All strategies except `fixed` keep tables, code blocks, rows, lines and sentences whole if they fit `size`. A table that
 * continues in another chunk repeats its header rows, unless they take more than a third of `size`.
 * @returns the chunks in document order; none for a document without text
 */
export async function chunkDocument(document: ExtractedDocument, settings: ChunkingSettings): Promise<Chunk[]> {
  const { text } = document
  const tokens = indexTokens(text)
  if (settings.strategy === 'fixed') return describePassages(document, fixedPassages(text, tokens, settings))
  // Takes a second for some megabytes: lets requests run between its stages.
  await setImmediate()
  const units = toUnits(document, tokens, settings.size)
  await setImmediate()
  const passages = divided(document, units, settings).map((range) => toPassage(units, range))
  await setImmediate()
  return describePassages(
    document,
    passages.flatMap((passage) => bounded(text, tokens, passage, settings.size)),
  )
}

function divided({ text, language }: ExtractedDocument, units: readonly Unit[], settings: ChunkingSettings): Division {
  switch (settings.strategy) {
    case 'sentence':
      return sentenceDivision(units, settings)
    case 'markdown':
      return markdownDivision(units, settings)
    default:
      return semanticDivision(text, units, settings, tokenDensity(text, language, units))
  }
}
