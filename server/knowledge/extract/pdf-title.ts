import { bodySize, breaksOff, headingKey, headingText, isLabel, type FlowLine } from './pdf-headings.ts'
import { isTitle } from './title.ts'

/**
 * Returns the title of a document: that of the metadata if it is plausible, otherwise the largest lines of the first page with
 * text that are not a caption or a table of contents; null if no line of that page is larger than the text.
 */
export function titleOf(metadata: string | null, flow: readonly FlowLine[]): string | null {
  if (metadata !== null && isTitle(metadata) && isOfDocument(metadata, flow)) return metadata
  const page = flow[0]?.block.page
  const body = bodySize(flow)
  const lines = flow.filter(({ block, line }) => block.page === page && block.kind !== 'table' && block.kind !== 'code' && !line.monospace)
  const groups: FlowLine[][] = []
  for (const item of lines) {
    const last = groups.at(-1)?.at(-1)
    const isSame =
      last && Math.abs(last.line.fontSize - item.line.fontSize) < 0.6 && item.line.top - last.line.bottom < 1.5 * item.line.fontSize
    if (isSame) groups.at(-1)?.push(item)
    else groups.push([item])
  }
  const titles = groups
    .map((group, at) => ({
      text: headingText(group, { from: 0, to: group.length }),
      size: group[0]?.line.fontSize ?? 0,
      bold: group.length < 4 && group.every(({ line }) => line.bold),
      following: groups[at + 1]?.[0]?.line.text ?? '',
    }))
    .filter(({ text, size, bold, following }) => (size >= 1.12 * body || bold) && readsAsTitle(text) && !goesOn(text, following))
  const named = titles.filter((title, at) => !isMark(title, titles.slice(0, at)))
  const largest = named.filter(({ size }) => size >= 1.12 * body && size > Math.max(...named.map((one) => one.size)) - 0.6)
  // Several lines of that size are the headings of sections, below the title.
  return (largest.length > 1 ? named[0] : largest[0])?.text ?? null
}

interface SizedText {
  readonly text: string
  readonly size: number
}

/** Returns whether a single word below a large title is the mark of a series or of a company. */
function isMark({ text, size }: SizedText, before: readonly SizedText[]): boolean {
  return !/\s/.test(text) && before.some((title) => /\s/.test(title.text) && title.size >= 0.5 * size)
}

/** Returns whether a text is a line of a sentence. */
function goesOn(text: string, following: string): boolean {
  return /^\p{Ll}/u.test(following) && /[\p{L},-]$/u.test(text) && (text.match(/\p{L}+/gu)?.length ?? 0) > 5
}

function readsAsTitle(text: string): boolean {
  const words = text.match(/\p{L}+/gu)?.length ?? 0
  if (words > 30 || (words > 3 && /^\p{Ll}/u.test(text)) || breaksOff(text)) return false
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return text.length <= 250 && letters >= 0.5 * text.replace(/\s/g, '').length && !isLabel(text) && isTitle(text)
}

const firstPages = 3

/** Returns whether the first pages have at least half of the words of a title, or hardly any text. */
function isOfDocument(title: string, flow: readonly FlowLine[]): boolean {
  const start = flow[0]?.block.page ?? 1
  const text = flow.filter(({ block }) => block.page < start + firstPages).map(({ line }) => line.text)
  const shown = headingKey(text.join(' '))
  if (shown.length < 200) return true
  const words = title
    .split(/[\s\p{P}]+/u)
    .map(headingKey)
    .filter(Boolean)
  return words.filter((word) => shown.includes(word)).length >= 0.5 * words.length
}
