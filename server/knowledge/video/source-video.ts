import type { AddSource, SourceVideo as KnownVideo } from '@groundwork/api'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { isYouTube, videoIdOf } from './address.ts'
import type { Chapter } from './chapters.ts'

/** What a source keeps of its video: what callers see of it, and the chapters. */
export interface SourceVideo extends KnownVideo {
  readonly chapters: readonly Chapter[]
}

/**
 * The video that a source is to be added for, of which nothing more is known yet; null for other types of sources.
 * @throws AppError `validation_error`, field `url`, when the address names no video
 */
export function requestedVideo(
  ctx: Pick<Context, 'youtubeUrl'>,
  { type, url, storageUrl, language }: Pick<AddSource, 'type' | 'url' | 'storageUrl' | 'language'>,
): SourceVideo | null {
  if (type !== 'youtube') return null
  const id = videoIdOf(url ?? '', !isYouTube(ctx.youtubeUrl))
  if (id === null) {
    const message = 'must be the address of a YouTube video, such as https://www.youtube.com/watch?v=dQw4w9WgXcQ'
    throw new AppError('validation_error', `url: ${message}`, { field: 'url', issues: [{ field: 'url', code: 'invalid', message }] })
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

/** The column `source.video` as it was written from a `SourceVideo`. */
export function storedVideo(column: unknown): SourceVideo | null {
  return column as SourceVideo | null
}
