import { fieldUuid, wireId, type SearchFilter } from '@groundwork/api'
import { select, type ReadContext } from '../context.ts'
import { noSuchKey } from './filter.ts'

const prefixes = { contact: 'customFields.', company: 'company.customFields.' } as const
const ofField = /^(?:company\.)?customFields\../
const withId = new RegExp(String.raw`^((?:company\.)?customFields\.)(?:fld_)?(${fieldUuid})$`)

/**
 * Returns the filter with the ids of custom fields as records have them: keys may omit `fld_`. Reads the database only for such keys.
 * @throws AppError `validation_error`, field `filter…key`, for a custom field that contacts or companies do not have
 */
export async function withFieldIds(ctx: ReadContext, filter: SearchFilter): Promise<SearchFilter> {
  if (!keysOf(filter).some((key) => ofField.test(key))) return filter
  const fields = await select(ctx, (db) => db.selectFrom('custom_field').select(['entity', 'id']))
  const known = new Set(fields.map(({ entity, id }) => `${prefixes[entity]}${wireId('fld', id)}`))
  return withKeys(filter, 'filter', (key, path) => {
    if (!ofField.test(key)) return key
    const [, prefix = '', id = ''] = withId.exec(key) ?? []
    const stored = `${prefix}${wireId('fld', id.toLowerCase())}`
    if (!known.has(stored)) throw noSuchKey(key, path)
    return stored
  })
}

const keysOf = ({ and, or, not, key }: SearchFilter): string[] =>
  key === undefined ? (and ?? or ?? (not === undefined ? [] : [not])).flatMap(keysOf) : [key]

function withKeys(filter: SearchFilter, path: string, keyOf: (key: string, path: string) => string): SearchFilter {
  const each = (kind: 'and' | 'or', filters: readonly SearchFilter[]): SearchFilter => ({
    [kind]: filters.map((inner, at) => withKeys(inner, `${path}.${kind}.${at}`, keyOf)),
  })
  if (filter.and !== undefined) return each('and', filter.and)
  if (filter.or !== undefined) return each('or', filter.or)
  if (filter.not !== undefined) return { not: withKeys(filter.not, `${path}.not`, keyOf) }
  return filter.key === undefined ? filter : { ...filter, key: keyOf(filter.key, path) }
}
