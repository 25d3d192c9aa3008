import type { Draft, Part } from './draft.ts'
import { htmlParts } from './html-parts.ts'
import { all, at, find, isElement, textOf, type XmlElement } from './xml.ts'

/**
 * Extracts RSS 0.9 to 2.0 and Atom (RFC 4287): the title and description of the feed, then its entries, each under its title
 * with author, date and text.
 */
export function feedDraft(root: XmlElement): Draft {
  const feed = at(root, 'channel') ?? root
  const entries = [...find(root, 'item'), ...all(root, 'entry')]
  const title = text(at(feed, 'title'))
  return {
    title,
    language: text(at(feed, 'language')) || (root.attributes['lang'] ?? null),
    parts: [
      { kind: 'heading', level: 1, text: title },
      ...content(at(feed, 'description') ?? at(feed, 'subtitle')),
      ...entries.flatMap(entryParts),
    ],
  }
}

function entryParts(entry: XmlElement): Part[] {
  const authors = [...all(entry, 'creator'), ...all(entry, 'author')].map((author) => text(at(author, 'name') ?? author))
  const date = text(at(entry, 'pubDate') ?? at(entry, 'date') ?? at(entry, 'published') ?? at(entry, 'updated'))
  const categories = all(entry, 'category').map(
    (category) => text(category) || (category.attributes['label'] ?? category.attributes['term'] ?? ''),
  )
  const head = [authors.join(', '), date, categories.join(', ')].filter(Boolean)
  const summary = content(at(entry, 'description') ?? at(entry, 'summary'))
  const full = content(all(entry, 'encoded')[0] ?? at(entry, 'content'))
  return [
    { kind: 'heading', level: 2, text: text(at(entry, 'title')) },
    ...(head.length > 0 ? [{ kind: 'paragraph' as const, text: head.join('\n') }] : []),
    ...(full.length > 0 ? full : summary),
  ]
}

/** Returns HTML content that a feed contains as text or as elements. */
function content(element: XmlElement | undefined): Part[] {
  if (!element) return []
  const inner = element.children.some(isElement) ? markup(element) : textOf(element)
  return inner.trim() ? htmlParts(inner) : []
}

function markup(element: XmlElement): string {
  return element.children
    .map((child) => (isElement(child) ? `<${child.name}>${markup(child)}</${child.name}>` : child.replaceAll('<', '&lt;')))
    .join('')
}

function text(element: XmlElement | undefined): string {
  return textOf(element).replace(/\s+/g, ' ').trim()
}
