import { commentText } from './comment.ts'
import { all, at, find, textOf, type XmlElement } from './xml.ts'

const maxQuoted = 100

/** Returns the comments of a Word file by id. */
export function wordComments(root: XmlElement): Map<string, { text: string; author?: string; time?: string }> {
  return new Map(
    all(at(root, 'comments'), 'comment').map((comment) => {
      const text = find(comment, 'p')
        .map((paragraph) => find(paragraph, 't').map(textOf).join(''))
        .join('\n')
      const { id = '', author, date } = comment.attributes
      return [id, { text, ...(author !== undefined && { author }), ...(date !== undefined && { time: date }) }]
    }),
  )
}

const tags = /<(\/?)w:(body|p|tbl|sectPr|numPr|pStyle|t|commentRangeStart|commentRangeEnd|commentReference)(?=[\s/>])([^>]*?)(\/?)>/g

/**
 * Inserts each comment as a paragraph after the paragraph, the list or the table that it belongs to, with the text that it
 * marks.
 * @param paragraph returns the XML of a paragraph with this text
 */
export function withComments(xml: string, comments: ReturnType<typeof wordComments>, paragraph: (text: string) => string): string {
  const marked = new Map<string, string>()
  const open = new Set<string>()
  const left = new Map(comments)
  let [written, result] = [0, '']
  let pending: string[] = []
  let [tables, paragraphs, inList, textFrom] = [0, 0, false, 0]

  function flush(position: number): void {
    if (pending.length === 0) return
    result += xml.slice(written, position) + pending.map(paragraph).join('')
    written = position
    pending = []
  }
  function take(id: string): void {
    const comment = left.get(id)
    if (!left.delete(id) || comment === undefined || comment.text.trim() === '') return
    const quoted = (marked.get(id) ?? '').replace(/\s+/g, ' ').trim()
    const place = quoted.length > maxQuoted ? `${quoted.slice(0, maxQuoted)}…` : quoted
    pending.push(commentText(comment.text.replace(/\s+/g, ' '), { ...comment, ...(place !== '' && { place: `“${place}”` }) }))
  }

  for (const { index, 0: tag, 1: close, 2: name, 3: attributes = '', 4: empty } of xml.matchAll(tags)) {
    const end = index + tag.length
    const id = /\bw:id="([^"]*)"/.exec(attributes)?.[1] ?? ''
    const step = close ? -1 : empty ? 0 : 1
    if (name === 'tbl') tables += step
    if (name === 'p') paragraphs += step
    if (name === 'p' && step === 1 && paragraphs === 1) inList = false
    if (name === 'numPr' || (name === 'pStyle' && /w:val="[^"]*list/i.test(attributes))) inList = true
    if (name === 't' && step === 1) textFrom = end
    if (name === 't' && close) for (const each of open) marked.set(each, (marked.get(each) ?? '') + unescaped(xml.slice(textFrom, index)))
    if (name === 'p' && close) for (const each of open) marked.set(each, `${marked.get(each) ?? ''} `)
    if (name === 'commentRangeStart') open.add(id)
    if (name === 'commentRangeEnd') open.delete(id)
    if (name === 'commentReference') take(id)
    if (tables > 0 || paragraphs > 0) continue
    if ((name === 'p' && close && !inList) || (name === 'tbl' && close)) flush(end)
    if (name === 'sectPr' && !close) flush(index)
    if (name === 'body' && close) {
      for (const each of left.keys()) take(each)
      flush(index)
    }
  }
  return result + xml.slice(written)
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&')
