import type { ContactImport } from '@groundwork/api'
import { Alert, Box, Button, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { customFieldsQuery } from '../../lib/custom-fields.ts'
import { number } from '../../lib/formats.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { DataTable, type Column } from '../../shell/data-table.tsx'
import { notifyError } from '../../shell/notify.tsx'
import { Loaded, SkeletonRows } from '../../shell/states.tsx'
import { labelOf } from './fields.ts'
import { importMessages } from './messages.ts'
import { failedRowsQuery, shownFailures } from './queries.ts'
import { rowProblem } from './row-problem.ts'

interface FileFailureProps {
  code?: NonNullable<ContactImport['errorCode']>
  message?: string
  action: ReactNode
}

/** Says why a file cannot be imported. */
export function FileFailure({ code = 'internal', message, action }: FileFailureProps) {
  const messages = useMessages(importMessages)
  return (
    <Alert color="red" role="alert" title={messages.failedImport}>
      <Stack align="flex-start" gap="sm">
        {message ?? messages.errors[code]}
        {action}
      </Stack>
    </Alert>
  )
}

export function ImportProgress({ progress: { done, total }, label }: { progress: ContactImport['progress']; label: string }) {
  const messages = useMessages(importMessages)
  return (
    <Box role="status">
      <Text size="sm" mb={4}>
        {label}
      </Text>
      <Progress value={total === null || total === 0 ? 0 : (done / total) * 100} aria-label={messages.progressLabel} animated />
      {total !== null && (
        <Text size="sm" c="dimmed" mt={4}>
          {messages.progress(number(done), number(total))}
        </Text>
      )}
    </Box>
  )
}

const alwaysShown = ['created', 'updated', 'unchanged', 'failed', 'companiesCreated'] as const
const shownIfAny = ['consentsRecorded', 'denialsKept'] as const

const shownCounts = (counts: ContactImport['counts']) => [
  ...alwaysShown.map((name) => [name, counts[name]] as const),
  ...shownIfAny.map((name) => [name, counts[name] ?? 0] as const).filter(([, value]) => value > 0),
]

export function Counts({ counts }: { counts: ContactImport['counts'] }) {
  const messages = useMessages(importMessages)
  return (
    <dl className="import-counts">
      {shownCounts(counts).map(([name, value]) => (
        <div key={name}>
          <dt>{messages.counts[name]}</dt>
          <dd>{number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

interface FailedRow {
  row: string
  reason: string
  cells: string
}

/** The first failed rows with the problems, and a file with all of them; nothing without one. */
export function FailedRows({ record }: { record: ContactImport }) {
  const messages = useMessages(importMessages)
  const workspace = useWorkspace()
  const { failed } = record.counts
  const query = useQuery({ ...failedRowsQuery(workspace, record), enabled: failed > 0 })
  const { data: customFields = [] } = useQuery(customFieldsQuery(workspace, 'contact'))
  const download = useMutation({
    mutationFn: async () => saveFile(await workspace.client.contactImports.errors(record.id), 'import-errors.csv'),
    onError: (error) => notifyError(error),
  })
  if (failed === 0) return null
  const toRow = (cells: readonly string[]): FailedRow => {
    const columns = record.mapping.length
    const [row = '', field = '', problem = '', ...beyond] = cells.slice(columns)
    const ofFile = [...cells.slice(0, columns), ...beyond]
    return { row, reason: rowProblem(field, problem, labelOf(field, messages, customFields)), cells: textOf(ofFile) }
  }
  return (
    <Stack component="section" gap="sm" aria-label={messages.failedTitle}>
      <Group justify="space-between">
        <Title order={2}>{messages.failedTitle}</Title>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {messages.download}
        </Button>
      </Group>
      <Loaded query={query} skeleton={<SkeletonRows rows={3} />}>
        {(rows) => (
          <>
            <Text size="sm" c="dimmed">
              {rows.length === 0
                ? messages.failedExpired
                : failed > shownFailures
                  ? messages.failedFirst(number(rows.length), number(failed))
                  : messages.failedAll}{' '}
              {rows.length > 0 && messages.downloadHelp}
            </Text>
            {rows.length > 0 && (
              <DataTable
                label={messages.failedTitle}
                columns={columnsOf(messages)}
                rows={rows.map(toRow)}
                idOf={({ row }) => row}
                nameOf={({ row }) => row}
              />
            )}
          </>
        )}
      </Loaded>
    </Stack>
  )
}

const columnsOf = ({ failedColumns }: (typeof importMessages)['en']): Column<FailedRow>[] => [
  {
    key: 'row',
    header: failedColumns.row,
    cell: ({ row }) => <Text span inherit fw={500}>{`${failedColumns.row} ${row}`}</Text>,
    width: 100,
  },
  { key: 'reason', header: failedColumns.reason, cell: ({ reason }) => reason },
  { key: 'cells', header: failedColumns.cells, cell: ({ cells }) => <span className="wrap">{cells}</span> },
]

const maxCells = 4

/** Returns the first cells that are not blank, without the apostrophes that keep spreadsheets from calculating them. */
const textOf = (cells: readonly string[]): string =>
  cells
    .map((cell) => cell.replace(/^'(?=\s*[=+\-@])/, '').trim())
    .filter((cell) => cell !== '')
    .slice(0, maxCells)
    .join(' · ')
