import { createFontSet, type KnownFamily } from './font-set.ts'
import { readFont } from './fonts.ts'
import { freeMemory } from './free-memory.ts'
import { imagePath, layoutOf } from './layout-data.ts'
import type { MemorySnapshot } from './memory-snapshot.ts'
import type { ImageFile } from './messages.ts'
import type { OfferDocument } from './offer-document.ts'
import { openTypst, type Typst } from './typst.ts'
import { warmUpDocument } from './warm-up.ts'

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
  /** Whether another thread has to follow this one, because it has read fonts or its memory has grown. */
  readonly needsReplacement: () => boolean
  /** Removes the last document or image from the memory of Typst. Each one finds the state in which `openRender` left it. */
  readonly reset: () => void
  /** The fonts for a thread that follows this one. */
  readonly knownFonts: () => readonly KnownFamily[]
  readonly memory: Typst['memory']
}

/** Growth of the memory for which it is replaced. Typst cannot reuse memory that a document added. */
const maxGrowthBytes = 24 * 2 ** 20

/** @param known fonts of an earlier thread, which are loaded at once. Without them, the first document needs a replacement. */
export async function openRender(layout: string, module: object, known: readonly KnownFamily[]): Promise<Render> {
  const typst = await openTypst(layout, module)
  const warmedUp: Uint8Array[] = []
  let isWarm = known.length === 0
  let hasRead = false
  const fonts = createFontSet((family, style) => {
    const bytes = readFont(family, style)
    if (bytes === null) return null
    if (isWarm) {
      hasRead = true
      freeMemory()
    } else warmedUp.push(bytes)
    return bytes
  }, known)
  let available = 0

  async function render(document: OfferDocument): Promise<RenderedPdf> {
    const { data, files: images, warnings } = layoutOf(document, fonts)
    const sources = fonts.sources()
    if (sources.length > available) {
      await typst.setFonts(sources)
      available = sources.length
    }
    return { bytes: typst.compile(data, images), warnings }
  }

  async function warmUp(): Promise<MemorySnapshot> {
    await render(warmUpDocument(known))
    const snapshot = typst.snapshot(warmedUp)
    warmedUp.length = 0
    freeMemory()
    isWarm = true
    return snapshot
  }

  // Loads the fonts, and lets Typst cache what all documents need.
  const snapshot = known.length === 0 ? null : await warmUp()
  return {
    render,
    decode({ bytes, mediaType }) {
      typst.decode(imagePath('check', mediaType), bytes)
    },
    needsReplacement: () => snapshot === null || hasRead || snapshot.grownBytes() > maxGrowthBytes,
    reset: () => snapshot?.restore(),
    knownFonts: () => fonts.known(),
    memory: typst.memory,
  }
}
