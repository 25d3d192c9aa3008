import type { VideoService } from './service.ts'
import type { SourceVideo } from './source-video.ts'
import { fetchTranscript } from './transcript.ts'
import { webVtt } from './web-vtt.ts'

export const transcriptType = 'text/vtt'

/**
 * Fetches the captions of a video as a WebVTT file, with equal bytes for equal captions, and the metadata of the video.
 * @param otherwise the preferred language if the source names none
 * @throws SourceError as `fetchTranscript` does
 */
export async function obtainTranscript(
  service: VideoService,
  video: SourceVideo,
  otherwise: string | null,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; video: SourceVideo }> {
  const wanted = [video.requestedLanguage, otherwise].filter((tag) => tag !== null)
  const { cues, language, automatic, languages, ...known } = await fetchTranscript(service, video.id, wanted, signal)
  return {
    bytes: Buffer.from(webVtt(cues, language)),
    video: {
      ...video,
      ...known,
      captions: automatic ? 'automatic' : 'manual',
      captionLanguage: language,
      captionLanguages: [...languages],
    },
  }
}
