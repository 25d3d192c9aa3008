import type { Chunk } from './chunk.ts'

/**
 * What an embedder is given for a chunk: the document's title and the headings above it on one line, then its text, in
 * which a table that goes on has its header rows. A heading that the text begins with is not said twice.
 */
export function embeddingText(chunk: Pick<Chunk, 'text' | 'headingPath'>, title?: string): string {
  const context = [...(title ? [title] : []), ...chunk.headingPath].map((part) => part.replace(/\s+/g, ' ').trim()).filter(Boolean)
  const distinct = context.filter((part, position) => part !== context[position - 1])
  const opening = chunk.text.replace(/^[\s#]+/, '')
  const last = distinct.at(-1)
  if (last !== undefined && /^(?:\s|$)/.test(opening.slice(last.length)) && opening.startsWith(last)) distinct.pop()
  return distinct.length > 0 ? `${distinct.join(' > ')}\n\n${chunk.text}` : chunk.text
}
