import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium'
import { cleanLine } from './clean.ts'

/** An entry of a PDF's outline. */
export interface Bookmark {
  readonly title: string
  /** Depth in the outline, from 1. */
  readonly level: number
  /** Page that the bookmark leads to, from 1; null if it leads to none. */
  readonly page: number | null
  /** Position on that page in points from its lower edge; null if the bookmark leads to the page as a whole. */
  readonly y: number | null
}

export interface PdfOutline {
  /** The title of the metadata as it is written there, often the name of a file or a program; null if there is none. */
  readonly title: string | null
  /** In the order of the outline. */
  readonly bookmarks: readonly Bookmark[]
}

const limits = { bookmarks: 20_000, depth: 32, titleBytes: 8_192 }

/** Returns the bookmarks and the title of a PDF, by PDFium; none of both if PDFium cannot open the file. */
export async function readOutline(bytes: Uint8Array): Promise<PdfOutline> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(bytes)
    const outline = outlineOf(document)
    document.destroy()
    return outline
  } catch {
    // The layout stage reports unreadable files.
    return { title: null, bookmarks: [] }
  } finally {
    library.destroy()
  }
}

function outlineOf(document: PDFiumDocument): PdfOutline {
  const { handle, call, bytesOf, textOf } = functionsOf(document)
  const bookmarks: Bookmark[] = []
  const seen = new Set<number>()
  const visit = (parent: number, level: number): void => {
    let bookmark = call('FPDFBookmark_GetFirstChild', handle, parent)
    // A damaged outline can lead in a circle.
    while (bookmark !== 0 && !seen.has(bookmark) && bookmarks.length < limits.bookmarks) {
      const entry = bookmark
      seen.add(entry)
      const title = textOf((buffer, length) => call('FPDFBookmark_GetTitle', entry, buffer, length))
      bookmarks.push({ title: cleanLine(title), level, ...placeOf(call('FPDFBookmark_GetDest', handle, entry)) })
      if (level < limits.depth) visit(entry, level + 1)
      bookmark = call('FPDFBookmark_GetNextSibling', handle, entry)
    }
  }
  const placeOf = (destination: number): Pick<Bookmark, 'page' | 'y'> => {
    const page = destination === 0 ? -1 : call('FPDFDest_GetDestPageIndex', handle, destination)
    if (page < 0) return { page: null, y: null }
    // Three flags (has x, y, zoom), then the three values.
    const location = new DataView(
      bytesOf(24, (at) => call('FPDFDest_GetLocationInPage', destination, at, at + 4, at + 8, at + 12, at + 16, at + 20)),
    )
    return { page: page + 1, y: location.getInt32(4, true) === 1 ? location.getFloat32(16, true) : null }
  }
  visit(0, 1)
  return { title: cleanLine(metadataOf(document, 'Title')) || null, bookmarks }
}

function metadataOf(document: PDFiumDocument, key: string): string {
  const { handle, call, textOf, withBytes } = functionsOf(document)
  return withBytes(Buffer.from(`${key}\0`), (name) => textOf((buffer, length) => call('FPDF_GetMetaText', handle, name, buffer, length)))
}

/** Returns the document handle and PDFium's functions (fpdf_doc.h), which version 2.1.13 of the wrapper keeps in private fields. */
function functionsOf(document: object) {
  const { module, documentIdx } = document as {
    readonly documentIdx: number
    readonly module: {
      readonly HEAPU8: Uint8Array
      readonly wasmExports: { readonly malloc: (bytes: number) => number; readonly free: (pointer: number) => void }
      readonly [name: `_${string}`]: (...values: number[]) => number
    }
  }
  const { malloc, free } = module.wasmExports
  const withBytes = <T>(bytes: Uint8Array, use: (at: number) => T): T => {
    const at = malloc(bytes.length)
    module.HEAPU8.set(bytes, at)
    try {
      return use(at)
    } finally {
      free(at)
    }
  }
  /** Returns the bytes that a function writes. */
  const bytesOf = (length: number, write: (at: number) => unknown): ArrayBuffer =>
    withBytes(new Uint8Array(length), (at) => {
      write(at)
      return module.HEAPU8.slice(at, at + length).buffer
    })
  return {
    handle: documentIdx,
    call: (name: string, ...values: number[]): number => module[`_${name}`]?.(...values) ?? 0,
    withBytes,
    bytesOf,
    /** Returns the UTF-16LE text of a function that returns its length in bytes and writes it if the buffer is long enough. */
    textOf: (write: (buffer: number, length: number) => number): string => {
      const length = Math.min(write(0, 0), limits.titleBytes)
      if (length <= 0) return ''
      return Buffer.from(bytesOf(length, (buffer) => write(buffer, length)))
        .toString('utf16le')
        .replace(/\0+$/, '')
    },
  }
}
