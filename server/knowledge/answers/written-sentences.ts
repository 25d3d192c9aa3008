import { sentenceSplitter } from '../chunk/sentences.ts'
import { markerPattern } from './grounding.ts'

/**
 * Returns the sentences of a text that arrives in parts, each as soon as the next one has begun, because markers of passages can
 * follow the full stop: `At nine. [1]`. White space after a sentence belongs to it.
 */
export async function* writtenSentences(parts: AsyncIterable<string>, language: string | null): AsyncGenerator<string> {
  const split = sentenceSplitter(language)
  let text = ''
  for await (const part of parts) {
    text += part
    const ends = sentenceEnds(text, split)
    // The last sentence can go on, and markers can follow the one before it.
    const complete = ends.at(-2) ?? 0
    let from = 0
    for (const end of ends) {
      if (end > complete) break
      yield text.slice(from, end)
      from = end
    }
    text = text.slice(from)
  }
  let from = 0
  for (const end of sentenceEnds(text, split)) {
    yield text.slice(from, end)
    from = end
  }
}

/**
 * Returns the ends of sentences, after the markers that follow and white space. A line break ends a sentence. Within a link or an
 * image, as in `![map](…)`, no sentence ends, because white space follows a sentence except after marks such as `。`.
 */
function sentenceEnds(text: string, split: ReturnType<typeof sentenceSplitter>): number[] {
  const starts: number[] = []
  for (const line of text.matchAll(/[^\n]+/g)) {
    const begin = line.index
    for (const { start, end } of split(text, begin, begin + line[0].length)) {
      const rest = text.slice(start, end)
      const markers = new RegExp(`^(?:${markerPattern.source})+`).exec(rest)?.[0].length ?? 0
      const isMarkersOnly = rest.slice(markers).trim() === ''
      const at = starts.length > 0 ? start + markers : start
      const isAfterSentence = start === begin || /[\s。！？｡]$/u.test(text.slice(0, at)) || /^\s/.test(text.slice(at))
      if (isAfterSentence && !(isMarkersOnly && starts.length > 0)) starts.push(at)
    }
  }
  return [...starts.slice(1), ...(starts.length > 0 ? [text.length] : [])]
}
