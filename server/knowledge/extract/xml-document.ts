import { SourceError } from '../../lib/errors.ts'
import { textOf as decoded } from './decode.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { articleDraft } from './jats.ts'
import { feedDraft } from './feed.ts'
import { isElement, ownText, parseXml, textOf, type XmlElement } from './xml.ts'

/**
 * Extracts XML: feeds (RSS, Atom) and articles (JATS) by meaning, any other XML by shape: running text as paragraphs, data as
 * key paths.
 * @throws SourceError corrupt_file, too_large
 */
export function extractXml({ bytes, contentType }: ExtractInput): Draft {
  const root = parseXml(decoded(bytes, contentType)).children.find(isElement)
  if (!root) throw new SourceError('corrupt_file', 'The file is damaged: it has no XML element.')
  if (root.name === 'rss' || root.name === 'RDF' || root.name === 'feed') return feedDraft(root)
  if (root.name === 'article' && root.children.some((child) => isElement(child) && child.name === 'front')) return articleDraft(root)
  return { parts: joinFields(shapeParts(root, '', 1)), language: root.attributes['lang'] ?? null }
}

const titles = new Set(['title', 'head', 'heading', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const paragraphs = new Set([
  'p',
  'para',
  'simpara',
  'abstract',
  'note',
  'description',
  'summary',
  'body',
  'text',
  'content',
  'quote',
  'li',
  'item',
])
const longField = 300

/** A part, and whether it is a line of data that may share a paragraph with its neighbours. */
interface Shaped {
  readonly part: Part
  readonly record: XmlElement | null
}

function shapeParts(element: XmlElement, path: string, depth: number): Shaped[] {
  const children = element.children.filter(isElement)
  const own = ownText(element)
  const here = path ? `${path}.${element.name}` : element.name
  const attributes = attributeFields(element, here)
  if (children.length === 0 || own !== '')
    return own === '' && children.length === 0 ? attributes : [...attributes, leaf(element, here, depth)]
  return [
    ...attributes,
    ...children.flatMap((child) =>
      shapeParts(child, here, depth + 1).map((shaped) => (shaped.record === child ? { ...shaped, record: element } : shaped)),
    ),
  ]
}

/** Converts text without elements, or mixed with them. */
function leaf(element: XmlElement, path: string, depth: number): Shaped {
  const text = textOf(element).replace(/\s+/g, ' ').trim()
  if (titles.has(element.name.toLowerCase()) && text.length <= longField)
    return { part: { kind: 'heading', level: Math.max(1, depth - 1), text }, record: null }
  const prose = paragraphs.has(element.name.toLowerCase()) || text.length > longField || element.children.some(isElement)
  return prose
    ? { part: { kind: 'paragraph', text }, record: null }
    : { part: { kind: 'paragraph', text: `${path}: ${text}` }, record: element }
}

function attributeFields(element: XmlElement, path: string): Shaped[] {
  return Object.entries(element.attributes)
    .filter(([name, value]) => value.trim() && !/:|^xmlns|^(?:id|lang|space|schemaLocation|style|class|version)$/.test(name))
    .map(([name, value]) => ({ part: { kind: 'paragraph', text: `${path}.${name}: ${value}` }, record: element }))
}

/** Joins the fields of one record as lines of one paragraph. */
function joinFields(shaped: readonly Shaped[]): Part[] {
  const parts: Part[] = []
  let before: XmlElement | null = null
  for (const { part, record } of shaped) {
    const last = parts.at(-1)
    if (record !== null && record === before && last) parts[parts.length - 1] = { ...last, text: `${last.text}\n${part.text}` }
    else parts.push(part)
    before = record
  }
  return parts
}
