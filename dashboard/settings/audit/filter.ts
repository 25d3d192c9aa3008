import type { AuditEntry } from '@groundwork/api'
import { optionalText } from '../../lib/search-params.ts'

export type AuditAction = AuditEntry['action']

/** The filter in the URL. Days are in the time zone of the browser. */
export interface AuditFilter {
  actions?: AuditAction[] | undefined
  actor?: string | undefined
  target?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export function auditFilterOf(search: Record<string, unknown>): AuditFilter {
  const actions = Array.isArray(search['actions']) ? search['actions'].filter(isAction) : []
  return {
    actions: actions.length === 0 ? undefined : actions,
    actor: optionalText(search['actor']),
    target: optionalText(search['target']),
    from: dayOf(search['from']),
    to: dayOf(search['to']),
  }
}

/** Checks only the format. The API knows the valid actions. */
const isAction = (value: unknown): value is AuditAction => typeof value === 'string' && /^[a-z_]+\.[a-z_]+$/.test(value)

/** Converts the filter to query parameters of the API. */
export const auditQueryOf = ({ actions, actor, target, from, to }: AuditFilter) => ({
  ...(actions && { action: actions }),
  ...(actor !== undefined && { actorId: actor }),
  ...(target !== undefined && { targetId: target }),
  ...(from !== undefined && { since: startOf(from, 0) }),
  ...(to !== undefined && { until: startOf(to, 1) }),
})

const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined

/** Returns midnight in the browser’s time zone, `daysLater` days after `day`. */
function startOf(day: string, daysLater: number): string {
  const moment = new Date(`${day}T00:00:00`)
  moment.setDate(moment.getDate() + daysLater)
  return moment.toISOString()
}
