import { PDFiumLibrary } from '@hyzyla/pdfium'
import { makePdf, type MadePage } from './make-pdf.ts'

/** Returns lines of text as a picture of a page, as a scanner makes it. */
export async function scannedPage(lines: readonly string[]): Promise<MadePage> {
  const library = await PDFiumLibrary.init()
  const drawn = await library.loadDocument(makePdf([lines]))
  const { data, width, height } = await drawn.getPage(0).render({ scale: 2, render: 'bitmap' })
  const gray = Uint8Array.from({ length: width * height }, (_, at) => data[at * 4] ?? 255)
  library.destroy()
  return { width, height, gray }
}
