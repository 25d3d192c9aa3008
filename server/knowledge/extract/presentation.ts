import { sourceWarning } from '@groundwork/api'
import { SourceError } from '../../lib/errors.ts'
import { chartParts } from './chart.ts'
import { commentText } from './comment.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { openPackage, type OfficePackage, type Relation } from './office-package.ts'
import { officeTitle } from './office-title.ts'
import { isPlaceholder, paragraphsOf, shapesOf, type Shape } from './slide-shapes.ts'
import { all, at, find, textOf, type XmlElement } from './xml.ts'

/**
 * Extracts PowerPoint (PresentationML): slides as pages in presentation order, their titles as headings, then text, tables,
 * charts, speaker notes and comments. Hidden slides are left out.
 * @throws SourceError corrupt_file, encrypted_file, too_large
 */
export function extractPresentation({ bytes }: ExtractInput): Draft {
  const file = openPackage(bytes)
  const main = mainPart(file)
  const relations = file.relations(main)
  const ids = find(at(file.xml(main), 'presentation', 'sldIdLst'), 'sldId')
  const slideNames = ids.flatMap(({ attributes }) => relations.get(attributes['r:id'] ?? '')?.target ?? [])
  const authors = authorsOf(file, relations)
  const slides = slideNames.map((name) => {
    const root = at(file.xml(name), 'sld')
    return { name, root, isHidden: root?.attributes['show'] === '0' }
  })
  const hidden = slides.filter(({ isHidden }) => isHidden).length
  return {
    parts: slides.flatMap(({ name, root, isHidden }, index) =>
      isHidden ? [] : slideParts(file, name, root, authors).map((part) => ({ ...part, page: index + 1 })),
    ),
    title: officeTitle(bytes),
    pages: slides.length,
    warnings: hidden > 0 ? [sourceWarning('slides_hidden', { count: hidden, total: slides.length })] : [],
  }
}

function mainPart(file: OfficePackage): string {
  const main = [...file.relations('').values()].find(({ type }) => type === 'officeDocument')?.target ?? 'ppt/presentation.xml'
  if (!file.has(main)) throw new SourceError('corrupt_file', 'The file is damaged: the part that lists its slides is missing.')
  return main
}

function slideParts(file: OfficePackage, name: string, root: XmlElement | undefined, authors: ReadonlyMap<string, string>): Part[] {
  const relations = file.relations(name)
  const shapes = shapesOf(at(root, 'cSld', 'spTree'))
  const related = [...relations.values()]
  const body = shapes.flatMap((shape) => shapeParts(file, shape, relations))
  const diagrams = related.filter(({ type }) => type === 'diagramData').flatMap(({ target }) => diagramParts(file.xml(target)))
  const notes = related.filter(({ type }) => type === 'notesSlide').flatMap(({ target }) => notesParts(file.xml(target)))
  const comments = related.filter(({ type }) => type === 'comments').flatMap(({ target }) => commentParts(file.xml(target), authors))
  return [...body, ...diagrams, ...notes, ...comments]
}

function shapeParts(file: OfficePackage, shape: Shape, relations: ReadonlyMap<string, Relation>): Part[] {
  if (shape.kind !== 'chart') return [...shape.parts]
  const target = relations.get(shape.relation)?.target
  return target === undefined ? [] : chartParts(file.xml(target))
}

/** Returns the text of a diagram (SmartArt), in the order of its data. */
function diagramParts(data: XmlElement | undefined): Part[] {
  const points = find(at(data, 'dataModel', 'ptLst'), 'pt').filter(({ attributes: { type = 'node' } }) => type === 'node')
  const lines = points.flatMap((point) => paragraphsOf(at(point, 't')).map(({ text }) => text.replace(/\s+/g, ' ').trim())).filter(Boolean)
  return lines.length > 0 ? [{ kind: 'list', text: lines.map((line) => `- ${line}`).join('\n') }] : []
}

function notesParts(notes: XmlElement | undefined): Part[] {
  const bodies = find(at(notes, 'notes', 'cSld', 'spTree'), 'sp').filter((shape) => isPlaceholder(shape, ['body']))
  const text = bodies.flatMap((shape) => paragraphsOf(at(shape, 'txBody')).map((paragraph) => paragraph.text)).join('\n')
  return text.trim() ? [{ kind: 'paragraph', text: `Notes: ${text}` }] : []
}

function commentParts(list: XmlElement | undefined, authors: ReadonlyMap<string, string>): Part[] {
  return [...find(list, 'cm')].flatMap((comment) =>
    [comment, ...find(comment, 'reply')].map((entry) => {
      const text =
        textOf(at(entry, 'text')) ||
        paragraphsOf(at(entry, 'txBody'))
          .map((paragraph) => paragraph.text)
          .join('\n')
      const { authorId = '', dt, created = dt } = entry.attributes
      return { kind: 'paragraph' as const, text: commentText(text, { author: authors.get(authorId), time: created }) }
    }),
  )
}

function authorsOf(file: OfficePackage, relations: ReadonlyMap<string, Relation>): Map<string, string> {
  const lists = [...relations.values()].filter(({ type }) => type === 'commentAuthors' || type === 'authors')
  return new Map(
    lists.flatMap(({ target }) => {
      const root = file.xml(target)
      const entries = [...all(at(root, 'cmAuthorLst'), 'cmAuthor'), ...all(at(root, 'authorLst'), 'author')]
      return entries.map(({ attributes: { id = '', name = '' } }) => [id, name] as const)
    }),
  )
}
