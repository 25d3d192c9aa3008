import { z } from 'zod'
import { changedViewFields, newViewFields, viewFields, viewRoutes } from './saved-views.ts'
import { clearable } from './schemas.ts'
import { sourceConditions } from './sources.ts'
import { sourceSorts } from './source-types.ts'

const { status, type } = sourceConditions

/** The conditions of the list of sources besides its search text. */
const Filter = z.strictObject({ status, type }).meta({
  id: 'SourceFilter',
  description: 'Conditions on sources, as in `GET /v1/bases/{baseId}/sources`. A source meets all of them.',
  examples: [{ status: 'failed', type: 'url' }],
})
export type SourceFilter = z.output<typeof Filter>

const { id, name, q, ...others } = viewFields('srv')

const sort = z.enum(sourceSorts).describe('Order of the sources; `-` means descending.')

export const SourceView = z
  .object({
    id,
    name,
    filter: z
      .object({ status, type })
      .meta({ id: 'SavedSourceFilter', description: 'Conditions on sources. A source meets all of them.' })
      .nullable()
      .describe('Conditions on the sources, as in `GET /v1/bases/{baseId}/sources`; null for all sources.'),
    q,
    sort,
    ...others,
  })
  .meta({ id: 'SourceView', description: 'A saved view of the list of sources, for all knowledge bases.' })
export type SourceView = z.input<typeof SourceView>

const filter = clearable(Filter).describe(
  'Conditions on the sources, as in `GET /v1/bases/{baseId}/sources`. They replace all former ones. null clears them.',
)

export const CreateSourceView = z
  .strictObject({
    name: newViewFields.name,
    filter,
    q: newViewFields.q,
    sort: sort.default('-createdAt'),
    shared: newViewFields.shared,
  })
  .meta({
    id: 'CreateSourceView',
    description: 'A new view.',
    examples: [{ name: 'Failed pages', filter: { status: 'failed', type: 'url' }, sort: '-updatedAt' }],
  })
export type CreateSourceView = z.output<typeof CreateSourceView>

export const UpdateSourceView = z
  .strictObject({
    name: changedViewFields.name,
    filter,
    q: changedViewFields.q,
    sort: sort.optional(),
    shared: changedViewFields.shared,
  })
  .meta({
    id: 'UpdateSourceView',
    description: 'Changes to a view. Omitted fields keep their values.',
    examples: [{ filter: { status: 'processing' }, shared: true }],
  })
export type UpdateSourceView = z.output<typeof UpdateSourceView>

export const sourceViews = viewRoutes({
  path: '/v1/source-views',
  prefix: 'srv',
  of: 'sources',
  scopes: { read: 'sources:read', write: 'sources:write' },
  view: SourceView,
  create: CreateSourceView,
  update: UpdateSourceView,
})
