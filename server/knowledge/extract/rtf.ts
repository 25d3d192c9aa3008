import type { Draft, ExtractInput } from './draft.ts'
import { extractOffice } from './office.ts'

/** Extracts RTF by anydoc, which ignores headers and footers: they are appended to the text first, each wording once. */
export function extractRtf({ bytes, ...input }: ExtractInput): Promise<Draft> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const end = source.lastIndexOf('}')
  const groups = [...new Set(runningGroups(source))]
  if (groups.length === 0 || end === -1) return extractOffice({ ...input, bytes })
  return extractOffice({ ...input, bytes: Buffer.from(`${source.slice(0, end)}\\par ${groups.join('\\par ')}}`, 'latin1') })
}

/** Returns the content of header and footer groups, as RTF groups of their own. */
function runningGroups(source: string): string[] {
  return [...source.matchAll(/\{\\(?:header|footer)[lrf]?(?=[\\\s{])/g)].flatMap(({ 0: opening, index }) => {
    const end = groupEnd(source, index)
    return end === -1 ? [] : [`{${source.slice(index + opening.length, end)}}`]
  })
}

/** Returns the end of the group that begins at `start`; an escaped brace is a character. */
function groupEnd(source: string, start: number): number {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '{') depth++
    else if (source[at] === '}' && --depth === 0) return at
  }
  return -1
}
