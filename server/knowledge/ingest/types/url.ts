import { admittedUrl } from '../../../outbound/admitted-url.ts'
import type { KnowledgeContext } from '../../context.ts'
import { costBySize, documentStages } from '../document-stages.ts'
import { extractPage, fetchPage } from '../page.ts'
import { processSourceQueue } from '../queue.ts'
import { unsupported, type Address, type SourceInput, type SourceTypeDefinition } from '../source-type.ts'

/** A web page, or a file at a URL. */
export const url: SourceTypeDefinition = {
  queue: processSourceQueue,
  cost: costBySize,
  address: webAddress,
  namedByUrl: true,
  fetch: documentStages({
    async download({ attempt, services, document, serving }) {
      if (document.url === null) throw unsupported('url')
      return fetchPage(attempt, services, document, document.url, serving?.url === document.url ? serving : null)
    },
    async extract({ services, attempt }, input, document) {
      if (document.url === null) throw unsupported('url')
      const page = { ...input, url: document.url, fetchedFrom: document.canonical_url ?? document.url }
      return extractPage(services.extractor, page, attempt.signal)
    },
  }),
}

/** Returns the address of a page or site. */
export function webAddress({ outbound }: Pick<KnowledgeContext, 'outbound'>, input: SourceInput): Address {
  if (input.url !== undefined) admittedUrl(outbound, input.url)
  return { url: input.url ?? null, video: null }
}
