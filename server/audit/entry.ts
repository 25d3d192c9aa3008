import type { AuditAction } from '@groundwork/api'
import type { Insertable } from 'kysely'
import { actorId, type Context } from '../context.ts'
import type { AuditEntryTable } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'

/** The author of a change in the audit log. */
export interface Author {
  readonly type: AuditEntryTable['actor_type']
  readonly id: string | null
  readonly address: string | null
  readonly requestId: string | null
}

export interface Change {
  readonly action: AuditAction
  /** The public id of the changed record. */
  readonly target: string
}

export const system: Author = { type: 'system', id: null, address: null, requestId: null }
export const commandLine: Author = { type: 'command_line', id: null, address: null, requestId: null }

/** Returns the context's actor or recipient; in a job, the one for whom it works, or the service itself. */
export function authorOf({ actor, recipient, author }: Context): Author {
  if (author !== undefined) return { ...author, address: null, requestId: null }
  if (recipient !== undefined) return { type: 'recipient', ...recipient }
  if (actor === undefined) return system
  return { type: actor.kind, id: actorId(actor), address: actor.address, requestId: actor.requestId }
}

/** Returns the row of an audit entry. */
export function entryOf(organizationId: string, now: Date, author: Author, { action, target }: Change): Insertable<AuditEntryTable> {
  return {
    organization_id: organizationId,
    created_at: now,
    id: newId(now.getTime()),
    action,
    actor_type: author.type,
    actor_id: author.id,
    address: author.address,
    request_id: author.requestId,
    target_kind: target.slice(0, -37),
    target_id: target.slice(-36),
  }
}
