import { wireId, type Activity, type Task } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { actorName, toActor } from '../audit/actor.ts'
import type { ActivityTable, Transaction } from '../db/schema.ts'

export type ActivityRow = Selectable<ActivityTable>

/** A row with what other tables say about it. */
export type ShownActivity = ActivityRow & { actor_name: string | null; assignee_is_member: boolean }

/** Selects activities with the name of their author, and whether the assignee is still a member. */
export const shownActivities = (db: Transaction) =>
  db
    .selectFrom('activity')
    .selectAll('activity')
    .select(actorName('activity').as('actor_name'))
    .select(
      sql<boolean>`exists (select from membership where membership.organization_id = activity.organization_id
        and membership.user_id = activity.assignee_id)`.as('assignee_is_member'),
    )

export function toActivity(row: ShownActivity): Activity {
  return {
    id: wireId('act', row.id),
    contactId: wireId('ctc', row.contact_id),
    type: row.type,
    direction: row.direction,
    text: row.text,
    durationSeconds: row.duration_seconds,
    occurredAt: row.occurred_at.toISOString(),
    externalId: row.external_id,
    dueAt: row.due_at?.toISOString() ?? null,
    assigneeId: row.assignee_id !== null && row.assignee_is_member ? wireId('usr', row.assignee_id) : null,
    doneAt: row.done_at?.toISOString() ?? null,
    createdBy: toActor(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export interface ContactNames {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
}

export function toTask(row: ShownActivity & ContactNames): Task {
  const name = [row.first_name, row.last_name].filter((part) => part !== null).join(' ')
  return { ...toActivity(row), contactName: name === '' ? (row.email ?? row.phone) : name }
}
