/** Days for which rows of logs are kept. */
export interface RetentionDays {
  /** Also the deliveries of webhooks, with their attempts. */
  readonly events: number
  readonly audit: number
  /** Upper limit for the search logs of all knowledge bases. */
  readonly retrievals: number
}

export const defaultRetentionDays: RetentionDays = { events: 90, audit: 400, retrievals: 365 }
