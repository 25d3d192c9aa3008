import { createFontSet } from './font-set.ts'
import { layoutOf } from './layout-data.ts'
import type { OfferDocument } from './offer-document.ts'
import { openTypst } from './typst.ts'

export interface RenderedPdf {
  readonly bytes: Uint8Array
  /** Sentences about text that the PDF cannot show. */
  readonly warnings: readonly string[]
}

/** Returns a function that renders documents, one at a time. */
export async function openRender(layout: string, module: object): Promise<(document: OfferDocument) => Promise<RenderedPdf>> {
  const typst = await openTypst(layout, module)
  const fonts = createFontSet()
  let available = 0
  return async (document) => {
    const { data, files, warnings } = layoutOf(document, fonts)
    const sources = fonts.sources()
    if (sources.length > available) {
      await typst.setFonts(sources)
      available = sources.length
    }
    return { bytes: typst.compile(data, files), warnings }
  }
}
