import { SourceError } from '../../lib/errors.ts'
import { detectType } from './detect.ts'
import type { ExtractedDocument } from './document.ts'
import { assemble, type ExtractInput } from './draft.ts'
import { kinds } from './kinds.ts'

/**
 * Extracts in this very process: what the child runs. Everything else goes through `createExtractor`, which bounds time and memory.
 * @throws SourceError unsupported_type, corrupt_file, encrypted_file, too_large, empty_content
 */
export async function parseDocument(input: ExtractInput): Promise<ExtractedDocument> {
  const mediaType = await detectType(input)
  const kind = kinds[mediaType]
  if (!kind?.parser) throw new SourceError('unsupported_type', `Files of type ${kind?.label ?? mediaType} cannot be read.`)
  const parse = await kind.parser()
  return assemble(mediaType, await parse(input))
}
