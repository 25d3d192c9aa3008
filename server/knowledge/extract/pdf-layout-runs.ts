import type { ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import { median, type Box } from './pdf-layout-boxes.ts'

export interface Word extends Box {
  readonly text: string
}

/** A piece of a line in one font, as drawn. */
export interface Run extends Box {
  readonly text: string
  /** As liteparse returns them; `wordsOf` converts them. */
  readonly boxes: readonly WordBox[]
  readonly fontSize: number
  readonly bold: boolean
  readonly italic: boolean
  readonly monospace: boolean
  readonly fontName: string
  readonly isRotated: boolean
}

/** Properties that the name of a font tells. */
interface Font {
  readonly name: string
  readonly bold: boolean
  readonly italic: boolean
  readonly monospace: boolean
  /** True for barcodes, TeX's pieces of lines and circles, and fonts without a character map, which yield control characters. */
  readonly isUnreadable: boolean
}

const patterns = {
  monospace:
    /mono|courier|consol|typewriter|menlo|fixed|inconsolata|terminal|source ?code|cm(?:sl|i|vt)?tt|sftt|nimbusmon|letter ?gothic|andale/i,
  bold: /bold|black|heavy|semibold|demi|\bcmb|cmbx|sfbx|-bd\b|-b$|medi$/i,
  italic: /ital|obli|slant|cmti|cmsl|cmmi|sfti|-it\b|-i$/i,
  barcode: /bar ?code|code ?(?:128|39)|3 ?of ?9|\bean-?\d|upc|post ?net|qr ?code/i,
  drawing: /^l(?:circle|ine)w?\d*$/i,
}

/** Returns the runs of each page from top to bottom, without barcodes and characters of symbol fonts that have no meaning as text. */
export function runsOfPages(pages: readonly ParsedPage[]): Run[][] {
  const measured = measuredFonts(pages)
  const unmapped = unmappedFonts(pages)
  const known = new Map<string, Font>()
  const fontOf = (fontName: string): Font => {
    const font = known.get(fontName) ?? fontNamed(fontName, measured.get(fontName), unmapped.has(fontName))
    known.set(fontName, font)
    return font
  }
  return pages.map((page) => page.textItems.flatMap((item) => runOf(item, fontOf(item.fontName ?? ''))))
}

function fontNamed(fontName: string, isConstantWidth: boolean | undefined, hasNoCharacters: boolean): Font {
  const name = fontName.replace(/^[A-Z]{6}\+/, '')
  return {
    name,
    bold: patterns.bold.test(name),
    italic: patterns.italic.test(name),
    monospace: isConstantWidth ?? patterns.monospace.test(name),
    isUnreadable: hasNoCharacters || patterns.barcode.test(name) || patterns.drawing.test(name),
  }
}

function runOf(item: TextItem, font: Font): Run[] {
  const { x, y, width, height, fontWeight = 400, rotation = 0 } = item
  const text = readable(item.text)
  if (text === '' || font.isUnreadable) return []
  const size = sizeOf(item)
  const box = { left: x, top: y, right: x + width, bottom: y + height }
  return [
    {
      ...box,
      text,
      boxes: item.words ?? [],
      fontSize: size,
      bold: font.bold || fontWeight >= 600,
      italic: font.italic,
      monospace: font.monospace && hasConstantWidth(item),
      fontName: font.name,
      // Slanted letters have a rotation as well, but their box is flat.
      isRotated: Math.abs(rotation % 360) > 4 && Math.abs(rotation % 360) < 356 && height > 1.5 * size,
    },
  ]
}

/** Returns the words of a run, or the whole run if they are not known. */
export function wordsOf(run: Run): Word[] {
  if (run.boxes.length === 0) return [run]
  return run.boxes.flatMap((word) => {
    const text = readable(word.text)
    return text ? [{ text, left: word.x, top: word.y, right: word.x + word.width, bottom: word.y + word.height }] : []
  })
}

/** The font of a run is that of its first character: a sentence that begins with code is not in monospace. */
function hasConstantWidth({ words = [] }: TextItem): boolean {
  const widths = words.filter(({ text }) => /^[\x21-\x7E]{2,}$/.test(text)).map(({ text, width }) => width / text.length)
  if (widths.length < 3) return true
  const middle = median(widths)
  return widths.filter((width) => Math.abs(width - middle) < 0.06 * middle).length >= 0.8 * widths.length
}

/** Font sizes without the scale of the text matrix are often 1. */
function sizeOf({ fontHeight = 0, fontSize = 0, height }: TextItem): number {
  const size = fontHeight > 1 ? fontHeight : fontSize > 1 ? fontSize : height * 0.85
  return Math.round(size * 10) / 10
}

/** A symbol of a private font that begins a text is a bullet; other such characters have no meaning. */
function readable(text: string): string {
  if (/^[\x20-\uD7FF]*$/.test(text)) return text.trim()
  return text
    .replace(/^[\u{E000}-\u{F8FF}\u{F0000}-\u{10FFFF}](?=\s|$)/u, '•')
    .replace(/[\u{E000}-\u{F8FF}\u{F0000}-\u{10FFFF}]+/gu, '')
    .trim()
}

/**
 * Returns, by font, whether its Latin words all have the same width per character; nothing for a font with few words. Only the
 * first word of an item is known to be in its font, and punctuation at its end may be in the font of the sentence.
 */
function measuredFonts(pages: readonly ParsedPage[]): Map<string, boolean> {
  const widths = new Map<string, number[]>()
  for (const { textItems } of pages)
    for (const { fontName = '', words = [], ...item } of textItems) {
      const known = widths.get(fontName) ?? []
      const [first] = words
      if (!first || known.length >= 400 || !/^[\x21-\x7E]*[a-zA-Z]{3}[\x21-\x7E]*(?<=\w)$/.test(first.text)) continue
      known.push(first.width / first.text.length / sizeOf(item))
      widths.set(fontName, known)
    }
  return new Map([...widths].flatMap(([name, values]) => (values.length < 12 ? [] : [[name, isConstant(values)] as const])))
}

/** Returns the names of fonts of which at least three items and a third of all have control characters. */
function unmappedFonts(pages: readonly ParsedPage[]): Set<string> {
  const counts = new Map<string, { all: number; controls: number }>()
  for (const { textItems } of pages)
    for (const { fontName = '', text } of textItems) {
      const count = counts.get(fontName) ?? { all: 0, controls: 0 }
      count.all++
      // oxlint-disable-next-line no-control-regex
      if (/[\u0001-\u0008\u000E-\u001F]/.test(text)) count.controls++
      counts.set(fontName, count)
    }
  return new Set([...counts].filter(([, { all, controls }]) => controls > 2 && controls > all / 3).map(([name]) => name))
}

function isConstant(values: readonly number[]): boolean {
  const middle = median(values)
  return values.filter((value) => Math.abs(value - middle) < 0.03 * middle).length >= 0.9 * values.length
}
