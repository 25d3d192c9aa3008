import type { FontSet } from './font-set.ts'
import type { FontFamily } from './fonts.ts'
import { breakablePieces, cleanText, directionOf, keepsMarks, languageOf, type LayoutLine } from './layout-text.ts'
import { describeCharacters } from './missing-characters.ts'
import type { OfferDocument, OfferLine } from './offer-document.ts'

const defaultColor = '#1f3a5f'
const replacement = '\ufffd'
/** Characters that the layout adds. */
const generated = `0123456789${replacement}`

export interface Layout {
  /** JSON for the layout. */
  readonly data: string
  /** Images by absolute path. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly warnings: readonly string[]
}

/** Converts a document to the data of the layout (offer.typ), and selects its fonts. */
export function layoutOf(document: OfferDocument, fonts: FontSet): Layout {
  const texts = textsOf(document)
  const languages = new Set(texts.map((text) => languageOf(text, document.language)))
  const { families, missing, absentPackages } = fonts.choose(new Set(`${generated}${texts.join('')}`), languages)
  const characters = [...missing].toSorted()
  const text = (value: string, maxWord = longestWord.column): LayoutLine[] => layoutText(value, { document, families, missing, maxWord })
  const small = (value: string): LayoutLine[] => text(value)
  const optional = (value: string | null): LayoutLine[] | null => (value === null ? null : text(value))
  const wide = (value: string): LayoutLine[] => text(value, longestWord.wide)
  const cell = (value: string): LayoutLine[] => text(value, longestDescription(document))
  const number = (value: string | null): LayoutLine[] | null => (value === null ? null : text(value, Infinity))
  const files = new Map<string, Uint8Array>()
  const [beforePage = '', betweenPages = '', afterPages = ''] = document.labels.page.split(/\{pages?\}/)
  const { labels } = document
  const data = {
    language: document.language,
    rtl: document.direction === 'rtl',
    fonts: families.map(({ name }) => name),
    color: document.seller.color ?? defaultColor,
    date: dateParts(document.date),
    title: cleanText(document.title),
    author: cleanText(document.seller.name),
    heading: text(document.heading, longestWord.heading),
    kind: text(document.kind),
    seller: { name: text(document.seller.name, longestWord.heading), details: document.seller.details.map(small) },
    recipient: { name: text(document.recipient.name), details: document.recipient.details.map(small) },
    facts: document.facts.map(({ label, value }) => ({ label: text(label), value: text(value) })),
    notice: optional(document.notice),
    message: document.message === null ? null : wide(document.message),
    lines: document.lines.map((line) => ({
      description: cell(line.description),
      details: line.details.map(cell),
      quantity: number(line.quantity),
      unitPrice: number(line.unitPrice),
      tax: line.tax === null ? null : text(line.tax, longestWord.tax),
      total: number(line.total),
      optional: line.optional,
    })),
    totals: document.totals.map((total) => ({ ...total, label: text(total.label, longestWord.heading), amount: number(total.amount) })),
    sections: document.sections.map((section) => ({ title: text(section.title), text: wide(section.text) })),
    signatures: document.signatures.map((signature, at) => {
      const path = `/drawing-${at}.svg`
      if (signature.drawing !== null) files.set(path, Buffer.from(signature.drawing))
      return {
        name: text(signature.name, longestWord.heading),
        drawing: signature.drawing === null ? null : { path, alt: cleanText(signature.name) },
        details: signature.details.map(small),
        wording: optional(signature.wording),
      }
    }),
    footer: wide(document.footer),
    page: [beforePage, betweenPages, afterPages],
    warning:
      characters.length === 0
        ? null
        : text(labels.missingCharacters.replace('{characters}', () => describeCharacters(characters, document.language))),
    attachments: document.attachments,
    labels: {
      recipient: text(labels.recipient),
      description: text(labels.description),
      quantity: text(labels.quantity),
      unitPrice: text(labels.unitPrice),
      tax: text(labels.tax),
      total: text(labels.total),
      signatures: text(labels.signatures),
    },
  }
  return { data: JSON.stringify(data), files, warnings: warningsOf(characters, absentPackages) }
}

/** Returns all text that is shown. */
function textsOf({ attachments: _attachments, signatures, ...document }: OfferDocument): string[] {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(cleanText(value))
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  collect({ ...document, signatures: signatures.map((signature) => ({ ...signature, drawing: null })) })
  return texts
}

/** Lengths above which a word may break every few characters, by the narrowest place of the kind, for wide letters. */
const longestWord = { tax: 8, heading: 24, column: 30, wide: 50 }

/** The columns of numbers are as wide as their content, and the descriptions get the rest of about 85 characters. */
function longestDescription({ lines }: OfferDocument): number {
  const widest = (lengthOf: (line: OfferLine) => number): number => Math.max(0, ...lines.map(lengthOf))
  const numbers = widest((line) => line.quantity?.length ?? 0) + widest((line) => line.unitPrice?.length ?? 0)
  const others =
    widest((line) => line.total.length) +
    Math.min(
      12,
      widest((line) => line.tax?.length ?? 0),
    )
  return Math.max(10, Math.min(40, Math.floor((75 - numbers - others) * 0.7)))
}

interface TextOptions {
  readonly document: OfferDocument
  readonly families: readonly FontFamily[]
  readonly missing: ReadonlySet<string>
  readonly maxWord: number
}

function layoutText(value: string, { document, families, missing, maxWord }: TextOptions): LayoutLine[] {
  return cleanText(value)
    .split('\n')
    .map((line) => {
      const shown = missing.size === 0 ? line : Array.from(line, (each) => (missing.has(each) ? replacement : each)).join('')
      const lang = languageOf(line, document.language)
      return {
        pieces: breakablePieces(shown, maxWord),
        rtl: (directionOf(line) ?? document.direction) === 'rtl',
        lang,
        keepsMarks: keepsMarks(line),
        fonts: inOrder(families, lang).map(({ name }) => name),
      }
    })
}

/** The font of the text's language comes second: before others with the same characters, and after the one of Latin letters. */
function inOrder(families: readonly FontFamily[], language: string): FontFamily[] {
  const [first, ...others] = families
  if (first === undefined) return []
  const isOther = (family: FontFamily): number => Number(family.language !== language)
  return [first, ...others.toSorted((a, b) => isOther(a) - isOther(b))]
}

/** Arguments of Typst's `datetime`, in UTC. */
function dateParts(time: string): Record<string, number> {
  const date = new Date(time)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  }
}

function warningsOf(characters: readonly string[], absentPackages: readonly string[]): string[] {
  if (characters.length === 0) return []
  const install = absentPackages.length === 0 ? '' : ` Packages with more fonts are not installed: ${absentPackages.join(', ')}.`
  return [`The PDF shows ${replacement} for characters that its fonts do not have: ${describeCharacters(characters, 'en')}.${install}`]
}
