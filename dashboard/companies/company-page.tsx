import '../shell/fields.css'
import type { Company, Contact } from '@groundwork/api'
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { companyQuery } from '../lib/company.ts'
import { contactName } from '../lib/contact.ts'
import { nameOfCode } from '../lib/code-names.ts'
import { customFieldsQuery, customText } from '../lib/custom-fields.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import type { Column } from '../shell/data-table.tsx'
import { ContactRowLink } from '../shell/contact-row-link.tsx'
import { LoadedPage } from '../shell/loaded-page.tsx'
import { notifyError, notifyUndoable } from '../shell/notify.tsx'
import { Page } from '../shell/page.tsx'
import { PagedTable } from '../shell/paged-table.tsx'
import { RelativeTime } from '../shell/relative-time.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { CompanyForm } from './company-form.tsx'
import { formErrors } from './errors.ts'
import { companiesLabel } from './label.ts'
import { MergeCompany } from './merge-company.tsx'
import { companyMessages } from './messages.ts'
import { companiesKey, contactsOfCompanyQuery } from './queries.ts'

const route = getRouteApi('/$organization/companies/$companyId')

export function CompanyPage() {
  const title = useMessages(companiesLabel)
  const { companyId } = route.useParams()
  const query = useQuery(companyQuery(useWorkspace(), companyId))
  const crumbs = [{ label: title, to: '/$organization/companies' }] as const
  const mayWrite = useMay('contacts:write')
  return (
    <LoadedPage query={query} title={title} crumbs={crumbs}>
      {(company) => (
        <Page
          guide="companies"
          title={company.name}
          crumbs={crumbs}
          actions={
            mayWrite && (
              <>
                <EditCompany company={company} />
                <MergeCompany company={company} />
                <DeleteCompany company={company} />
              </>
            )
          }
        >
          <Stack gap="xl">
            <Details company={company} />
            <Contacts companyId={company.id} />
          </Stack>
        </Page>
      )}
    </LoadedPage>
  )
}

function EditCompany({ company }: { company: Company }) {
  const messages = useMessages(companyMessages)
  const [editing, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={open}>
        {messages.edit}
      </Button>
      {editing && <CompanyForm company={company} onClose={close} onSaved={close} />}
    </>
  )
}

function DeleteCompany({ company }: { company: Company }) {
  const messages = useMessages(companyMessages)
  const { client, organization } = useWorkspace()
  const navigate = route.useNavigate()
  const options = {
    notifyFailure: false,
    invalidates: () => [[organization.id, ...companiesKey]],
  }
  const onError = (error: unknown): void => notifyError(formErrors(error).error)
  const restore = useChange(() => client.companies.restore(company.id), { ...options, done: messages.restored(company.name) })
  const remove = useChange(() => client.companies.delete(company.id), {
    ...options,
    onDone() {
      notifyUndoable(messages.deleted(company.name), () => restore.mutate(undefined, { onError }))
      void navigate({ to: '/$organization/companies', params: { organization: organization.slug } })
    },
  })
  return (
    <Button
      variant="default"
      leftSection={<IconTrash size={16} aria-hidden />}
      loading={remove.isPending}
      onClick={() => remove.mutate(undefined, { onError })}
    >
      {messages.delete}
    </Button>
  )
}

function Details({ company }: { company: Company }) {
  const messages = useMessages(companyMessages)
  const { none } = useMessages(sharedMessages)
  const { data: customFields = [] } = useQuery(customFieldsQuery(useWorkspace(), 'company'))
  const { fields } = messages
  const custom = customFields.flatMap((field) => {
    const value = company.customFields[field.id]
    return value === undefined ? [] : [{ id: field.id, name: field.name, text: customText(value, field, messages) }]
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.details}>
      <Title order={2} mb="sm">
        {messages.details}
      </Title>
      <Stack component="dl" gap={4} m={0}>
        <Line name={fields.domains}>{company.domains.join(', ') || none}</Line>
        <Line name={fields.phone}>{company.phone ?? none}</Line>
        <Line name={fields.address}>{company.address === null ? none : addressOf(company.address)}</Line>
        <Line name={fields.vatId}>{company.vatId ?? none}</Line>
        <Line name={fields.tags}>
          {company.tags.length === 0
            ? none
            : company.tags.map((tag, index) => (
                <span key={tag}>
                  {index > 0 && ', '}
                  <bdi>{tag}</bdi>
                </span>
              ))}
        </Line>
        {custom.map(({ id, name, text }) => (
          <Line key={id} name={name}>
            {text}
          </Line>
        ))}
        <Line name={fields.externalId}>{company.externalId ?? none}</Line>
        <Line name={fields.createdAt}>
          <RelativeTime at={company.createdAt} />
        </Line>
        <Line name={fields.updatedAt}>
          <RelativeTime at={company.updatedAt} />
        </Line>
      </Stack>
    </Paper>
  )
}

function addressOf({ line1, line2, postalCode, city, region, country }: NonNullable<Company['address']>): string {
  const place = [postalCode, city].filter((part) => part !== null).join(' ')
  const lines = [line1, line2, place === '' ? null : place, region, country === null ? null : nameOfCode('region', country)]
  return lines.filter((line) => line !== null).join(', ')
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="field-line">
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} className="field-read wrap">
        {children}
      </Text>
    </div>
  )
}

function Contacts({ companyId }: { companyId: string }) {
  const messages = useMessages(companyMessages)
  const query = useInfiniteQuery(contactsOfCompanyQuery(useWorkspace(), companyId))
  return (
    <section aria-label={messages.contacts}>
      <Group mb="sm">
        <Title order={2}>{messages.contacts}</Title>
      </Group>
      <PagedTable
        query={query}
        label={messages.contacts}
        columns={useContactColumns()}
        idOf={({ id }) => id}
        nameOf={contactName}
        empty={<Text c="dimmed">{messages.noContacts}</Text>}
      />
    </section>
  )
}

function useContactColumns(): Column<Contact>[] {
  const { columns } = useMessages(companyMessages)
  const { none } = useMessages(sharedMessages)
  return [
    {
      key: 'name',
      header: columns.name,
      cell: (contact) => <ContactRowLink contact={contact} className="cut cell" />,
    },
    { key: 'jobTitle', header: columns.jobTitle, cell: ({ jobTitle }) => jobTitle ?? none },
    { key: 'email', header: columns.email, cell: ({ email }) => email ?? none },
    { key: 'phone', header: columns.phone, cell: ({ phone }) => <span className="one-line">{phone ?? none}</span> },
  ]
}
