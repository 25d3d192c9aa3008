import type { ChosenFamily } from './font-set.ts'
import { breakablePieces, cleanText, directionOf, keepsMarks, languageOf, type LayoutLine } from './layout-text.ts'
import type { OfferDocument } from './offer-document.ts'

/** Shown in place of characters that no font has in any form. */
export const replacement = '\ufffd'

/** The language, the direction and the fonts of a document. */
export interface TextStyle {
  readonly document: Pick<OfferDocument, 'language' | 'direction'>
  readonly families: readonly ChosenFamily[]
  /** What is shown in place of characters that no font has. */
  readonly substitutes: ReadonlyMap<string, string>
}

/** @param maxWord length above which a word may break every few characters */
export function layoutText(value: string, style: TextStyle & { readonly maxWord: number }): LayoutLine[] {
  return cleanText(value)
    .split('\n')
    .map((line) => ({ pieces: breakablePieces(shownText(line, style), style.maxWord), ...lineStyle(line, style) }))
}

/** Returns the line with a substitute for each character that no font has. */
export const shownText = (line: string, { substitutes }: TextStyle): string =>
  substitutes.size === 0 ? line : Array.from(line, (each) => substitutes.get(each) ?? each).join('')

/** Returns the properties that all pieces of a line have. */
export function lineStyle(line: string, style: TextStyle): Omit<LayoutLine, 'pieces'> {
  const { document, families } = style
  const lang = languageOf(line, document.language)
  return {
    rtl: (directionOf(line) ?? document.direction) === 'rtl',
    lang,
    keepsMarks: keepsMarks(line),
    fonts: familiesOf(shownText(line, style), families, lang).map(({ name }) => name),
  }
}

/**
 * Returns the families of a line. The first one, of Latin letters, is followed by the one of the line's language and by others that
 * have a character which the first one lacks: Typst sets the text with one family after the other until one has its characters.
 */
function familiesOf(line: string, [first, ...others]: readonly ChosenFamily[], language: string): ChosenFamily[] {
  if (first === undefined) return []
  const foreign = [...new Set(line)].filter((character) => !first.covers(character))
  const isOther = (family: ChosenFamily): number => Number(family.language !== language)
  return [first, ...others.filter(({ covers }) => foreign.some(covers)).toSorted((a, b) => isOther(a) - isOther(b))]
}
