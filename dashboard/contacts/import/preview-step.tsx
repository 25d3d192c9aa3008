import type { ContactImport } from '@groundwork/api'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { namedColumns } from './fields.ts'
import { formatOf, labelIn, sentFormat } from './file-format.ts'
import { Counts, FailedRows, FileFailure, ImportProgress } from './import-record.tsx'
import { importMessages } from './messages.ts'
import { importsKey } from '../keys.ts'
import { hasEnded, importedRows } from './queries.ts'
import { storageUrlOf } from './search.ts'

const route = getRouteApi('/$organization/contacts/import')

/** Shows the counts of the dry run, and starts the import with the same settings. */
export function PreviewStep({ check }: { check: ContactImport }) {
  const messages = useMessages(importMessages)
  if (check.status === 'failed') return <FileFailure code={check.errorCode ?? 'internal'} action={<ToColumns />} />
  if (check.status === 'cancelled' || (hasEnded(check) && check.mapping.length === 0))
    return <FileFailure message={messages.noColumns} action={<ToColumns />} />
  return (
    <Stack gap="lg">
      <div>
        <Title order={2}>{messages.previewTitle}</Title>
        <Text size="sm" c="dimmed">
          {messages.previewHelp}
        </Text>
        {check.encoding !== null && check.delimiter !== null && (
          <Text size="sm" c="dimmed">
            {messages.readAs(labelIn(messages.encodings, check.encoding), labelIn(messages.delimiters, check.delimiter))}
          </Text>
        )}
      </div>
      {!hasEnded(check) && <ImportProgress progress={check.progress} label={messages.checking} />}
      <Counts counts={check.counts} />
      <Group justify="space-between">
        <ToColumns />
        {hasEnded(check) && <Start check={check} />}
      </Group>
      {hasEnded(check) && <FailedRows record={check} />}
    </Stack>
  )
}

function ToColumns() {
  const { toColumns } = useMessages(importMessages)
  return (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link {...props} from="/$organization/contacts/import" search={(search) => ({ ...search, step: undefined })} />
      )}
    >
      {toColumns}
    </Button>
  )
}

function Start({ check }: { check: ContactImport }) {
  const messages = useMessages(importMessages)
  const { client, organization } = useWorkspace()
  const navigate = route.useNavigate()
  const { upload = '', tags, country } = route.useSearch()
  const { mode, matchOn, blanks, mapping, header, counts } = check
  const rows = importedRows(counts)
  const start = useChange(
    () =>
      client.contactImports.create({
        storageUrl: storageUrlOf(upload),
        mode,
        blanks,
        mapping: namedColumns(mapping)
          .map(({ column, field }) => ({ column, field }))
          .slice(0, 500),
        ...sentFormat(formatOf(check), messages),
        ...(matchOn !== null && { matchOn }),
        ...(header !== null && { header }),
        ...(tags !== undefined && { tags }),
        ...(country !== undefined && { country: country.toUpperCase() }),
      }),
    {
      invalidates: () => [[organization.id, ...importsKey]],
      onDone: ({ id }) =>
        void navigate({ to: '/$organization/contacts/import/$importId', params: { organization: organization.slug, importId: id } }),
    },
  )
  if (rows === 0) return <Text size="sm">{messages.nothingToImport}</Text>
  return (
    <Button loading={start.isPending} onClick={() => start.mutate()}>
      {messages.start(rows)}
    </Button>
  )
}
