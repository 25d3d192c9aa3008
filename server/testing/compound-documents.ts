import { CFB } from '@e965/xlsx'

/** The part of the CFB library that is used; its types are `any`. */
interface CfbLibrary {
  utils: { cfb_new(): unknown; cfb_add(file: unknown, path: string, content: Uint8Array): void }
  write(file: unknown, options: { type: 'buffer' }): Buffer
}

/** Returns a Compound File with these streams by path. */
export function compoundFile(streams: Readonly<Record<string, Uint8Array>>): Buffer {
  const library = CFB as CfbLibrary
  const file = library.utils.cfb_new()
  for (const [path, content] of Object.entries(streams)) library.utils.cfb_add(file, `/${path}`, content)
  return library.write(file, { type: 'buffer' })
}

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')

interface LegacySlide {
  readonly title: string
  readonly lines: readonly string[]
  readonly notes?: string
  readonly comment?: { readonly author: string; readonly text: string }
  readonly isHidden?: boolean
}

/** Returns a presentation of PowerPoint 97-2003 (MS-PPT): titles in the list of slides, other text in shapes. */
export function legacyPresentation(slides: readonly LegacySlide[]): Buffer {
  const objects: Buffer[] = []
  const add = (object: Buffer): number => objects.push(object)
  const persists = slides.map(({ lines, notes, comment, isHidden = false }, at) => {
    const notesPersist = notes === undefined ? null : add(container(0x03f0, drawing(shape(text(2, notes)))))
    const slideAtom = Buffer.alloc(24)
    if (notesPersist !== null) slideAtom.writeUInt32LE(notesIdOf(at), 16)
    const show = Buffer.alloc(16)
    show.writeUInt16LE(isHidden ? 4 : 0, 10)
    const outline = atom(0x0f9e, number(0))
    const slideNumber = container(
      0xf004,
      container(0xf011, atom(0x0bc3, Buffer.from([0, 0, 0, 0, 8]))),
      container(0xf00d, text(4, String(at + 1))),
    )
    const body = drawing(shape(outline), shape(text(1, lines.join('\r'))), slideNumber)
    return {
      notesPersist,
      slidePersist: add(container(0x03ee, atom(0x03ef, slideAtom), atom(0x03f9, show), body, ...(comment ? [tags(comment)] : []))),
    }
  })
  const listed = slides.flatMap(({ title }, at) => [persist(persists[at]?.slidePersist ?? 0, 256 + at), text(0, title)])
  const notes = persists.flatMap(({ notesPersist }, at) => (notesPersist === null ? [] : [persist(notesPersist, notesIdOf(at))]))
  const document = add(container(0x03e8, record(0x0ff0, 0, 0xf, Buffer.concat(listed)), record(0x0ff0, 2, 0xf, Buffer.concat(notes))))
  const offsets: number[] = []
  let offset = 0
  for (const each of objects) {
    offsets.push(offset)
    offset += each.length
  }
  const directory = atom(0x1772, Buffer.concat([number(((objects.length << 20) | 1) >>> 0), ...offsets.map(number)]))
  const edit = atom(0x0ff5, Buffer.concat([number(0), number(0), number(0), number(offset), number(document), Buffer.alloc(12)]))
  const currentUser = Buffer.concat([Buffer.alloc(16), number(offset + directory.length), Buffer.alloc(8)])
  return compoundFile({ 'PowerPoint Document': Buffer.concat([...objects, directory, edit]), 'Current User': currentUser })
}

/** The tags of a slide with a comment of 2026-01-05 09:30. */
function tags({ author, text: content }: NonNullable<LegacySlide['comment']>): Buffer {
  const time = Buffer.from(new Uint16Array([2026, 1, 1, 5, 9, 30, 0, 0]).buffer)
  const comment = container(
    0x2ee0,
    record(0x0fba, 0, 0, wide(author)),
    record(0x0fba, 1, 0, wide(content)),
    record(0x0fba, 2, 0, wide('A')),
    atom(0x2ee1, Buffer.concat([number(1), time, number(0), number(0)])),
  )
  return container(0x1388, container(0x138a, atom(0x0fba, wide('___PPT10')), atom(0x138b, comment)))
}

const notesIdOf = (slide: number): number => 512 + slide

function record(type: number, instance: number, version: number, data: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt16LE((instance << 4) | version, 0)
  header.writeUInt16LE(type, 2)
  header.writeUInt32LE(data.length, 4)
  return Buffer.concat([header, data])
}

const atom = (type: number, data: Buffer): Buffer => record(type, 0, 0, data)
const container = (type: number, ...records: readonly Buffer[]): Buffer => record(type, 0, 0xf, Buffer.concat(records))
const text = (type: number, value: string): Buffer => Buffer.concat([atom(0x0f9f, number(type)), atom(0x0fa0, wide(value))])
const shape = (content: Buffer): Buffer => container(0xf004, container(0xf00d, content))
const drawing = (...shapes: readonly Buffer[]): Buffer => container(0x040c, container(0xf002, container(0xf003, ...shapes)))
const persist = (id: number, slideId: number): Buffer =>
  atom(0x03f3, Buffer.concat([number(id), number(0), number(0), number(slideId), number(0)]))

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
