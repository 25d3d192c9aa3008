import { wireId, type ContactView, type CreateContactView, type ListContactViews, type UpdateContactView } from '@groundwork/api'
import { audit } from '../audit/audit.ts'
import { contactCondition } from '../contacts/filter.ts'
import { requireMember } from '../contacts/given-columns.ts'
import { select, withTransaction, type Context } from '../context.ts'
import { requireBelow } from '../db/counted-limit.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { toView, type ContactViewRow } from './record.ts'

const maxViews = 200

/**
 * @throws AppError `validation_error`, field `filter…`, `columns…` or `shared`; `conflict` if there are too many views
 */
export function createView(ctx: Context, input: CreateContactView): Promise<ContactView> {
  const ownerId = userOf(ctx)
  const { shared = ownerId === null } = input
  if (!shared && ownerId === null) throw notPrivate('a view of a token is shared')
  if (input.filter) contactCondition(input.filter)
  return withTransaction(ctx, async (trx) => {
    // The trigger `contact_view_owner_left` sees the view if the member leaves meanwhile.
    await requireMember(trx, ownerId)
    await requireColumns(trx, input.columns)
    await requireBelow(trx, {
      table: 'contact_view',
      max: maxViews,
      message: `An organization can have at most ${maxViews} views of contacts.`,
    })
    const now = ctx.now()
    const row = await trx
      .insertInto('contact_view')
      .values({
        organization_id: ctx.organizationId,
        id: newId(now.getTime()),
        name: input.name,
        filter: stored(input.filter),
        q: input.q ?? null,
        sort: input.sort,
        columns: input.columns,
        shared,
        owner_id: ownerId,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'contact_view.created', target: wireId('view', row.id) })
    return toView(row)
  })
}

/** @throws AppError `not_found` */
export async function getView(ctx: Context, id: string): Promise<ContactView> {
  const [row] = await select(ctx, (db) => visibleViews(ctx, db).where('id', '=', id))
  if (row === undefined) throw noSuchView()
  return toView(row)
}

/** @throws AppError `bad_request`, field `cursor` */
export async function listViews(ctx: Context, input: ListContactViews): Promise<{ data: ContactView[]; nextCursor: string | null }> {
  const found = await select(ctx, (db) => newestFirst(visibleViews(ctx, db), 'contact_view', input))
  const { rows, nextCursor } = pageOf(found, input.limit)
  return { data: rows.map(toView), nextCursor }
}

/**
 * @throws AppError `not_found`; `forbidden`; `validation_error`, field `filter…`, `columns…`, or `shared` if others than the owner stop sharing
 */
export function updateView(ctx: Context, id: string, { filter, ...input }: UpdateContactView): Promise<ContactView> {
  if (filter) contactCondition(filter)
  return withTransaction(ctx, async (trx) => {
    const before = await lockView(ctx, trx, id)
    if (input.shared === false && before.owner_id !== userOf(ctx)) throw notPrivate('only the owner of a view can stop sharing it')
    if (input.shared === false && before.owner_id === null) throw notPrivate('a view without an owner is shared')
    if (input.columns !== undefined) await requireColumns(trx, input.columns)
    const row = await trx
      .updateTable('contact_view')
      .set({ ...input, ...(filter !== undefined && { filter: stored(filter) }), updated_at: ctx.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, { action: 'contact_view.updated', target: wireId('view', id) })
    return toView(row)
  })
}

/** @throws AppError `not_found`; `forbidden` */
export function deleteView(ctx: Context, id: string): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    await lockView(ctx, trx, id)
    await trx.deleteFrom('contact_view').where('id', '=', id).execute()
    await audit(ctx, trx, { action: 'contact_view.deleted', target: wireId('view', id) })
  })
}

const userOf = ({ actor }: Context): string | null => (actor?.kind === 'user' ? actor.userId : null)

/** Selects the shared views and those of the user. */
function visibleViews(ctx: Context, db: Transaction) {
  const userId = userOf(ctx)
  return db
    .selectFrom('contact_view')
    .selectAll()
    .where((is) => (userId === null ? is('shared', '=', true) : is.or([is('shared', '=', true), is('owner_id', '=', userId)])))
}

/** @throws AppError `not_found`; `forbidden` for a shared view of another member, unless the user is an owner or admin */
async function lockView(ctx: Context, trx: Transaction, id: string): Promise<ContactViewRow> {
  const row = await visibleViews(ctx, trx).where('id', '=', id).forUpdate().executeTakeFirst()
  if (row === undefined) throw noSuchView()
  const { actor } = ctx
  if (actor?.kind !== 'user' || row.owner_id === null || row.owner_id === actor.userId) return row
  if (actor.role === 'owner' || actor.role === 'admin') return row
  throw new AppError('forbidden', 'Only its owner, and owners and admins of the organization, can change a shared view.')
}

/** @throws AppError `validation_error`, field `columns.<index>`, for a custom field that contacts do not have */
async function requireColumns(trx: Transaction, columns: readonly string[]): Promise<void> {
  const ids = columns.flatMap((name) => (name.startsWith('customFields.') ? [name.slice(-36)] : []))
  if (ids.length === 0) return
  const found = await trx.selectFrom('custom_field').select('id').where('entity', '=', 'contact').where('id', 'in', ids).execute()
  const known = new Set(found.map(({ id }) => id))
  const missing = columns.findIndex((name) => name.startsWith('customFields.') && !known.has(name.slice(-36)))
  if (missing === -1) return
  const field = `columns.${missing}`
  throw new AppError('validation_error', `${field}: contacts have no custom field ${columns[missing]?.slice(-40)}`, { field })
}

const stored = (filter: CreateContactView['filter']): string | null => (filter ? JSON.stringify(filter) : null)

const noSuchView = (): AppError => new AppError('not_found', 'There is no such view.')
const notPrivate = (reason: string): AppError => new AppError('validation_error', `shared: ${reason}`, { field: 'shared' })
