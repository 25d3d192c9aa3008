import { wireId, type ListViews } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { audit } from '../audit/audit.ts'
import type { Change } from '../audit/entry.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import { requireMember } from '../contacts/given-columns.ts'
import { select, withTransaction, type Context } from '../context.ts'
import { changedColumns, isEmpty } from '../db/changed-columns.ts'
import { requireBelow } from '../db/counted-limit.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { SavedViewTable, Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'

const maxViews = 200

/** The tables of saved views, with the prefix of their ids and the records of their lists. */
export const viewTables = {
  contact_view: { prefix: 'view', of: 'contacts' },
  proposal_list_view: { prefix: 'plv', of: 'proposals' },
  source_view: { prefix: 'srv', of: 'sources' },
} as const
export type ViewTable = keyof typeof viewTables

type ViewChange = 'created' | 'updated' | 'deleted'

/** Returns the audit entry of a change of a view. */
export const changeOf = (table: ViewTable, id: string, change: ViewChange): Change => ({
  action: `${table}.${change}`,
  target: wireId(viewTables[table].prefix, id),
})

/** What a request gives of a view besides the columns of its list. */
interface Given {
  name?: string | undefined
  filter?: object | null | undefined
  q?: string | null | undefined
  sort?: string | undefined
  shared?: boolean | undefined
}

/** The saved views of one list. */
export interface ViewKind<Row, View, New extends Given, Changed extends Given> {
  table: ViewTable
  /** Returns what is stored in the columns that only views of this list have. */
  columnsOf?: (input: New | Changed) => object
  /**
   * Returns the filter as it is stored.
   * @throws AppError `validation_error`, field `filter…`
   */
  readFilter?: (ctx: Context, filter: NonNullable<(New | Changed)['filter']>) => Promise<object>
  /** @throws AppError `validation_error`, for records that do not exist */
  checkRecords?: (trx: Transaction, input: New | Changed) => Promise<void>
  /** Returns the fields of a view besides those that views of every list have. */
  ownFields: (row: Row) => Omit<View, keyof CommonView>
}

/** The fields that views of every list have. */
interface CommonView {
  id: string
  name: string
  q: string | null
  shared: boolean
  ownerId: string | null
  createdAt: string
  updatedAt: string
}

interface WithId {
  params: { id: string }
}

/** The handlers of the saved views of one list. */
export function savedViews<
  Row extends CommonRow,
  View extends CommonView,
  New extends Given & { name: string; sort: string },
  Changed extends Given,
>(kind: ViewKind<Row, View, New, Changed>) {
  const { table, columnsOf = () => ({}), readFilter, checkRecords, ownFields } = kind
  const { prefix, of } = viewTables[table]
  const common = commonColumns(table)
  const view = (row: CommonRow): View => {
    const fields: CommonView = {
      id: wireId(prefix, row.id),
      name: row.name,
      q: row.q,
      shared: row.shared,
      ownerId: row.owner_id === null ? null : wireId('usr', row.owner_id),
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    }
    // The rows have all columns of the table, which `Row` describes, and both parts together have the fields of a view.
    return { ...fields, ...ownFields(row as Row) } as View
  }
  const changed = (ctx: Context, trx: Transaction, id: string, change: ViewChange): Promise<void> =>
    audit(ctx, trx, changeOf(table, id, change))

  /** Returns the JSON of a given filter; undefined if it stays. */
  async function storedFilter(ctx: Context, filter: (New | Changed)['filter']): Promise<string | null | undefined> {
    if (!filter) return filter
    return JSON.stringify((await readFilter?.(ctx, filter)) ?? filter)
  }

  /** Selects the shared views and those of the user. */
  function visible(ctx: Context, db: Transaction) {
    const userId = userOf(ctx)
    return db
      .selectFrom(common)
      .selectAll()
      .where((is) => (userId === null ? is('shared', '=', true) : is.or([is('shared', '=', true), is('owner_id', '=', userId)])))
  }

  /** @throws AppError `not_found`; `forbidden` for a shared view of another member, unless the user is an owner or admin */
  async function lock(ctx: Context, trx: Transaction, id: string): Promise<CommonRow> {
    const row = await visible(ctx, trx).where('id', '=', id).forUpdate().executeTakeFirst()
    if (row === undefined) throw noSuchView()
    const { actor } = ctx
    if (actor?.kind !== 'user' || row.owner_id === null || row.owner_id === actor.userId) return row
    if (actor.role === 'owner' || actor.role === 'admin') return row
    throw new AppError('forbidden', 'Only its owner, and owners and admins of the organization, can change a shared view.')
  }

  return {
    /** @throws AppError `validation_error`, field `filter…`, `columns…` or `shared`; `conflict` if there are too many views */
    async create(ctx: Context, { body: input }: { body: New }): Promise<View> {
      const ownerId = userOf(ctx)
      const { shared = ownerId === null } = input
      if (!shared && ownerId === null) throw notPrivate('a view of a token is shared')
      const filter = await storedFilter(ctx, input.filter)
      return withTransaction(ctx, async (trx) => {
        // The trigger `…_view_owner_left` sees the view if the member leaves meanwhile.
        await requireMember(trx, ownerId)
        await checkRecords?.(trx, input)
        const message = `An organization can have at most ${maxViews} views of ${of}.`
        await requireBelow(trx, { table, max: maxViews, message })
        const now = ctx.now()
        const row = await trx
          .insertInto(common)
          .values({
            organization_id: ctx.organizationId,
            id: newId(now.getTime()),
            name: input.name,
            filter: filter ?? null,
            q: input.q ?? null,
            sort: input.sort,
            shared,
            owner_id: ownerId,
            created_at: now,
            updated_at: now,
            ...columnsOf(input),
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        await changed(ctx, trx, row.id, 'created')
        return view(row)
      })
    },

    /** @throws AppError `not_found` */
    async get(ctx: Context, { params: { id } }: WithId): Promise<View> {
      const [row] = await select(ctx, (db) => visible(ctx, db).where('id', '=', id))
      if (row === undefined) throw noSuchView()
      return view(row)
    },

    /** @throws AppError `bad_request`, field `cursor` */
    async list(ctx: Context, { query: input }: { query: ListViews }): Promise<{ data: View[]; nextCursor: string | null }> {
      const found = await select(ctx, (db) => newestFirst(visible(ctx, db), common, input))
      const { rows, nextCursor } = pageOf(found, input.limit)
      return { data: rows.map(view), nextCursor }
    },

    /**
     * @throws AppError `not_found`; `forbidden`; `validation_error`, field `filter…`, `columns…`, or `shared` if others than the owner stop sharing
     */
    async update(ctx: Context, { params: { id }, body: input }: WithId & { body: Changed }): Promise<View> {
      requirePerson(ctx)
      const { name, q, sort, shared } = input
      const filter = await storedFilter(ctx, input.filter)
      return withTransaction(ctx, async (trx) => {
        const before = await lock(ctx, trx, id)
        if (shared === false && before.owner_id !== userOf(ctx)) throw notPrivate('only the owner of a view can stop sharing it')
        if (shared === false && before.owner_id === null) throw notPrivate('a view without an owner is shared')
        await checkRecords?.(trx, input)
        const columns = changedColumns(before, { name, q, sort, shared, filter, ...columnsOf(input) })
        if (isEmpty(columns)) return view(before)
        const row = await trx
          .updateTable(common)
          .set({ ...columns, updated_at: ctx.now() })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow()
        await changed(ctx, trx, id, 'updated')
        return view(row)
      })
    },

    /** @throws AppError `not_found`; `forbidden` */
    async delete(ctx: Context, { params: { id } }: WithId): Promise<void> {
      requirePerson(ctx)
      return withTransaction(ctx, async (trx) => {
        await lock(ctx, trx, id)
        await trx.deleteFrom(common).where('id', '=', id).execute()
        await changed(ctx, trx, id, 'deleted')
      })
    },
  }
}

type CommonRow = Selectable<SavedViewTable>

/** The cast holds for all columns of `SavedViewTable`, which each table of views has. */
const commonColumns = (table: ViewTable): 'proposal_list_view' => table as 'proposal_list_view'

const userOf = ({ actor }: Context): string | null => (actor?.kind === 'user' ? actor.userId : null)

const noSuchView = (): AppError => new AppError('not_found', 'There is no such view.')
const notPrivate = (reason: string): AppError => new AppError('validation_error', `shared: ${reason}`, { field: 'shared' })
