import type { ContactImport } from '@groundwork/api'
import { queryOptions } from '@tanstack/react-query'
import { firstRows } from '../../lib/csv-rows.ts'
import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'
import { importsKey } from '../keys.ts'

const pollMs = 1_000

export const hasEnded = ({ status }: ContactImport): boolean => status !== 'queued' && status !== 'running'

/** Returns the number of rows that an import takes over: neither those with errors nor blank ones. */
export const importedRows = ({ created, updated, unchanged }: ContactImport['counts']): number => created + updated + unchanged

/** Progress has no events, so the record of a running import is fetched every second. */
export const importQuery = ({ client, organization }: Workspace, id: string) =>
  queryOptions({
    queryKey: [organization.id, ...importsKey, id],
    queryFn: ({ signal }) => client.contactImports.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && hasEnded(state.data) ? false : pollMs),
  })

export const importsQuery = ({ client, organization }: Workspace) =>
  pagesOf([organization.id, ...importsKey, 'list'], ({ query, signal }) => client.contactImports.list(query, { signal }).page())

export const shownFailures = 10

/** The first failed rows: the cells of the file, then the number of the row, the field, the problem, and cells beyond the header. */
export const failedRowsQuery = ({ client, organization }: Workspace, { id, counts, delimiter }: ContactImport) =>
  queryOptions({
    queryKey: [organization.id, ...importsKey, id, 'errors', counts.failed],
    queryFn: async ({ signal }) => {
      const file = await client.contactImports.errors(id, { signal })
      return (await firstRows(file, shownFailures + 1, delimiter === ';' ? ';' : ',')).slice(1)
    },
  })
