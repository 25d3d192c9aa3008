import type { CreateSourceView, GroundworkApi, SourceSort, SourceView, UpdateSourceView } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { SourceViewTable } from '../db/schema.ts'
import type { Handlers } from '../handlers.ts'
import { savedViews } from './views.ts'

/** The API takes no other orders. */
type Row = Selectable<SourceViewTable> & { sort: SourceSort }

export const sourceViewHandlers: Handlers<GroundworkApi>['sourceViews'] = savedViews<Row, SourceView, CreateSourceView, UpdateSourceView>({
  table: 'source_view',
  ownFields: ({ filter, sort }) => ({ filter, sort }),
})
