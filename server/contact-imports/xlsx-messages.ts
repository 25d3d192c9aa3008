import type { TableRow } from './csv-reader.ts'

/** The archive is opened, its next bytes (null at its end), or the request for the next rows. */
export type XlsxRequest = { readonly bytes: Uint8Array | null } | Record<string, never>

/** What the reading of a workbook needs next, or what it has found. */
export type XlsxReply =
  | { readonly type: 'open' | 'read' | 'end' }
  | { readonly type: 'rows'; readonly rows: TableRow[] }
  | { readonly type: 'failure'; readonly message: string }
