import { commentText } from './comment.ts'
import type { Part } from './draft.ts'
import { childrenOf, findRecords, readRecords, type LegacyRecord } from './legacy-records.ts'

/** Types of records (MS-PPT 2.13.24). */
const types = { binaryTagData: 0x138b, comment: 0x2ee0, commentAtom: 0x2ee1, string: 0x0fba }
/** Instances of the strings of a comment. */
const strings = { author: 0, text: 1 }
/** Offset of the SYSTEMTIME in the atom of a comment. */
const timeOffset = 4

/** Returns the comments of a slide of PowerPoint 97-2003, which are in its tags (MS-PPT 2.5.7). */
export function legacyComments(slide: LegacyRecord | undefined): Part[] {
  return findRecords(slide, types.binaryTagData)
    .flatMap(({ data }) => readRecords(data))
    .filter(({ type }) => type === types.comment)
    .map((comment) => {
      const stringOf = (instance: number): string =>
        childrenOf(comment, types.string)
          .find((each) => each.instance === instance)
          ?.data.toString('utf16le') ?? ''
      const [atom] = childrenOf(comment, types.commentAtom)
      return { text: stringOf(strings.text), author: stringOf(strings.author), time: atom && timeIn(atom.data) }
    })
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, ...about }) => ({ kind: 'paragraph', text: commentText(text, about) }))
}

/** Returns the time of a comment as the other formats have it, ISO 8601 without a time zone; undefined if the atom is too short. */
function timeIn(data: Buffer): string | undefined {
  if (data.length < timeOffset + 14) return undefined
  const field = (at: number, digits = 2): string => String(data.readUInt16LE(timeOffset + 2 * at)).padStart(digits, '0')
  // The third field is the day of the week.
  return `${field(0, 4)}-${field(1)}-${field(3)}T${field(4)}:${field(5)}:${field(6)}`
}
