import type { Context, CoreServices } from '../context.ts'
import type { Measurements } from '../lib/measurements.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import type { Outbound } from '../outbound/outbound.ts'

export interface WebhookServices extends CoreServices {
  /** Checks whether outbound requests to a URL are allowed. The dispatcher receives `Outbound` itself. */
  readonly outbound: Pick<Outbound, 'check'>
  /** Encrypts the secrets of endpoints. */
  readonly secretKey: SecretKeys
  readonly measurements: Measurements
}

export interface WebhookContext extends Context, WebhookServices {}
