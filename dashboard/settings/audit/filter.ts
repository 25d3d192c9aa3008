import type { AuditEntry } from '@groundwork/api'
import { startOfDay } from '../../lib/days.ts'
import { optionalDay, optionalId } from '../../lib/search-params.ts'

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
    actor: optionalId(search['actor']),
    target: optionalId(search['target']),
    from: optionalDay(search['from']),
    to: optionalDay(search['to']),
  }
}

/** Checks only the format. The API knows the valid actions. */
const isAction = (value: unknown): value is AuditAction => typeof value === 'string' && /^[a-z_]+\.[a-z_]+$/.test(value)

/** Converts the filter to query parameters of the API. */
export const auditQueryOf = ({ actions, actor, target, from, to }: AuditFilter) => ({
  ...(actions && { action: actions }),
  ...(actor !== undefined && { actorId: actor }),
  ...(target !== undefined && { targetId: target }),
  ...(from !== undefined && { since: startOfDay(from, 0) }),
  ...(to !== undefined && { until: startOfDay(to, 1) }),
})
