import type { WebhookEndpoint } from '@groundwork/api'

export type Health = 'working' | 'failing' | 'manual' | 'gone' | 'given-up'

/** Derives the health of an endpoint from its record. */
export function healthOf({
  enabled,
  disabledReason,
  failingSince,
}: Pick<WebhookEndpoint, 'enabled' | 'disabledReason' | 'failingSince'>): Health {
  if (enabled) return failingSince === null ? 'working' : 'failing'
  if (disabledReason === 'gone') return 'gone'
  return disabledReason === 'failing' ? 'given-up' : 'manual'
}

export const healthColors = { working: 'green', failing: 'yellow', manual: 'gray', gone: 'red', 'given-up': 'red' } as const

/** Formats JSON with indentation. Returns other text unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
