import type { ParsedPage, TextItem, WordBox } from '@llamaindex/liteparse'
import type { Box } from './pdf-layout-boxes.ts'

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
  /** Position in drawing order. */
  readonly index: number
}

/** Properties that the name of a font tells. */
interface Font {
  readonly name: string
  readonly bold: boolean
  readonly italic: boolean
  readonly monospace: boolean
  readonly isBarcode: boolean
}

const patterns = {
  monospace:
    /mono|courier|consol|typewriter|menlo|fixed|inconsolata|terminal|source ?code|cm(?:sl|i|vt)?tt|sftt|nimbusmon|letter ?gothic|andale/i,
  bold: /bold|black|heavy|semibold|demi|\bcmb|cmbx|sfbx|-bd\b|-b$|medi$/i,
  italic: /ital|obli|slant|cmti|cmsl|cmmi|sfti|-it\b|-i$/i,
  barcode: /bar ?code|code ?(?:128|39)|3 ?of ?9|\bean-?\d|upc|post ?net|qr ?code/i,
}

/** Returns the runs of each page in drawing order, without barcodes and characters of symbol fonts that have no meaning as text. */
export function runsOfPages(pages: readonly ParsedPage[]): Run[][] {
  const measured = monospaceFonts(pages)
  const known = new Map<string, Font>()
  const fontOf = (fontName: string): Font => {
    const font = known.get(fontName) ?? fontNamed(fontName, measured.has(fontName))
    known.set(fontName, font)
    return font
  }
  return pages.map((page) => page.textItems.flatMap((item, index) => runOf(item, index, fontOf(item.fontName ?? ''))))
}

function fontNamed(fontName: string, isMeasured: boolean): Font {
  const name = fontName.replace(/^[A-Z]{6}\+/, '')
  return {
    name,
    bold: patterns.bold.test(name),
    italic: patterns.italic.test(name),
    monospace: isMeasured || patterns.monospace.test(name),
    isBarcode: patterns.barcode.test(name),
  }
}

function runOf(item: TextItem, index: number, font: Font): Run[] {
  const { x, y, width, height, fontWeight = 400, rotation = 0 } = item
  const text = readable(item.text)
  if (text === '' || font.isBarcode) return []
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
      monospace: font.monospace,
      fontName: font.name,
      // Slanted letters have a rotation as well, but their box is flat.
      isRotated: Math.abs(rotation % 360) > 4 && Math.abs(rotation % 360) < 356 && height > 1.5 * size,
      index,
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

/** Returns the names of fonts whose Latin words all have the same width per character. */
function monospaceFonts(pages: readonly ParsedPage[]): Set<string> {
  const widths = new Map<string, number[]>()
  for (const { textItems } of pages)
    for (const { fontName = '', words = [], ...item } of textItems) {
      const known = widths.get(fontName) ?? []
      if (known.length >= 400) continue
      for (const { text, width } of words)
        if (/^[\x21-\x7E]{3,}$/.test(text) && /[a-zA-Z]{3}/.test(text)) known.push(width / text.length / sizeOf(item))
      widths.set(fontName, known)
    }
  return new Set([...widths].filter(([, values]) => isConstant(values)).map(([name]) => name))
}

function isConstant(values: readonly number[]): boolean {
  if (values.length < 12) return false
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.filter((value) => Math.abs(value - mean) < 0.02 * mean).length >= 0.97 * values.length
}
