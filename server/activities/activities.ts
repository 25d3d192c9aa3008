import { wireId, type Activity, type CreateActivity, type UpdateActivity } from '@groundwork/api'
import { authorOf } from '../audit/entry.ts'
import { select, withTransaction, type Context } from '../context.ts'
import { requireOwnRecord } from '../contacts/agent-writes.ts'
import { lockContact } from '../contacts/lock.ts'
import { changedColumns, isEmpty } from '../db/changed-columns.ts'
import type { Transaction } from '../db/schema.ts'
import { violatedIndex } from '../db/violations.ts'
import { emit } from '../events/emit.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { pastTime } from '../lib/past-time.ts'
import { isInteraction, refreshLastInteraction } from './last-interaction.ts'
import { shownActivities, toActivity, type ActivityRow } from './record.ts'

/** The path of an activity. */
export interface OfActivity {
  id: string
  activityId: string
}

/**
 * Adds an activity to a contact. A repeated request with the same externalId returns the stored activity unchanged, so a client can
 * repeat it after a failure.
 * @throws AppError `not_found`; `conflict` if the activity with this externalId has another type or contact; `validation_error` if
 * the assignee is no member, or `occurredAt` is in the future
 */
export function createActivity(ctx: Context, contactId: string, input: CreateActivity): Promise<Activity> {
  return withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    const occurredAt = occurredAtOf(now, input) ?? now
    await lockContact(trx, contactId)
    await requireMember(trx, input.assigneeId)
    const author = authorOf(ctx)
    const row = await trx
      .insertInto('activity')
      .values({
        organization_id: ctx.organizationId,
        id: newId(now.getTime()),
        contact_id: contactId,
        type: input.type,
        direction: input.direction ?? null,
        text: input.text ?? null,
        duration_seconds: input.durationSeconds ?? null,
        occurred_at: occurredAt,
        external_id: input.externalId ?? null,
        due_at: input.dueAt == null ? null : new Date(input.dueAt),
        assignee_id: input.assigneeId ?? null,
        done_at: input.done === true ? now : null,
        actor_type: author.type,
        actor_id: author.id,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.columns(['organization_id', 'external_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return sameActivity(trx, contactId, input)
    if (isInteraction(input.type)) await refreshLastInteraction(trx, contactId)
    const activity = await read(trx, row.id)
    await emit(ctx, trx, 'activity.created', activity)
    return activity
  })
}

/** @throws AppError `not_found` */
export async function getActivity(ctx: Context, { id, activityId }: OfActivity): Promise<Activity> {
  const [row] = await select(ctx, (db) =>
    shownActivities(db)
      .innerJoin('contact', 'contact.id', 'activity.contact_id')
      .where('activity.id', '=', activityId)
      .where('activity.contact_id', '=', id)
      .where('contact.deleted_at', 'is', null),
  )
  if (row === undefined) throw noSuchActivity()
  return toActivity(row)
}

/**
 * Changes the given fields; null clears one. An activity that has all values already is not changed: there is no event.
 * @throws AppError `not_found`; `conflict` if the externalId is taken; `validation_error` if the activity may not have the field;
 * `forbidden` for an agent that did not write it
 */
export async function updateActivity(ctx: Context, { id, activityId }: OfActivity, input: UpdateActivity): Promise<Activity> {
  try {
    return await withTransaction(ctx, async (trx) => {
      const before = await lockActivity(trx, { id, activityId })
      requireOwnRecord(ctx, before.actor_id)
      const now = ctx.now()
      requireFields(before, input)
      await requireMember(trx, input.assigneeId)
      const occurredAt = occurredAtOf(now, input)
      const changed = changedColumns(before, {
        ...(input.direction !== undefined && { direction: input.direction }),
        ...(input.text !== undefined && { text: input.text }),
        ...(input.durationSeconds !== undefined && { duration_seconds: input.durationSeconds }),
        ...(input.externalId !== undefined && { external_id: input.externalId }),
        ...(input.dueAt !== undefined && { due_at: input.dueAt === null ? null : new Date(input.dueAt) }),
        ...(input.assigneeId !== undefined && { assignee_id: input.assigneeId }),
        ...(input.done !== undefined && { done_at: input.done ? (before.done_at ?? now) : null }),
        ...(occurredAt !== undefined && { occurred_at: occurredAt }),
      })
      if (isEmpty(changed)) return read(trx, activityId)
      await trx
        .updateTable('activity')
        .set({ ...changed, updated_at: now })
        .where('id', '=', activityId)
        .execute()
      if ('occurred_at' in changed && isInteraction(before.type)) await refreshLastInteraction(trx, id)
      const activity = await read(trx, activityId)
      await emit(ctx, trx, 'activity.updated', activity)
      return activity
    })
  } catch (error) {
    if (violatedIndex(error) !== 'activity_organization_id_external_id_key') throw error
    throw new AppError('conflict', 'Another activity has this externalId.', { field: 'externalId', cause: error })
  }
}

/** @throws AppError `not_found`; `forbidden` for an agent that did not write it */
export function deleteActivity(ctx: Context, of: OfActivity): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    const { type, actor_id } = await lockActivity(trx, of)
    requireOwnRecord(ctx, actor_id)
    const activity = await read(trx, of.activityId)
    await trx.deleteFrom('activity').where('id', '=', of.activityId).execute()
    if (isInteraction(type)) await refreshLastInteraction(trx, of.id)
    await emit(ctx, trx, 'activity.deleted', activity)
  })
}

/** Deletes all activities of a contact. Returns their number. */
export async function deleteActivitiesOf(trx: Transaction, contactId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('activity').where('contact_id', '=', contactId).executeTakeFirst()
  return Number(numDeletedRows)
}

const read = async (trx: Transaction, id: string): Promise<Activity> =>
  toActivity(await shownActivities(trx).where('activity.id', '=', id).executeTakeFirstOrThrow())

/** The activity that a former request with the same externalId stored. */
async function sameActivity(trx: Transaction, contactId: string, { externalId, type }: CreateActivity): Promise<Activity> {
  const row = await shownActivities(trx)
    .where('external_id', '=', externalId ?? null)
    .where('contact_id', '=', contactId)
    .where('type', '=', type)
    .executeTakeFirst()
  if (row !== undefined) return toActivity(row)
  throw new AppError('conflict', 'An activity of another type or contact has this externalId.', { field: 'externalId' })
}

async function lockActivity(trx: Transaction, { id, activityId }: OfActivity): Promise<ActivityRow> {
  await lockContact(trx, id)
  const row = await trx
    .selectFrom('activity')
    .selectAll()
    .where('id', '=', activityId)
    .where('contact_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw noSuchActivity()
  return row
}

async function requireMember(trx: Transaction, userId: string | null | undefined): Promise<void> {
  if (userId == null) return
  const member = await trx.selectFrom('membership').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  if (member !== undefined) return
  throw new AppError('validation_error', `There is no member ${wireId('usr', userId)}.`, { field: 'assigneeId' })
}

function requireFields({ type }: ActivityRow, input: UpdateActivity): void {
  const ofTasks = (['dueAt', 'assigneeId', 'done'] as const).find((field) => input[field] !== undefined)
  if (type !== 'task' && ofTasks !== undefined) {
    throw new AppError('validation_error', `${ofTasks} is only allowed for an activity of the type task.`, { field: ofTasks })
  }
  if ((type === 'note' || type === 'task') && input.text === null) {
    throw new AppError('validation_error', 'A note and a task need a text.', { field: 'text' })
  }
}

const occurredAtOf = (now: Date, { occurredAt }: { occurredAt?: string | undefined }): Date | undefined =>
  occurredAt === undefined ? undefined : pastTime(now, occurredAt, 'occurredAt', ' Plan with a task that has a dueAt.')

const noSuchActivity = (): AppError => new AppError('not_found', 'There is no such activity.')
