import { dueHours, overviewEntries, type Activity, type ListActivities, type ListTasks, type Overview, type Task } from '@groundwork/api'
import { sql } from 'kysely'
import { presentContact } from '../contact-merges/survivor.ts'
import { select, withTransaction, type Context } from '../context.ts'
import { requireContact } from '../contacts/lock.ts'
import type { Transaction } from '../db/schema.ts'
import { decodeCursor, pageOf } from '../lib/cursor.ts'
import { shownActivities, toActivity, toTask } from './record.ts'

/**
 * Lists the activities of a contact, the latest first.
 * @throws AppError `not_found`; `bad_request`, field `cursor`
 */
export function listActivities(
  ctx: Context,
  contactId: string,
  { limit, cursor, type }: ListActivities,
): Promise<{ data: Activity[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    await requireContact(trx, contactId)
    let query = shownActivities(trx)
      .where('contact_id', '=', contactId)
      .orderBy('occurred_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
    if (type !== undefined) query = query.where('type', 'in', type)
    if (cursor !== undefined) {
      const { createdAt, id } = decodeCursor(cursor)
      query = query.where(sql<boolean>`(occurred_at, id) < (${createdAt}, ${id}::uuid)`)
    }
    const rows = (await query.execute()).map((row) => ({ created_at: row.occurred_at, id: row.id, row }))
    const page = pageOf(rows, limit)
    return { data: page.rows.map(({ row }) => toActivity(row)), nextCursor: page.nextCursor }
  })
}

/** The place of tasks without a due time, as in the index `activity_due_order`. */
const never = new Date('9999-12-31T23:59:59.999Z')
const due = sql<Date>`case when activity.due_at is not null then activity.due_at else timestamptz '9999-12-31 23:59:59.999+00' end`

const openTasks = (db: Transaction) =>
  shownActivities(db)
    .innerJoin('contact', (join) =>
      join.onRef('contact.organization_id', '=', 'activity.organization_id').onRef('contact.id', '=', 'activity.contact_id'),
    )
    .select(['contact.first_name', 'contact.last_name', 'contact.email', 'contact.phone'])
    .where('activity.type', '=', 'task')
    .where('activity.done_at', 'is', null)
    .where('contact.deleted_at', 'is', null)
    .orderBy(due)
    .orderBy('activity.id')

/**
 * Lists open tasks by their due times.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function listTasks(
  ctx: Context,
  { limit, cursor, assigneeId, contactId }: ListTasks,
): Promise<{ data: Task[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await select(ctx, (db) => {
    let query = openTasks(db).limit(limit + 1)
    if (assigneeId !== undefined) query = query.where('activity.assignee_id', '=', assigneeId)
    if (contactId !== undefined) query = query.where('activity.contact_id', '=', presentContact(contactId))
    if (after !== undefined) query = query.where(sql<boolean>`(${due}, activity.id) > (${after.createdAt}, ${after.id}::uuid)`)
    return query
  })
  const page = pageOf(
    rows.map((row) => ({ created_at: row.due_at ?? never, id: row.id, row })),
    limit,
  )
  return { data: page.rows.map(({ row }) => toTask(row)), nextCursor: page.nextCursor }
}

/** Returns the open tasks that are overdue or due soon. */
export async function dueTasks(ctx: Context): Promise<NonNullable<Overview['attention']['tasks']>> {
  const soon = new Date(ctx.now().getTime() + dueHours * 3_600_000)
  const rows = await select(ctx, (db) =>
    openTasks(db)
      .select(({ fn }) => fn.countAll<number>().over().as('count'))
      .where(due, '<', soon)
      .limit(overviewEntries),
  )
  return { count: rows[0]?.count ?? 0, data: rows.map(toTask) }
}
