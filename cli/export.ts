import { AuditEntry, Base, Contact, Proposal, Source, SourceEvent } from '@groundwork/api'
import type { Groundwork } from '@groundwork/sdk'
import { csvRow } from '@groundwork/sdk/csv'
import { command } from './command.ts'
import { UsageError } from './failure.ts'
import { findBase } from './find-base.ts'
import { suggestion } from './suggest.ts'

type Records = AsyncIterable<object>
interface Exported {
  columns: readonly string[]
  records: (client: Groundwork, options: { signal: AbortSignal }, baseId: string | undefined) => Records
}

const query = { limit: 100 }

/** The columns are the fields of the API contract, so every row has the same columns. */
const kinds: Record<string, Exported> = {
  contacts: {
    columns: Object.keys(Contact.omit({ warnings: true }).shape),
    records: (client, options) => client.contacts.list(query, options),
  },
  proposals: { columns: Object.keys(Proposal.shape), records: (client, options) => client.proposals.list(query, options) },
  bases: { columns: Object.keys(Base.shape), records: (client, options) => client.bases.list(query, options) },
  sources: {
    columns: Object.keys(Source.shape),
    async *records(client, options, baseId) {
      if (baseId !== undefined) yield* client.bases.sources.list(baseId, query, options)
      else for await (const { id } of client.bases.list(query, options)) yield* client.bases.sources.list(id, query, options)
    },
  },
  audit: { columns: Object.keys(AuditEntry.shape), records: (client, options) => client.audit.list(query, options) },
  events: { columns: Object.keys(SourceEvent.shape), records: (client, options) => client.events.list(query, options) },
}

export const exportRecords = command({
  words: 'export',
  takes: 'WHAT',
  summary: `write all ${Object.keys(kinds).join(', ')} to stdout`,
  details:
    'Fetches page by page, as fast as the output is read. In CSV, lists and objects are JSON, and text that a spreadsheet\nwould interpret as a formula gets an apostrophe prefix.',
  options: {
    format: { type: 'string', value: 'FORMAT', about: 'ndjson (default) or csv' },
    base: { type: 'string', value: 'BASE', about: 'for sources: only those of this knowledge base' },
  },
  async run({ client, output, signal }, [what = ''], { format = 'ndjson', base }) {
    const kind = kinds[what]
    if (kind === undefined) throw new UsageError(`${what} cannot be exported; ${advice(what)}`)
    if (format !== 'ndjson' && format !== 'csv') throw new UsageError('--format must be ndjson or csv')
    if (base !== undefined && what !== 'sources') throw new UsageError('--base can only be used with sources')
    const baseId = base === undefined ? undefined : await findBase(client, base, signal)
    if (format === 'csv') await output.text(csvRow(kind.columns))
    for await (const record of kind.records(client, { signal }, baseId))
      await output.text(format === 'csv' ? csvRow(cells(record, kind.columns)) : `${JSON.stringify(record)}\n`)
  },
})

function advice(what: string): string {
  const meant = suggestion(what, Object.keys(kinds))
  return meant === undefined ? `use one of ${Object.keys(kinds).join(', ')}` : `did you mean "${meant}"?`
}

const cells = (record: object, columns: readonly string[]): unknown[] => {
  const fields = new Map<string, unknown>(Object.entries(record))
  return columns.map((column) => fields.get(column))
}
