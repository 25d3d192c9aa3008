import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { Draft, ExtractInput } from './draft.ts'
import { extractOffice } from './office.ts'
import { contentOfEntry, readZip } from './zip.ts'

const main = 'word/document.xml'

/** Extracts Word (docx) by anydoc, after removing runs of hidden text, which anydoc shows. */
export function extractWord({ bytes, ...input }: ExtractInput): Promise<Draft> {
  const entry = readZip(bytes).find(({ name }) => name === main)
  const xml = entry ? strFromU8(contentOfEntry(bytes, entry)) : ''
  if (!hidden.test(xml)) return extractOffice({ ...input, bytes })
  const parts = unzipSync(bytes, { filter: ({ name }) => !/^word\/(?:media|embeddings)\//.test(name) })
  return extractOffice({ ...input, bytes: zipSync({ ...parts, [main]: strToU8(withoutHiddenRuns(xml)) }, { level: 0 }) })
}

const hidden = /<w:vanish(?:\s+w:val="(?:1|true|on)")?\s*\/>/

function withoutHiddenRuns(xml: string): string {
  const end = '</w:r>'
  return xml
    .split(end)
    .map((piece, at, pieces) => {
      const start = Math.max(piece.lastIndexOf('<w:r>'), piece.lastIndexOf('<w:r '))
      const runEnd = at < pieces.length - 1 ? end : ''
      const [properties = ''] = start === -1 ? [] : piece.slice(start).split('</w:rPr>')
      return start !== -1 && runEnd && hidden.test(properties) ? piece.slice(0, start) : piece + runEnd
    })
    .join('')
}
