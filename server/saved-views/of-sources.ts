import { wireId, type CreateSourceView, type GroundworkApi, type SourceSort, type SourceView, type UpdateSourceView } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { SourceViewTable } from '../db/schema.ts'
import type { Handlers } from '../handlers.ts'
import { savedViews } from './views.ts'

/** The API takes no other orders. */
type Row = Selectable<SourceViewTable> & { sort: SourceSort }

const views = savedViews<Row, SourceView, CreateSourceView, UpdateSourceView>({
  table: 'source_view',
  prefix: 'srv',
  of: 'sources',
  toView: (row) => ({
    id: wireId('srv', row.id),
    name: row.name,
    filter: row.filter,
    q: row.q,
    sort: row.sort,
    shared: row.shared,
    ownerId: row.owner_id === null ? null : wireId('usr', row.owner_id),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }),
})

export const sourceViewHandlers: Handlers<GroundworkApi>['sourceViews'] = {
  list: (ctx, { query }) => views.list(ctx, query),
  create: (ctx, { body }) => views.create(ctx, body),
  get: (ctx, { params }) => views.get(ctx, params.id),
  update: (ctx, { params, body }) => views.update(ctx, params.id, body),
  delete: (ctx, { params }) => views.delete(ctx, params.id),
}
