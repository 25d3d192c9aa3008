import type { Source } from './records.ts'
import { messagesOf } from '../messages/messages.ts'
import { knowledgeMessages } from './messages.ts'

interface SourceReasons {
  retry: string | undefined
  cancel: string | undefined
  sync: string | undefined
}

/** Returns why each action is not possible for a source, undefined if it is: the refusals of the API, known in advance. */
export function reasonsOf({
  status,
  errorCode,
  url,
  storageUrl,
}: Pick<Source, 'status' | 'errorCode' | 'url' | 'storageUrl'>): SourceReasons {
  const { reasons } = messagesOf(knowledgeMessages).sources
  const processing = status === 'processing' ? reasons.processing : undefined
  return {
    retry: processing ?? (errorCode === null ? reasons.notFailed : undefined),
    cancel: processing === undefined ? reasons.notProcessing : undefined,
    // A video with an uploaded transcript has both.
    sync: url === undefined || storageUrl !== undefined ? reasons.uploaded : processing,
  }
}
