import { obtainTranscript, transcriptType } from '../video/obtain.ts'
import type { VideoService } from '../video/service.ts'
import type { SourceVideo } from '../video/source-video.ts'
import { fileKey, keepFile, type Document } from '../rows/documents.ts'
import type { Attempt } from '../rows/attempt.ts'

/**
 * Fetches the captions of a video and stores them as the document's original, with the metadata of the video.
 * @param language of the knowledge base, the default of the source
 * @throws SourceError if there are none or they cannot be fetched; Superseded
 */
export async function fetchCaptions(
  attempt: Attempt,
  service: VideoService,
  document: Document,
  about: SourceVideo,
  language: string | null,
): Promise<Document> {
  const { bytes, video } = await obtainTranscript(service, about, language, attempt.signal)
  return keepFile(
    attempt,
    document,
    'original_key',
    { key: fileKey(attempt, 'originals', document), bytes },
    { video: JSON.stringify(video), bytes: bytes.length, content_type: transcriptType, media_type: transcriptType },
  )
}
