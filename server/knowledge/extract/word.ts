import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput } from './draft.ts'
import { linearFormula } from './formula.ts'
import { extractOffice } from './office.ts'
import { withComments, wordComments } from './word-comments.ts'
import { parseXml } from './xml.ts'
import { contentOfEntry, readZip } from './zip.ts'

const main = 'word/document.xml'

/**
 * Extracts Word (docx) by anydoc, after removing runs of hidden text, which anydoc shows, writing formulas as linear text, and
 * adding comments, which it leaves out.
 */
export function extractWord({ bytes, ...input }: ExtractInput): Promise<Draft> {
  const entries = readZip(bytes)
  const textOfPart = (part: string): string => {
    const entry = entries.find(({ name }) => name === part)
    return entry === undefined ? '' : strFromU8(contentOfEntry(bytes, entry))
  }
  const xml = textOfPart(main)
  const comments = wordComments(parseXml(textOfPart('word/comments.xml')))
  const shown = withFormulas(hidden.test(xml) ? withoutHiddenRuns(xml) : xml)
  const prepared = comments.size === 0 ? shown : withComments(shown, comments, (text) => `<w:p>${run(text)}</w:p>`)
  if (prepared === xml) return extractOffice({ ...input, bytes })
  const parts = unpacked(bytes)
  return extractOffice({ ...input, bytes: zipSync({ ...parts, [main]: strToU8(prepared) }, { level: 0 }) })
}

const hidden = /<w:vanish(?:\s+w:val="(?:1|true|on)")?\s*\/>/

function unpacked(bytes: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter: ({ name }) => !/^word\/(?:media|embeddings)\//.test(name) })
  } catch (cause) {
    throw new SourceError('corrupt_file', 'The file is damaged: its parts cannot be unpacked.', { cause })
  }
}

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

const formula = /<m:oMath(?:\s[^>]*)?>[\s\S]*?<\/m:oMath>/g

/** Replaces each formula with a run of text. Formulas of one block follow each other on lines of their own. */
function withFormulas(xml: string): string {
  if (!xml.includes('<m:oMath')) return xml
  return xml
    .replace(/<m:oMathParaPr>[\s\S]*?<\/m:oMathParaPr>|<m:oMathParaPr\s*\/>/g, '')
    .replace(/<m:oMathPara(?:\s[^>]*)?>([\s\S]*?)<\/m:oMathPara>/g, (_, block: string) =>
      block.replace(/<\/m:oMath>\s*(?=<m:oMath[\s>])/g, '$&<w:r><w:br/></w:r>'),
    )
    .replace(formula, (element) => run(linearFormula(parseXml(element))))
}

function run(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<w:r><w:t xml:space="preserve">${escaped}</w:t></w:r>`
}
