import './import.css'
import type { ContactImport } from '@groundwork/api'
import { Alert, Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import { LoadedPage } from '../../shell/loaded-page.tsx'
import { Page } from '../../shell/page.tsx'
import { contactsLabel } from '../messages.ts'
import { importsKey } from '../keys.ts'
import { Counts, FailedRows, FileFailure, ImportProgress } from './import-record.tsx'
import { ImportStatus } from './import-status.tsx'
import { importMessages } from './messages.ts'
import { hasEnded, importQuery } from './queries.ts'
import { Steps } from './steps.tsx'

const route = getRouteApi('/$organization/contacts/import/$importId')

/** The progress and the result of an import. */
export function ImportResultPage() {
  const messages = useMessages(importMessages)
  const contacts = useMessages(contactsLabel)
  const { importId } = route.useParams()
  const query = useQuery(importQuery(useWorkspace(), importId))
  const crumbs = [
    { label: contacts, to: '/$organization/contacts' },
    { label: messages.title, to: '/$organization/contacts/import' },
  ] as const
  return (
    <LoadedPage query={query} title={messages.title} crumbs={crumbs}>
      {(record) => (
        <Page
          guide="imports"
          title={record.fileName === '' ? messages.unnamed : record.fileName}
          crumbs={crumbs}
          aside={<ImportStatus status={record.status} />}
        >
          <Steps current="result" />
          {hasEnded(record) ? <Ended record={record} /> : <Running record={record} />}
          <Counts counts={record.counts} />
          {hasEnded(record) && <Next />}
          {hasEnded(record) && <FailedRows record={record} />}
        </Page>
      )}
    </LoadedPage>
  )
}

function Running({ record }: { record: ContactImport }) {
  const messages = useMessages(importMessages)
  const { client, organization } = useWorkspace()
  const queries = useQueryClient()
  const confirm = useConfirm()
  const mayWrite = useMay('contacts:write')
  const { queryKey } = importQuery(useWorkspace(), record.id)
  const cancel = useChange(() => client.contactImports.cancel(record.id), {
    onDone: (cancelled) => void queries.setQueryData(queryKey, cancelled),
    invalidates: () => [[organization.id, ...importsKey]],
    refusals: { conflict: messages.endedBefore },
  })
  const ask = async (): Promise<void> => {
    const question = { title: messages.cancelTitle, body: messages.cancelBody, action: messages.cancel, cancel: messages.goOn }
    if (await confirm(question)) cancel.mutate()
  }
  return (
    <>
      <ImportProgress progress={record.progress} label={messages.running} />
      {mayWrite && (
        <Button variant="default" className="at-start" loading={cancel.isPending} onClick={() => void ask()}>
          {messages.cancel}
        </Button>
      )}
    </>
  )
}

function Ended({ record: { status, errorCode } }: { record: ContactImport }) {
  const messages = useMessages(importMessages)
  if (status === 'failed') return <FileFailure code={errorCode ?? 'internal'} action={undefined} />
  return (
    <Alert color={status === 'completed' ? 'green' : 'gray'} role="status">
      {status === 'completed' ? messages.completed : `${messages.cancelled} ${messages.cancelledHelp}`}
    </Alert>
  )
}

function Next() {
  const messages = useMessages(importMessages)
  return (
    <Group gap="xs">
      <Button renderRoot={(props) => <Link {...props} from="/$organization/contacts/import/$importId" to="/$organization/contacts" />}>
        {messages.showContacts}
      </Button>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link {...props} from="/$organization/contacts/import/$importId" to="/$organization/contacts/import" search={{}} />
        )}
      >
        {messages.another}
      </Button>
    </Group>
  )
}
