import type { NewSource, SourceVideo as KnownVideo } from '@groundwork/api'
import { AppError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import { isYouTube, videoIdOf } from './address.ts'
import type { Chapter } from './chapters.ts'

/** The stored metadata of a video: the public fields and the chapters. */
export interface SourceVideo extends KnownVideo {
  readonly chapters: readonly Chapter[]
}

/**
 * Returns the video of a new source, before its metadata is known.
 * @throws AppError `validation_error`, field `url`, if the URL is not a video
 */
export function requestedVideo(
  ctx: Pick<KnowledgeContext, 'youtubeUrl'>,
  { url, storageUrl, language }: Pick<NewSource, 'url' | 'storageUrl' | 'language'>,
): SourceVideo {
  const id = videoIdOf(url ?? '', !isYouTube(ctx.youtubeUrl))
  if (id === null) {
    const message = 'url must be the address of a YouTube video, such as https://www.youtube.com/watch?v=dQw4w9WgXcQ'
    throw new AppError('validation_error', message, { field: 'url', issues: [{ field: 'url', code: 'invalid', message }] })
  }
  return {
    id,
    title: null,
    author: null,
    durationSeconds: null,
    captions: storageUrl === undefined ? null : 'uploaded',
    captionLanguage: null,
    captionLanguages: [],
    requestedLanguage: language ?? null,
    chapters: [],
  }
}

/** Parses the column `source.video`, which stores a `SourceVideo`. */
export function storedVideo(column: unknown): SourceVideo | null {
  return column as SourceVideo | null
}
