import { SourceError } from '../../lib/errors.ts'
import { detectType } from './detect.ts'
import type { ExtractedDocument } from './document.ts'
import { assemble, type Draft, type ExtractInput } from './draft.ts'
import { kinds } from './kinds.ts'

/** Nesting of attached messages. */
const maxDepth = 3

/**
 * Extracts in the current process; the child process runs it. Other callers use `createExtractor`, which limits time and
 * memory.
 * @throws SourceError unsupported_type, corrupt_file, encrypted_file, too_large, empty_content
 */
export async function parseDocument(input: ExtractInput): Promise<ExtractedDocument> {
  const { mediaType, draft } = await parseAs(input, 0)
  return assemble(mediaType, draft, input.language)
}

async function parseAs(input: ExtractInput, depth: number): Promise<{ mediaType: string; draft: Draft }> {
  if (depth > maxDepth) throw new SourceError('too_large', 'It is nested deeper than is read.')
  const mediaType = await detectType(input)
  const kind = kinds[mediaType]
  if (!kind?.parser) throw new SourceError('unsupported_type', `Files of type ${kind?.label ?? mediaType} cannot be read.`)
  const parse = await kind.parser()
  const { ocr, onProgress } = input
  return { mediaType, draft: await parse(input, async (nested) => (await parseAs({ ...nested, ocr, onProgress }, depth + 1)).draft) }
}
