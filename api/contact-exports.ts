import { z } from 'zod'
import { route } from './route.ts'
import { text } from './schemas.ts'
import { SearchFilter } from './search-filter.ts'

/** The media type of each format. */
export const exportMediaTypes = {
  csv: 'text/csv',
  jsonl: 'application/jsonl',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
export type ExportFormat = keyof typeof exportMediaTypes

const ExportContacts = z
  .strictObject({
    format: z
      .enum(Object.keys(exportMediaTypes) as [ExportFormat, ...ExportFormat[]])
      .default('csv')
      .describe('`csv` (RFC 4180, UTF-8), `jsonl` with one contact in each line, or `xlsx`. `csv` by default.'),
    q: text(1, 200).optional().describe('Search text, as in a search of contacts. The best match comes first.'),
    filter: SearchFilter.optional().describe('Condition on the fields of contacts, as in a search of contacts. Without it, all contacts.'),
    bom: z.boolean().default(false).describe('true begins a CSV file with a byte order mark, by which Excel recognizes UTF-8.'),
  })
  .meta({
    id: 'ExportContacts',
    description: 'An export of contacts.',
    examples: [{ format: 'xlsx', filter: { key: 'tags', eq: 'vip' } }],
  })
export type ExportContacts = z.output<typeof ExportContacts>

export const contactExports = {
  create: route({
    method: 'POST',
    path: '/v1/contact-exports',
    summary: 'Export contacts as CSV, JSON Lines or XLSX',
    answer: 'A file with one row or line for each contact, newest first; with `q`, best match first.',
    description:
      'Streams all contacts that match the text and meet the filter, with company, tags, custom fields and consent. Importing the file again changes nothing. In CSV, text that a spreadsheet would interpret as a formula begins with an apostrophe; in XLSX, all values except numbers are text. Each export is in the audit log. 422 for a filter with an unknown key. Later versions can add columns.',
    scope: 'contacts:read',
    reads: true,
    body: ExportContacts,
    bodyOptional: true,
    status: 200,
    download: Object.values(exportMediaTypes),
  }),
}
