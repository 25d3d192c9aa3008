import { PDFiumLibrary } from '@hyzyla/pdfium'

/** Returns the text of each page of a PDF in reading order. */
export async function pdfText(bytes: Uint8Array): Promise<string[]> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(bytes)
  try {
    return [...document.pages()].map((page) => page.getText().replaceAll('\r\n', '\n'))
  } finally {
    document.destroy()
    library.destroy()
  }
}
