import type { Chunk } from './chunk.ts'

/**
 * Returns the text to embed for a chunk: the document title and the headings on one line, then the text, including repeated
 * table headers. A heading that begins the text is not repeated.
 */
export function embeddingText(chunk: Pick<Chunk, 'text' | 'headingPath'>, title?: string): string {
  const context = [...(title ? [title] : []), ...chunk.headingPath].map((part) => part.replace(/\s+/g, ' ').trim()).filter(Boolean)
  const distinct = context.filter((part, position) => part !== context[position - 1])
  const opening = chunk.text.replace(/^[\s#]+/, '')
  const last = distinct.at(-1)
  if (last !== undefined && /^(?:\s|$)/.test(opening.slice(last.length)) && opening.startsWith(last)) distinct.pop()
  return distinct.length > 0 ? `${distinct.join(' > ')}\n\n${chunk.text}` : chunk.text
}
