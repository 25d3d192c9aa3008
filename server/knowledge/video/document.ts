import { sourceWarning, type SourceWarning } from '@groundwork/api'
import type { Block, ExtractedDocument } from '../extract/document.ts'
import { SourceError } from '../../lib/errors.ts'
import type { Chapter } from './chapters.ts'
import type { SourceVideo } from './source-video.ts'
import { languageOf } from './tracks.ts'

const transcriptTypes = new Set(['text/vtt', 'application/x-subrip', 'text/plain'])

/**
 * Converts a transcript to the document of its video: its title and channel as title, its chapters as headings, and a warning
 * if the captions are not in the requested language.
 * @throws SourceError `unsupported_type` for an uploaded file that is not a transcript
 */
export function videoDocument(transcript: ExtractedDocument, video: SourceVideo): ExtractedDocument {
  if (!transcriptTypes.has(transcript.mediaType))
    throw new SourceError('unsupported_type', `A transcript is a VTT, SRT or TXT file; this one is ${transcript.mediaType}.`)
  const title = [video.title, video.author].filter(Boolean).join(' – ')
  const language = video.captionLanguage === null ? '' : languageOf(video.captionLanguage)
  return {
    ...withChapters(transcript, video.chapters),
    title: title || transcript.title,
    language: language.length === 2 ? language : transcript.language,
    warnings: [...transcript.warnings, ...warningsOf(video)],
  }
}

function warningsOf({ requestedLanguage, captionLanguage, captionLanguages }: SourceVideo): SourceWarning[] {
  if (requestedLanguage === null || captionLanguage === null || languageOf(requestedLanguage) === languageOf(captionLanguage)) return []
  return [
    sourceWarning('captions_other_language', {
      requested: requestedLanguage,
      language: captionLanguage,
      languages: captionLanguages.join(', '),
    }),
  ]
}

/** Inserts the title of each chapter as a heading before its first block. */
function withChapters(document: ExtractedDocument, chapters: readonly Chapter[]): ExtractedDocument {
  const blocks: Block[] = []
  const texts: string[] = []
  let length = 0
  const add = (block: Block, text: string): void => {
    const start = length === 0 ? 0 : length + 2
    length = start + text.length
    blocks.push({ ...block, start, end: length })
    texts.push(text)
  }
  let next = 0
  for (const block of document.blocks) {
    const before = next
    while ((chapters[next]?.startSecond ?? Infinity) <= (block.startSecond ?? -1)) next++
    const chapter = next > before ? chapters[next - 1] : undefined
    if (chapter) add({ kind: 'heading', level: 1, startSecond: chapter.startSecond, start: 0, end: 0 }, chapter.title)
    add(block, document.text.slice(block.start, block.end))
  }
  return { ...document, text: texts.join('\n\n'), blocks }
}
