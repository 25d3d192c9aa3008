import { fileKey, keepFile } from '../../rows/documents.ts'
import { watchUrl } from '../../video/address.ts'
import { videoDocument } from '../../video/document.ts'
import { obtainTranscript, transcriptType } from '../../video/obtain.ts'
import { requestedVideo, storedVideo } from '../../video/source-video.ts'
import { costBySize, documentStages } from '../document-stages.ts'
import { processSourceQueue } from '../queue.ts'
import { unsupported, type SourceTypeDefinition } from '../source-type.ts'

/** The transcript of a video: its captions, or an uploaded transcript. */
export const youtube: SourceTypeDefinition = {
  queue: processSourceQueue,
  cost: costBySize,
  address(ctx, input) {
    const video = requestedVideo(ctx, input)
    return { url: watchUrl(video.id), video }
  },
  fetch: documentStages({
    /** Stores the captions with the metadata of the video. The language of the knowledge base is the default of the source. */
    async download({ attempt, services, document, language }) {
      const about = storedVideo(document.video)
      if (about === null) throw unsupported('youtube')
      const { bytes, video } = await obtainTranscript(services.video, about, language, attempt.signal)
      const file = { key: fileKey(attempt, 'originals', document), bytes }
      const changes = { bytes: bytes.length, content_type: transcriptType, media_type: transcriptType, video: JSON.stringify(video) }
      return keepFile(attempt, document, 'original_key', file, changes)
    },
    async extract({ services, attempt }, input, { video }) {
      const about = storedVideo(video)
      if (about === null) throw unsupported('youtube')
      return { document: videoDocument(await services.extractor.extract(input, attempt.signal), about) }
    },
  }),
}
