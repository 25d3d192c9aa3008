import type { AuditEntry } from '@groundwork/api'
import { optionalText } from '../../lib/search-params.ts'

export type AuditAction = AuditEntry['action']

/** What of the log is shown, as the address has it; days are those of the reader. */
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

/** By its form; the service knows which there are. */
const isAction = (value: unknown): value is AuditAction => typeof value === 'string' && /^[a-z_]+\.[a-z_]+$/.test(value)

/** As the API takes it. */
export const auditQueryOf = ({ actions, actor, target, from, to }: AuditFilter) => ({
  ...(actions && { action: actions }),
  ...(actor !== undefined && { actorId: actor }),
  ...(target !== undefined && { targetId: target }),
  ...(from !== undefined && { since: startOf(from, 0) }),
  ...(to !== undefined && { until: startOf(to, 1) }),
})

const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined

/** Midnight where the reader is, so many days later. */
function startOf(day: string, daysLater: number): string {
  const moment = new Date(`${day}T00:00:00`)
  moment.setDate(moment.getDate() + daysLater)
  return moment.toISOString()
}
