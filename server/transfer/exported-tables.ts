import { readTables, type Table } from '../backup/catalog.ts'
import type { BulkSession } from '../db/bulk-session.ts'
import { excludedTables, generationColumns } from './exported-columns.ts'

/** A table whose rows of an organization are exported. */
export interface ExportedTable extends Table {
  /** The name without the schema. */
  readonly shortName: string
  /** Columns that refer to other rows of the table. */
  readonly selfReferences: readonly string[]
}

interface Reference {
  readonly name: string
  readonly refersTo: readonly string[]
  readonly selfReferences: readonly string[]
}

const referencesQuery = `
  select format('%I.%I', n.nspname, c.relname) as name,
    array(select format('%I.%I', tn.nspname, t.relname) from pg_constraint f
      join pg_class t on t.oid = f.confrelid join pg_namespace tn on tn.oid = t.relnamespace
      where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as "refersTo",
    array(select distinct quote_ident(own.attname) from pg_constraint f, unnest(f.conkey) as key
      join pg_attribute own on own.attnum = key
      where f.contype = 'f' and f.conrelid = c.oid and f.confrelid = c.oid and own.attrelid = c.oid
        and own.attname <> 'organization_id') as "selfReferences"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and (c.oid = 'public.organization'::regclass or exists (
    select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))`

/**
 * Returns the tables of an export, read from the schema, so that none can be forgotten. A table comes after those that it refers to,
 * and tables with the rows of indexing attempts come last: "groundwork doctor" then knows the attempts of all of their rows.
 * @throws Error if foreign keys of several tables form a cycle
 */
export async function exportedTables(session: BulkSession): Promise<ExportedTable[]> {
  const references = new Map((await session.query<Reference>(referencesQuery)).map((each) => [each.name, each]))
  const left = (await readTables(session)).flatMap((table) => {
    const found = references.get(table.name)
    const shortName = table.name.slice(table.name.indexOf('.') + 1)
    return found === undefined || shortName in excludedTables ? [] : [{ ...table, ...found, shortName }]
  })
  const sorted: ExportedTable[] = []
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name))
    const next = left.findIndex(({ refersTo }) => !refersTo.some((name) => waiting.has(name)))
    const [table] = left.splice(next, 1)
    if (next < 0 || table === undefined) throw new Error('The foreign keys of the tables of organizations form a cycle.')
    sorted.push(table)
  }
  const isOfAttempts = ({ shortName }: ExportedTable): boolean => shortName in generationColumns
  return [...sorted.filter((table) => !isOfAttempts(table)), ...sorted.filter(isOfAttempts)]
}
