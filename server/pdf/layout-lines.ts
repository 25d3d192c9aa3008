import type { FontFamily } from './fonts.ts'
import { breakablePieces, cleanText, directionOf, keepsMarks, languageOf, type LayoutLine } from './layout-text.ts'
import type { OfferDocument } from './offer-document.ts'

/** Shown in place of characters that no font has. */
export const replacement = '\ufffd'

/** The language, the direction and the fonts of a document. */
export interface TextStyle {
  readonly document: Pick<OfferDocument, 'language' | 'direction'>
  readonly families: readonly FontFamily[]
  /** Characters that no font has. */
  readonly missing: ReadonlySet<string>
}

/** @param maxWord length above which a word may break every few characters */
export function layoutText(value: string, style: TextStyle & { readonly maxWord: number }): LayoutLine[] {
  return cleanText(value)
    .split('\n')
    .map((line) => ({ pieces: breakablePieces(shownText(line, style), style.maxWord), ...lineStyle(line, style) }))
}

/** Returns the line with a replacement for each missing character. */
export const shownText = (line: string, { missing }: TextStyle): string =>
  missing.size === 0 ? line : Array.from(line, (each) => (missing.has(each) ? replacement : each)).join('')

/** Returns the properties that all pieces of a line have. */
export function lineStyle(line: string, { document, families }: TextStyle): Omit<LayoutLine, 'pieces'> {
  const lang = languageOf(line, document.language)
  return {
    rtl: (directionOf(line) ?? document.direction) === 'rtl',
    lang,
    keepsMarks: keepsMarks(line),
    fonts: inOrder(families, lang).map(({ name }) => name),
  }
}

/** The font of the text's language comes second: before others with the same characters, and after the one of Latin letters. */
function inOrder(families: readonly FontFamily[], language: string): FontFamily[] {
  const [first, ...others] = families
  if (first === undefined) return []
  const isOther = (family: FontFamily): number => Number(family.language !== language)
  return [first, ...others.toSorted((a, b) => isOther(a) - isOther(b))]
}
