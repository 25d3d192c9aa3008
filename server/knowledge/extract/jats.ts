import type { Draft, Part } from './draft.ts'
import { markdownTable } from './table.ts'
import { all, at, find, isElement, ownText, type XmlElement } from './xml.ts'

/** Elements outside the text: numbers, files and related articles. */
const aside = new Set(['sub-article', 'response', 'object-id', 'graphic', 'media', 'tex-math', 'alternatives'])

const apart = new Set(['p', 'title', 'list-item', 'break', 'label', 'caption', 'xref-group'])

/**
 * Extracts a journal article in JATS (ANSI/NISO Z39.96): title, authors, affiliations, abstract, sections, tables, captions,
 * references.
 */
export function articleDraft(article: XmlElement): Draft {
  const meta = at(article, 'front', 'article-meta')
  const title = line(at(meta, 'title-group', 'article-title'))
  const people = all(meta, 'contrib-group')
    .flatMap((group) => all(group, 'contrib'))
    .filter(({ attributes }) => attributes['contrib-type'] === 'author')
  const affiliations = [...all(meta, 'contrib-group').flatMap((group) => all(group, 'aff')), ...all(meta, 'aff')].map(affiliation)
  return {
    title,
    language: article.attributes['lang'] ?? null,
    parts: [
      heading(1, title),
      paragraph(
        people
          .map((person) => nameOf(at(person, 'name')) || line(at(person, 'collab')))
          .filter(Boolean)
          .join(', '),
      ),
      paragraph(affiliations.join('; ')),
      ...all(meta, 'abstract').flatMap((abstract) => [...(at(abstract, 'title') ? [] : [heading(2, 'Abstract')]), ...blocks(abstract, 2)]),
      ...blocks(at(article, 'body'), 1),
      ...blocks(at(article, 'back'), 1),
      ...all(article, 'floats-group').flatMap((group) => blocks(group, 1)),
    ].filter(({ text }) => text !== ''),
  }
}

function heading(level: number, text: string): Part {
  return { kind: 'heading', level, text }
}

function paragraph(text: string): Part {
  return { kind: 'paragraph', text }
}

function blocks(element: XmlElement | undefined, level: number): Part[] {
  return (element?.children ?? []).filter(isElement).flatMap((child) => block(child, level))
}

function block(element: XmlElement, level: number): Part[] {
  if (aside.has(element.name)) return []
  switch (element.name) {
    case 'title':
      return [heading(level, line(element))]
    case 'sec':
    case 'ack':
    case 'app':
    case 'notes':
    case 'glossary':
      return blocks(element, level + 1)
    case 'p':
      return prose(element, level)
    case 'list':
      return [
        {
          kind: 'list',
          text: all(element, 'list-item')
            .map((item) => `- ${line(item)}`)
            .join('\n'),
        },
      ]
    case 'table':
      return [{ kind: 'table', text: markdownTable(find(element, 'tr').map((row) => cells(row).map(line))) }]
    case 'ref-list':
      return references(element, level + 1)
    case 'fig':
    case 'table-wrap':
    case 'supplementary-material':
      return [
        paragraph([at(element, 'label'), at(element, 'caption')].map(line).filter(Boolean).join(' ')),
        ...blocks(element, level).filter(({ kind }) => kind === 'table'),
      ]
    case 'label':
    case 'caption':
      return []
    default:
      return element.children.some((child) => isElement(child)) && ownText(element) === ''
        ? blocks(element, level)
        : [paragraph(line(element))]
  }
}

/** Returns the parts of a paragraph, which may contain tables, figures and lists. */
function prose(element: XmlElement, level: number): Part[] {
  const parts: Part[] = []
  let run = ''
  const flush = (): void => {
    if (run.trim()) parts.push(paragraph(run.replace(/\s+/g, ' ').trim()))
    run = ''
  }
  for (const child of element.children) {
    if (isElement(child) && ['list', 'table-wrap', 'fig', 'fig-group', 'disp-quote', 'supplementary-material'].includes(child.name)) {
      flush()
      for (const part of block(child, level)) parts.push(part)
    } else run += isElement(child) ? inline(child) : child
  }
  flush()
  return parts
}

function references(list: XmlElement, level: number): Part[] {
  const lines = find(list, 'ref').map((ref) => `- ${citation(at(ref, 'element-citation') ?? at(ref, 'mixed-citation') ?? ref)}`)
  const title = line(at(list, 'title')) || 'References'
  return lines.length > 0
    ? [
        { kind: 'heading', level, text: title },
        { kind: 'list', text: lines.join('\n') },
      ]
    : []
}

function citation(entry: XmlElement): string {
  if (ownText(entry) !== '') return line(entry)
  const names = find(entry, 'name').map(nameOf)
  const value = (name: string): string => find(entry, name).map(line).join(', ')
  const pages = [value('fpage'), value('lpage')].filter(Boolean).join('–')
  const place = [value('volume'), pages || value('elocation-id')].filter(Boolean).join(':')
  const ids = find(entry, 'pub-id').map((id) => `${(id.attributes['pub-id-type'] ?? 'id').toUpperCase()}: ${line(id)}`)
  const year = value('year')
  const journal = [value('source'), place, year && `(${year})`].filter(Boolean).join(' ')
  return [names.join(', '), value('article-title') || value('data-title'), journal, ids.join(', ')].filter(Boolean).join('. ')
}

function nameOf(name: XmlElement | undefined): string {
  return [line(at(name, 'given-names')), line(at(name, 'surname'))].filter(Boolean).join(' ')
}

function affiliation(aff: XmlElement): string {
  return aff.children
    .filter((child) => !isElement(child) || child.name !== 'label')
    .map((child) => (isElement(child) ? line(child) : child.trim()))
    .filter(Boolean)
    .join(', ')
}

function cells(row: XmlElement): XmlElement[] {
  return row.children.filter(isElement).filter(({ name }) => name === 'td' || name === 'th')
}

/** Returns all text below an element as one line. */
function line(element: XmlElement | undefined): string {
  return (element?.children ?? [])
    .map((child) => (isElement(child) ? inline(child) : child))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns inline text, with block elements separated by spaces, exponents marked, and structured citations written out. */
function inline(element: XmlElement): string {
  if (aside.has(element.name)) return ''
  if (element.name === 'element-citation') return ` ${citation(element)} `
  const text = element.children.map((child) => (isElement(child) ? inline(child) : child)).join('')
  if (element.name === 'sup' && /^[−-]?\d+$/.test(text)) return `^${text}`
  return apart.has(element.name) ? ` ${text} ` : text
}
