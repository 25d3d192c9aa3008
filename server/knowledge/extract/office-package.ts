import { posix } from 'node:path'
import { decodeText } from './decode.ts'
import { all, parseXml, type XmlElement } from './xml.ts'
import { contentOfEntry, readZip } from './zip.ts'

/** A reference from one part of a package to another. */
export interface Relation {
  /** Last segment of the relationship type: `slide`, `chart`, `notesSlide`. */
  readonly type: string
  /** Name of the referenced part. */
  readonly target: string
}

/** The parts of an Office Open XML file (ECMA-376, part 2). */
export interface OfficePackage {
  has(part: string): boolean
  /** Returns undefined if there is no such part. @throws SourceError corrupt_file, too_large */
  xml(part: string): XmlElement | undefined
  /** By relationship id. */
  relations(part: string): Map<string, Relation>
}

export function openPackage(bytes: Uint8Array): OfficePackage {
  const entries = new Map(readZip(bytes).map((entry) => [entry.name.replace(/^\//, ''), entry]))
  function xml(part: string): XmlElement | undefined {
    const entry = entries.get(part)
    return entry && parseXml(decodeText(contentOfEntry(bytes, entry), null) ?? '')
  }
  function relations(part: string): Map<string, Relation> {
    const list = xml(posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`))
    return new Map(
      all(list && all(list, 'Relationships')[0], 'Relationship').map(({ attributes: { Id = '', Type = '', Target = '' } }) => [
        Id,
        { type: Type.slice(Type.lastIndexOf('/') + 1), target: resolve(part, Target) },
      ]),
    )
  }
  return { has: (part) => entries.has(part), xml, relations }
}

function resolve(part: string, target: string): string {
  return target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(part), target)
}
