import type { SearchHit } from '@groundwork/sdk'
import { command } from './command.ts'
import { UsageError } from './failure.ts'
import { findBase } from './find-base.ts'
import { printable, type Output } from './output.ts'
import { positive } from './tokens.ts'

export const searchBase = command({
  words: 'search',
  takes: 'BASE QUESTION…',
  summary: 'find passages that answer a question, with their score and location',
  options: {
    top: { type: 'string', value: 'COUNT', about: 'maximum number of passages (default: the setting of the knowledge base)' },
    threshold: { type: 'string', value: 'SCORE', about: 'minimum score of a passage, 0 to 1' },
  },
  async run({ client, output, signal }, [given = '', ...words], { top, threshold }) {
    const similarityThreshold = threshold === undefined ? undefined : Number(threshold)
    if (similarityThreshold !== undefined && !(similarityThreshold >= 0 && similarityThreshold <= 1))
      throw new UsageError('--threshold must be a score from 0 to 1')
    const baseId = await findBase(client, given, signal)
    const reply = await client.bases.search(
      baseId,
      {
        query: words.join(' '),
        ...(top !== undefined && { topK: positive(top, '--top') }),
        ...(similarityThreshold !== undefined && { similarityThreshold }),
      },
      { signal },
    )
    if (reply.degraded.length > 0) output.note(`without: ${reply.degraded.join(', ')}`)
    const below = reply.belowThreshold === 0 ? '' : `; ${reply.belowThreshold} below the threshold`
    if (reply.data.length === 0) output.note(`no passages found${below}`)
    else output.note(`confidence ${reply.confidence.toFixed(2)}${below}`)
    if (output.json || reply.data.length > 0) await output.record(reply, reply.data.map((hit) => passage(hit, output)).join('\n\n'))
  },
})

function passage(hit: SearchHit, { paint }: Output): string {
  const address = hit.url === null ? '' : `  ${paint.dim(printable(hit.url))}`
  const lines = emphasized(hit, paint.bold).map((line) => `      ${line}`.trimEnd())
  return [`${paint.green(hit.score.toFixed(2))}  ${paint.bold(printable(locationOf(hit)))}${address}`, ...lines].join('\n')
}

/** Returns the position of a passage: `Handbook, page 2 › Deposits`, `Talk, at 1:02:05`. */
export function locationOf({ sourceName, citation }: Pick<SearchHit, 'sourceName' | 'citation'>): string {
  const { page, pageEnd, startSecond, headingPath } = citation
  const pages = page === null ? [] : [pageEnd === null || pageEnd === page ? `page ${page}` : `pages ${page}–${pageEnd}`]
  const times = startSecond === null ? [] : [`at ${clockTime(startSecond)}`]
  return [[sourceName, ...pages, ...times].join(', '), ...headingPath].join(' › ')
}

function clockTime(seconds: number): string {
  const two = (part: number): string => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** Returns the lines of a passage, with its best sentence or table row emphasized. */
export function emphasized(
  { text, highlights: [best] }: Pick<SearchHit, 'text' | 'highlights'>,
  emphasize: (text: string) => string,
): string[] {
  let offset = 0
  return text.split('\n').map((line) => {
    const start = Math.max(0, (best?.start ?? 0) - offset)
    const end = Math.min(line.length, (best?.end ?? 0) - offset)
    offset += line.length + 1
    if (end <= start) return printable(line)
    return [printable(line.slice(0, start)), emphasize(printable(line.slice(start, end))), printable(line.slice(end))].join('')
  })
}
