import { costBySize, documentStages } from '../document-stages.ts'
import { processSourceQueue } from '../queue.ts'
import { unsupported, type SourceTypeDefinition } from '../source-type.ts'

/** An uploaded file. */
export const file: SourceTypeDefinition = {
  queue: processSourceQueue,
  cost: costBySize,
  address: () => ({ url: null, video: null }),
  fetch: documentStages({
    download: () => Promise.reject(unsupported('file')),
    extract: async ({ services, attempt }, input) => ({ document: await services.extractor.extract(input, attempt.signal) }),
  }),
}
