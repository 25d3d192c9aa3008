import { sourceWarning } from '@groundwork/api'
import { SourceError } from '../../lib/errors.ts'
import { openCompoundFile } from './compound-file.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { legacyComments } from './legacy-comments.ts'
import { childrenOf, findRecords, numberAt, readRecord, type LegacyRecord } from './legacy-records.ts'
import { extractOffice } from './office.ts'

/** Types of records (MS-PPT 2.13.24, MS-ODRAW 2.2). */
const types = {
  userEdit: 0x0ff5,
  persistDirectory: 0x1772,
  document: 0x03e8,
  slideList: 0x0ff0,
  slidePersist: 0x03f3,
  slideAtom: 0x03ef,
  slideShowInfo: 0x03f9,
  textHeader: 0x0f9f,
  textChars: 0x0fa0,
  textBytes: 0x0fa8,
  outlineText: 0x0f9e,
  shape: 0xf004,
  textbox: 0xf00d,
  placeholder: 0x0bc3,
}
const lists = { slides: 0, notes: 2 }
const titles = [0, 6]
const bodies = [1, 5, 7, 8]
/** Placeholders of the date, the slide number, the footer and the header. */
const furniture = [7, 8, 9, 10]

/**
 * Extracts PowerPoint 97-2003: slides as pages, with titles, text, speaker notes and comments; hidden slides are left out. If the records
 * hold much less text than anydoc finds, the text of anydoc is used, without pages.
 * @throws SourceError corrupt_file, encrypted_file, too_large
 */
export async function extractLegacyPresentation(input: ExtractInput): Promise<Draft> {
  const whole = await extractOffice(input).catch((error: unknown) => {
    if (error instanceof SourceError && error.code !== 'encrypted_file') return error
    throw error
  })
  const slides = slidesOf(input.bytes)
  const text = lengthOf(slides.flatMap(({ parts }) => parts))
  if (whole instanceof SourceError) {
    if (text === 0) throw whole
  } else if (text < 0.8 * lengthOf(whole.parts)) return whole
  const hidden = slides.filter(({ isHidden }) => isHidden).length
  return {
    parts: slides.flatMap(({ parts, isHidden }, at) => (isHidden ? [] : parts.map((part) => ({ ...part, page: at + 1 })))),
    pages: slides.length,
    warnings: hidden > 0 ? [sourceWarning('slides_hidden', { count: hidden, total: slides.length })] : [],
  }
}

const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, { text }) => sum + text.replace(/\s/g, '').length, 0)

interface Slide {
  readonly parts: readonly Part[]
  readonly isHidden: boolean
}

/** Returns the slides in the order of the presentation; none if the file has no readable directory. */
function slidesOf(bytes: Uint8Array): Slide[] {
  const file = openCompoundFile(bytes)
  const [stream, user] = [file.stream('PowerPoint Document'), file.stream('Current User')]
  if (stream === undefined || user === undefined || user.length < 20) return []
  const offsets = persistOffsets(stream, user.readUInt32LE(16))
  const recordOf = (id: number): LegacyRecord | undefined => {
    const offset = offsets.byId.get(id)
    return offset === undefined ? undefined : readRecord(stream, offset)
  }
  const document = recordOf(offsets.document)
  const list = (instance: number) => entriesOf(childrenOf(document, types.slideList).find((each) => each.instance === instance))
  const notes = new Map(list(lists.notes).map(({ slideId, persistId }) => [slideId, persistId]))
  return list(lists.slides).map(({ persistId, texts }) => {
    const slide = recordOf(persistId)
    const info = findRecords(slide, types.slideShowInfo)[0]
    const [atom] = childrenOf(slide, types.slideAtom)
    const notesOfSlide = atom === undefined ? undefined : notes.get(numberAt(atom, 16))
    return {
      parts: [
        ...slideParts(slide, texts),
        ...(notesOfSlide === undefined ? [] : notesParts(recordOf(notesOfSlide))),
        ...legacyComments(slide),
      ],
      isHidden: info !== undefined && info.data.length >= 12 && (info.data.readUInt16LE(10) & 0x4) !== 0,
    }
  })
}

/** Returns the offset of each persistent object, and the id of the document (MS-PPT 2.1.2). Newer edits replace older ones. */
function persistOffsets(stream: Buffer, currentEdit: number): { byId: Map<number, number>; document: number } {
  const byId = new Map<number, number>()
  const seen = new Set<number>()
  let document: number | null = null
  for (let offset = currentEdit; offset > 0 && !seen.has(offset);) {
    seen.add(offset)
    const edit = readRecord(stream, offset)
    if (edit?.type !== types.userEdit) break
    document ??= numberAt(edit, 16)
    const directory = readRecord(stream, numberAt(edit, 12))
    if (directory?.type === types.persistDirectory) readDirectory(directory.data, byId)
    offset = numberAt(edit, 8)
  }
  return { byId, document: document ?? 0 }
}

function readDirectory(data: Buffer, byId: Map<number, number>): void {
  for (let at = 0; at + 4 <= data.length;) {
    const entry = data.readUInt32LE(at)
    const [first, count] = [entry & 0xfffff, entry >>> 20]
    at += 4
    for (let index = 0; index < count && at + 4 <= data.length; index++, at += 4) {
      if (!byId.has(first + index)) byId.set(first + index, data.readUInt32LE(at))
    }
  }
}

interface Text {
  readonly type: number
  readonly text: string
}

/** Returns the slides of a list, with the texts that the list holds for them. */
function entriesOf(list: LegacyRecord | undefined): { persistId: number; slideId: number; texts: Text[] }[] {
  const entries: { persistId: number; slideId: number; records: LegacyRecord[] }[] = []
  for (const record of list?.children ?? []) {
    if (record.type === types.slidePersist) entries.push({ persistId: numberAt(record, 0), slideId: numberAt(record, 12), records: [] })
    else entries.at(-1)?.records.push(record)
  }
  return entries.map(({ records, ...entry }) => ({ ...entry, texts: textsOf(records) }))
}

/** Returns the texts of consecutive atoms: each begins with its type. */
function textsOf(records: readonly LegacyRecord[]): Text[] {
  const texts: { type: number; text: string }[] = []
  for (const record of records) {
    if (record.type === types.textHeader) texts.push({ type: numberAt(record, 0), text: '' })
    const last = texts.at(-1)
    if (last === undefined) continue
    if (record.type === types.textChars) last.text += record.data.toString('utf16le')
    if (record.type === types.textBytes) last.text += record.data.toString('latin1')
  }
  return texts
}

function slideParts(slide: LegacyRecord | undefined, listed: readonly Text[]): Part[] {
  const used = new Set<Text>()
  const parts = findRecords(slide, types.shape).flatMap((shape) => {
    if (isFurniture(shape)) return []
    return findRecords(shape, types.textbox).flatMap((box) => {
      const [reference] = childrenOf(box, types.outlineText)
      const outlined = reference && listed[numberAt(reference, 0)]
      if (outlined !== undefined) used.add(outlined)
      return (outlined === undefined ? textsOf(box.children) : [outlined]).flatMap(textParts)
    })
  })
  // Some programs write texts to the list alone.
  const others = listed.filter((text) => !used.has(text)).flatMap(textParts)
  const all = [...parts, ...others.filter(({ text }) => !parts.some((part) => part.text === text))]
  return all.toSorted((one, other) => Number(one.kind !== 'heading') - Number(other.kind !== 'heading'))
}

function isFurniture(shape: LegacyRecord): boolean {
  return findRecords(shape, types.placeholder).some(({ data }) => data.length > 4 && furniture.includes(data.readUInt8(4)))
}

function textParts({ type, text }: Text): Part[] {
  const lines = text
    .split(/[\r\n]/)
    .map((line) => line.replaceAll('\v', titles.includes(type) ? ' ' : '\n').trim())
    .filter((line) => line !== '' && line !== '*')
  if (lines.length === 0) return []
  if (titles.includes(type)) return [{ kind: 'heading', level: 1, text: lines.join(' ') }]
  if (bodies.includes(type) && lines.length > 1)
    return [{ kind: 'list', text: lines.map((line) => `- ${line.replace(/\s+/g, ' ')}`).join('\n') }]
  return lines.map((line) => ({ kind: 'paragraph', text: line }))
}

const notesType = 2

function notesParts(notes: LegacyRecord | undefined): Part[] {
  const texts = findRecords(notes, types.shape)
    .filter((shape) => !isFurniture(shape))
    .flatMap((shape) => findRecords(shape, types.textbox).flatMap((box) => textsOf(box.children)))
    .filter(({ type }) => type === notesType)
  const text = texts.flatMap((each) => textParts(each).map((part) => part.text)).join('\n')
  return text === '' ? [] : [{ kind: 'paragraph', text: `Notes: ${text}` }]
}
