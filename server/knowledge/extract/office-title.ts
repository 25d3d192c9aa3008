import { SourceError } from '../../lib/errors.ts'
import { decodeText } from './decode.ts'
import { isTitle } from './title.ts'
import { find, parseXml, textOf } from './xml.ts'
import { contentOfEntry, readZip } from './zip.ts'

/** Parts with the title: Office Open XML, OpenDocument, EPUB. */
const metadata = /^(?:docProps\/core\.xml|meta\.xml|.*\.opf)$/

/** Returns the title in the metadata of an Office document or a book; null without a plausible one. */
export function officeTitle(bytes: Uint8Array): string | null {
  // Older formats are no archives.
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return null
  try {
    const entry = readZip(bytes).find(({ name }) => metadata.test(name))
    const root = entry && parseXml(decodeText(contentOfEntry(bytes, entry), null) ?? '')
    const title = textOf(find(root, 'title')[0]).trim()
    return isTitle(title) ? title : null
  } catch (error) {
    // The document is read without its metadata; a damaged archive is reported by its parser.
    if (error instanceof SourceError) return null
    throw error
  }
}
