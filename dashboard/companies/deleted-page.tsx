import type { DeletedCompany } from '@groundwork/api'
import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { worded } from '../lib/errors.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { DeletedRecords } from '../shell/list/deleted-records.tsx'
import { companiesLabel } from './label.ts'
import { companyMessages } from './messages.ts'
import { companiesKey, deletedCompaniesQuery } from './queries.ts'

const route = getRouteApi('/$organization/companies/deleted')

/** The companies that can be restored, the last deleted first. */
export function DeletedPage() {
  const { deletedList: messages, clearSearch } = useMessages(companyMessages)
  const { none } = useMessages(sharedMessages)
  const companies = useMessages(companiesLabel)
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const search = (text: string | undefined): void => void navigate({ search: { q: text }, replace: true })
  const query = useInfiniteQuery({ ...deletedCompaniesQuery(useWorkspace(), q), placeholderData: keepPreviousData })
  const cut = (text: string) => (
    <span className="cut cell" dir="auto" title={text}>
      {text}
    </span>
  )
  return (
    <DeletedRecords
      guide="companies"
      list={{ label: companies, to: '/$organization/companies' }}
      words={{ ...messages, clear: clearSearch }}
      q={q}
      onSearch={search}
      query={query}
      columns={[
        { key: 'name', header: messages.columns.name, cell: ({ name }) => cut(name) },
        {
          key: 'domains',
          header: messages.columns.domains,
          cell: ({ domains }) => (domains.length === 0 ? none : cut(domains.join(', '))),
        },
      ]}
      nameOf={({ name }) => name}
      restore={(company) => <Restore company={company} />}
    />
  )
}

function Restore({ company: { id, name } }: { company: DeletedCompany }) {
  const { deletedList: messages, restored } = useMessages(companyMessages)
  const { client, organization } = useWorkspace()
  const restore = useChange(
    () => client.companies.restore(id).catch((error: Error) => Promise.reject(worded(error, { conflict: messages.taken }))),
    { invalidates: () => [[organization.id, ...companiesKey]], done: restored(name) },
  )
  return (
    <Button variant="default" size="xs" loading={restore.isPending} onClick={() => restore.mutate()} aria-label={messages.restoreOf(name)}>
      {messages.restore}
    </Button>
  )
}
