import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium'
import { SourceError } from '../../lib/errors.ts'

/** A line of a page. Coordinates are points from the lower left corner. */
export interface PdfLine {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

interface Character {
  readonly text: string
  readonly box: readonly [left: number, right: number, bottom: number, top: number]
}

/**
 * Returns the lines of pages (from 1) in drawing order, by PDFium: correct if it is the reading order, with right-to-left words
 * in logical order.
 */
export async function readPdfLines(bytes: Uint8Array, pages: readonly number[]): Promise<Map<number, PdfLine[]>> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(bytes).catch((cause: unknown) => {
      throw new SourceError('corrupt_file', 'The PDF is damaged and cannot be read.', { cause })
    })
    const lines = new Map(pages.map((page) => [page, linesOf(charactersOf(document, page - 1))]))
    document.destroy()
    return lines
  } finally {
    library.destroy()
  }
}

function charactersOf(document: PDFiumDocument, index: number): Character[] {
  const { page, call, memory, allocate, free } = internals(document.getPage(index))
  const text = call('FPDFText_LoadPage', page)
  const box = allocate(32)
  const characters = Array.from({ length: Math.max(0, call('FPDFText_CountChars', text)) }, (_, at): Character => {
    call('FPDFText_GetCharBox', text, at, box, box + 8, box + 16, box + 24)
    const [left = 0, right = 0, bottom = 0, top = 0] = new Float64Array(memory().slice(box, box + 32).buffer)
    return { text: characterOf(call('FPDFText_GetUnicode', text, at)), box: [left, right, bottom, top] }
  })
  free(box)
  call('FPDFText_ClosePage', text)
  return characters
}

function characterOf(code: number): string {
  return code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code)
}

/** Returns the page handle and PDFium's functions (fpdf_text.h), which version 2.1.13 of the wrapper keeps in private fields. */
function internals(object: object) {
  const { module, pageIdx } = object as {
    readonly pageIdx: number
    readonly module: {
      readonly HEAPU8: Uint8Array
      readonly wasmExports: { malloc(bytes: number): number; free(pointer: number): void }
      readonly [name: `_${string}`]: (...values: number[]) => number
    }
  }
  return {
    page: pageIdx,
    call: (name: string, ...values: number[]): number => module[`_${name}`]?.(...values) ?? 0,
    // The buffer is replaced when it grows.
    memory: () => module.HEAPU8,
    allocate: (bytes: number) => module.wasmExports.malloc(bytes),
    free: (pointer: number) => module.wasmExports.free(pointer),
  }
}

function linesOf(characters: readonly Character[]): PdfLine[] {
  const lines: PdfLine[] = []
  let line: Character[] = []
  const end = (): void => {
    const inked = line.filter(({ text, box: [left, right] }) => text.trim() && right > left)
    if (inked.length > 0) {
      lines.push({
        text: lineText(line),
        left: Math.min(...inked.map(({ box }) => box[0])),
        right: Math.max(...inked.map(({ box }) => box[1])),
        bottom: Math.min(...inked.map(({ box }) => box[2])),
        top: Math.max(...inked.map(({ box }) => box[3])),
      })
    }
    line = []
  }
  for (const character of characters) {
    if (character.text === '\n') end()
    else if (character.text !== '\r') line.push(character)
  }
  end()
  return lines
}

/** Restores the order of lam-alef ligatures, which are reversed as one letter, and of marks, which precede their letter. */
function lineText(line: readonly Character[]): string {
  const texts = line.map(({ text }) => text)
  line.forEach(({ text, box }, at) => {
    const before = line[at - 1]
    if (text === '\u0644' && before && /[اأإآ]/.test(before.text) && before.box.every((edge, side) => edge === box[side])) {
      texts[at - 1] = text
      texts[at] = before.text
    }
  })
  return texts
    .join('')
    .replace(/ ?([\u064B-\u0652])(\p{Script=Arabic})/gu, (whole, mark: string, letter: string) =>
      whole.startsWith(' ') ? letter + mark : whole,
    )
    .replace(/(?<=[A-Za-z\d])(?=\p{Script=Arabic}\p{L})|(?<=\p{Script=Arabic})(?=[A-Za-z])/gu, ' ')
}
