import type { Organization } from '@groundwork/api'
import { Paper, Skeleton, Text, TextInput } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { meQuery } from '../../lib/session.ts'
import { useMay, useWorkspace, type Workspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { useForm } from '../../shell/form.ts'
import { Page } from '../../shell/page.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { SaveForm } from '../../shell/save-form.tsx'
import { Loaded } from '../../shell/states.tsx'
import { useMessages } from '../../messages/messages.ts'
import { organizationLabel } from '../label.ts'
import { organizationMessages } from './messages.ts'

const organizationQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, 'organization'],
    queryFn: ({ signal }) => client.organization.get({ signal }),
  })

export function OrganizationPage() {
  const messages = useMessages(organizationMessages)
  const query = useQuery(organizationQuery(useWorkspace()))
  return (
    <Page title={useMessages(organizationLabel)} description={messages.about}>
      <Loaded query={query} skeleton={<Skeleton height={280} />}>
        {(organization) => <OrganizationForm organization={organization} />}
      </Loaded>
    </Page>
  )
}

const fields = ['name', 'slug', 'defaultCurrency']

function OrganizationForm({ organization: { name, slug, defaultCurrency, createdAt } }: { organization: Organization }) {
  const messages = useMessages(organizationMessages)
  const mayWrite = useMay('organization:write')
  const form = useForm({ name, slug, defaultCurrency })
  const change = useSave((saved) => form.reset({ name: saved.name, slug: saved.slug, defaultCurrency: saved.defaultCurrency }))
  return (
    <Paper withBorder p="md" maw={560}>
      <SaveForm
        form={form}
        change={change}
        fields={fields}
        mayWrite={mayWrite}
        beside={
          <Text size="sm" c="dimmed">
            {messages.since} <RelativeTime at={createdAt} />
          </Text>
        }
      >
        <TextInput label={messages.name} maxLength={200} required readOnly={!mayWrite} {...form.text('name')} />
        <TextInput
          label={messages.slug}
          description={messages.slugHelp}
          maxLength={60}
          required
          readOnly={!mayWrite}
          {...form.text('slug')}
        />
        <TextInput
          label={messages.currency}
          description={messages.currencyHelp}
          maxLength={3}
          required
          readOnly={!mayWrite}
          {...form.text('defaultCurrency')}
        />
      </SaveForm>
    </Paper>
  )
}

/** Saves the organization. If the slug changed, navigates to the new URL. */
function useSave(done: (saved: Organization) => void) {
  const messages = useMessages(organizationMessages)
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const router = useRouter()
  return useChange(
    async (body: { name: string; slug: string; defaultCurrency: string }) => {
      const saved = await workspace.client.organization.update(body)
      queries.setQueryData(organizationQuery(workspace).queryKey, saved)
      await queries.fetchQuery({ ...meQuery, staleTime: 0 })
      if (saved.slug === workspace.organization.slug) await router.invalidate()
      else await router.navigate({ to: '/$organization/settings/organization', params: { organization: saved.slug }, replace: true })
      return saved
    },
    { done: messages.saved, notifyFailure: false, onDone: done },
  )
}
