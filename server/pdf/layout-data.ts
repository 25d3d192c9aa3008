import type { FontSet } from './font-set.ts'
import { layoutBlocks } from './layout-blocks.ts'
import { layoutText, replacement } from './layout-lines.ts'
import { cleanText, languageOf, type LayoutLine } from './layout-text.ts'
import { describeCharacters } from './missing-characters.ts'
import type { ImageFile } from './messages.ts'
import type { OfferDocument, OfferImage, OfferLine } from './offer-document.ts'

const defaultColor = '#1f3a5f'
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
  const { families, substitutes, absentPackages } = choose(fonts, `${generated}${texts.join('')}`, languages)
  const characters = [...substitutes].flatMap(([character, shown]) => (shown === replacement ? [character] : [])).toSorted()
  const style = { document, families, substitutes }
  const text = (value: string, maxWord = longestWord.column): LayoutLine[] => layoutText(value, { ...style, maxWord })
  const small = (value: string): LayoutLine[] => text(value)
  const optional = (value: string | null): LayoutLine[] | null => (value === null ? null : text(value))
  const wide = (value: string): LayoutLine[] => text(value, longestWord.wide)
  const cell = (value: string): LayoutLine[] => text(value, longestDescription(document))
  const number = (value: string | null): LayoutLine[] | null => (value === null ? null : text(value, Infinity))
  const files = new Map<string, Uint8Array>()
  const image = (name: string, { bytes, mediaType, alt, ...pixels }: OfferImage, space: Space): LayoutImage => {
    const path = imagePath(name, mediaType)
    files.set(path, bytes)
    return { path, alt: cleanText(alt), width: shownWidth(pixels, space) }
  }
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
    seller: {
      name: text(document.seller.name, longestWord.heading),
      details: document.seller.details.map(small),
      logo: document.seller.logo && image('logo', document.seller.logo, logoSpace),
    },
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
    sections: document.sections.map((section, at) => {
      if (section.type === 'items') return section
      if (section.type === 'image') return { type: 'image', ...image(`section-${at}`, section.image, sectionSpace) }
      if (section.type === 'attachment') return { ...section, title: text(section.title), name: wide(section.name) }
      return { ...section, title: section.title === null ? null : text(section.title), blocks: layoutBlocks(section.blocks, style) }
    }),
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
    attachments: document.attachments.map(({ content, ...attachment }, at) => {
      const path = `/attachment-${at}`
      files.set(path, Buffer.from(content))
      return { ...attachment, path }
    }),
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

/**
 * Selects the fonts of a text. A character that they lack is shown in its plain form if they have that (Unicode NFKC): the fonts have
 * few of the full-width, half-width and mathematical forms of letters and digits.
 */
function choose(fonts: FontSet, text: string, languages: ReadonlySet<string>) {
  const first = fonts.choose(new Set(text), languages)
  const plain = new Map([...first.missing].map((character) => [character, character.normalize('NFKC')]))
  const { families, missing, absentPackages } =
    plain.size === 0 ? first : fonts.choose(new Set(text + [...plain.values()].join('')), languages)
  const isMissing = (form: string): boolean => Array.from(form).some((character) => missing.has(character))
  const substitutes = new Map([...plain].map(([character, form]) => [character, isMissing(form) ? replacement : form]))
  return { families, substitutes, absentPackages }
}

interface LayoutImage {
  readonly path: string
  readonly alt: string
  /** In millimeters. */
  readonly width: number
}

/** Path of an image for the layout; its extension is that of its format. */
export const imagePath = (name: string, mediaType: ImageFile['mediaType']): string =>
  `/${name}.${mediaType === 'image/png' ? 'png' : 'jpg'}`

/** In millimeters. */
interface Space {
  readonly width: number
  readonly height: number
}
const sectionSpace: Space = { width: 170, height: 200 }
const logoSpace: Space = { width: 60, height: 18 }
const pixelsPerMm = 150 / 25.4

/** Returns the width of an image in millimeters: at most 150 pixels per inch, and within the space. */
const shownWidth = ({ width, height }: { width: number; height: number }, space: Space): number =>
  Math.min(width / pixelsPerMm, space.width, (space.height * width) / height)

/** Returns all text that is shown. */
function textsOf({ attachments: _attachments, signatures, ...document }: OfferDocument): string[] {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(cleanText(value))
    else if (value instanceof Uint8Array) return
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
