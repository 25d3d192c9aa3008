import { createFontSet } from './font-set.ts'
import { imagePath, layoutOf } from './layout-data.ts'
import type { ImageFile } from './messages.ts'
import type { OfferDocument } from './offer-document.ts'
import { openTypst } from './typst.ts'

export interface RenderedPdf {
  readonly bytes: Uint8Array
  /** Sentences about text that the PDF cannot show. */
  readonly warnings: readonly string[]
}

/** Functions of the renderer thread, one at a time. */
export interface Render {
  readonly render: (document: OfferDocument) => Promise<RenderedPdf>
  /** @throws Error if the image cannot be decoded */
  readonly decode: (image: ImageFile) => void
}

export async function openRender(layout: string, module: object): Promise<Render> {
  const typst = await openTypst(layout, module)
  const fonts = createFontSet()
  let available = 0
  return {
    async render(document) {
      const { data, files, warnings } = layoutOf(document, fonts)
      const sources = fonts.sources()
      if (sources.length > available) {
        await typst.setFonts(sources)
        available = sources.length
      }
      return { bytes: typst.compile(data, files), warnings }
    },
    decode({ bytes, mediaType }) {
      typst.decode(imagePath('check', mediaType), bytes)
    },
  }
}
