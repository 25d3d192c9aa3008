export { Groundwork } from './client.ts'
export * from './errors.ts'
export type { EventOf, StreamOptions } from './event-stream.ts'
export type { Page, Paged } from './paging.ts'
export { etagOf, type GroundworkOptions, type RequestOptions } from './transport.ts'
export type { FileContent, UploadOptions } from './uploads.ts'
export { SourceFailedError, type WaitOptions } from './wait.ts'
export { verifyWebhook, WebhookVerificationError, type WebhookEvent, type WebhookFault, type WebhookHeaders } from './webhooks.ts'
export type {
  ApiToken,
  Base,
  Contact,
  Event,
  EventType,
  Proposal,
  Scope,
  SearchFilter,
  SearchHit,
  SearchReply,
  Source,
  Upload,
} from '@groundwork/api'
