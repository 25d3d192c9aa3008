import { PDFiumLibrary } from '@hyzyla/pdfium'
import { inflateSync } from 'node:zlib'

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

/** Returns the embedded files of a PDF, in the order of the file. */
export function pdfAttachments(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('latin1')
  return [...text.matchAll(/<<(?:(?!endobj)[^])*?\/Type \/EmbeddedFile(?:(?!endobj)[^])*?stream\r?\n/g)].map((match) => {
    const content = bytes.subarray(match.index + match[0].length)
    return match[0].includes('/FlateDecode')
      ? inflateSync(content).toString()
      : Buffer.from(content.subarray(0, lengthOf(match[0]))).toString()
  })
}

const lengthOf = (dictionary: string): number => Number(/\/Length (\d+)/.exec(dictionary)?.[1])
