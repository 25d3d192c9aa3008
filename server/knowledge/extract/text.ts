import { textOf } from './decode.ts'
import type { Draft, ExtractInput } from './draft.ts'

/** Plain text: paragraphs between empty lines, line breaks kept. A form feed is a page's end in old text files, and no more than a break. */
export function extractText({ bytes, contentType }: ExtractInput): Draft {
  const text = textOf(bytes, contentType).replace(/\r\n?/g, '\n')
  return { parts: text.split(/\n[^\S\n]*(?:\n[^\S\n]*)+|\f/).map((paragraph) => ({ kind: 'paragraph', text: paragraph })) }
}
