import { SourceError } from '../../lib/errors.ts'

/**
 * Limits of a document. 64 million characters are a table of a million rows with five columns, or 20,000 pages. The parser holds the
 * text a few times while it joins and sends it, which fits its gigabyte.
 */
export const documentLimits = { characters: 64 * 2 ** 20, blocks: 1_000_000 }

/** Returns the error for a text with more than `documentLimits.characters`. */
export function tooMuchText(): SourceError {
  return new SourceError(
    'too_large',
    `The document has more than ${documentLimits.characters / 2 ** 20} MB of text, the maximum. Split it.`,
  )
}
