import '@mantine/core/styles/ColorInput.css'
import '@mantine/core/styles/ColorPicker.css'
import type { Organization } from '@groundwork/api'
import { ColorInput, Fieldset, NativeSelect, Paper, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { meQuery } from '../../lib/session.ts'
import { useMay, useWorkspace, type Workspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { useForm, type Form } from '../../shell/form.ts'
import { Page } from '../../shell/page.tsx'
import { RegionFields } from '../../shell/region-fields.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { SaveForm } from '../../shell/save-form.tsx'
import { Loaded } from '../../shell/states.tsx'
import { WithPreview } from '../../shell/with-preview.tsx'
import { useMessages } from '../../messages/messages.ts'
import { organizationLabel } from '../label.ts'
import { BrandPreview } from './brand-preview.tsx'
import { organizationMessages } from './messages.ts'
import { changesOf, valuesOf, type Values } from './organization-values.ts'
import { DefaultFields } from './proposal-defaults.tsx'
import { UsageSection } from './usage.tsx'

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
        {(organization) => (
          <>
            <OrganizationForm organization={organization} />
            {organization.usage !== null && <UsageSection usage={organization.usage} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

const profileFields = ['legalName', 'address', 'taxId', 'country', 'color', 'language', 'timeZone', 'replyTo', 'reminderDays'] as const
const fields = ['name', 'slug', 'defaultCurrency', ...profileFields, 'defaultTerms', 'expiryDays', 'logo.storageUrl']

function OrganizationForm({ organization }: { organization: Organization }) {
  const messages = useMessages(organizationMessages)
  const mayWrite = useMay('organization:write')
  const maySeePage = useMay('proposals:write')
  const form = useForm(valuesOf(organization))
  // The values with which the form started. `organization` follows the changes of others.
  const [start, setStart] = useState(() => valuesOf(organization))
  const change = useSave(start, (saved) => {
    setStart(valuesOf(saved))
    form.reset(valuesOf(saved))
  })
  const edit = (
    <Paper withBorder p="md" maw={560}>
      <SaveForm
        form={form}
        change={change}
        fields={fields}
        mayWrite={mayWrite}
        beside={
          <Text size="sm" c="dimmed">
            {messages.since} <RelativeTime at={organization.createdAt} />
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
        <RegionFields
          values={form.values}
          onChange={(changes) => {
            if (changes.country !== undefined) form.set('country', changes.country)
            if (changes.defaultCurrency !== undefined) form.set('defaultCurrency', changes.defaultCurrency)
            if (changes.timeZone !== undefined) form.set('timeZone', changes.timeZone)
          }}
          errorOf={form.errorOf}
          readOnly={!mayWrite}
        />
        <ProfileFields form={form} mayWrite={mayWrite} />
      </SaveForm>
    </Paper>
  )
  return maySeePage ? <WithPreview preview={<BrandPreview brand={form.values} />}>{edit}</WithPreview> : edit
}

/** The details that clients read in proposals. */
function ProfileFields({ form, mayWrite }: { form: Form<Values>; mayWrite: boolean }) {
  const messages = useMessages(organizationMessages)
  const readOnly = !mayWrite
  return (
    <Fieldset legend={<Text fw={600}>{messages.proposals}</Text>} variant="unstyled" m={0}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {messages.proposalsHelp}
        </Text>
        <TextInput
          label={messages.legalName}
          description={messages.legalNameHelp}
          maxLength={200}
          readOnly={readOnly}
          {...form.text('legalName')}
        />
        <Textarea label={messages.address} maxLength={500} autosize minRows={2} readOnly={readOnly} {...form.text('address')} />
        <TextInput label={messages.taxId} maxLength={60} readOnly={readOnly} {...form.text('taxId')} />
        <ColorInput
          label={messages.color}
          description={messages.colorHelp}
          format="hex"
          withEyeDropper={false}
          readOnly={readOnly}
          {...form.field('color')}
        />
        <NativeSelect
          label={messages.language}
          description={messages.languageHelp}
          disabled={readOnly}
          data={Object.entries(messages.languages).map(([value, label]) => ({ value, label }))}
          value={form.values.language}
          error={form.errorOf('language')}
          onChange={({ currentTarget }) => form.set('language', languageOf(currentTarget.value))}
        />
        <DefaultFields
          values={form.values}
          setTerms={(terms) => form.set('defaultTerms', terms)}
          setDays={(days) => form.set('expiryDays', days)}
          setLogo={(logo) => form.set('logo', logo)}
          errorOf={form.errorOf}
          readOnly={readOnly}
        />
        <TextInput
          label={messages.replyTo}
          description={messages.replyToHelp}
          type="email"
          maxLength={254}
          readOnly={readOnly}
          {...form.text('replyTo')}
        />
        <TextInput
          label={messages.reminderDays}
          description={messages.reminderDaysHelp}
          inputMode="numeric"
          readOnly={readOnly}
          {...form.text('reminderDays')}
        />
      </Stack>
    </Fieldset>
  )
}

const languages: readonly Organization['language'][] = ['en', 'de', 'fr', 'es']
const languageOf = (value: string): Organization['language'] => languages.find((language) => language === value) ?? 'en'

/** Saves the changes to the organization. If the slug changed, navigates to the new URL. */
function useSave(start: Values, done: (saved: Organization) => void) {
  const messages = useMessages(organizationMessages)
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const router = useRouter()
  return useChange(
    async (values: Values) => {
      const saved = await workspace.client.organization.update(changesOf(start, values))
      queries.setQueryData(organizationQuery(workspace).queryKey, saved)
      await queries.fetchQuery({ ...meQuery, staleTime: 0 })
      if (saved.slug === workspace.organization.slug) await router.invalidate()
      else await router.navigate({ to: '/$organization/settings/organization', params: { organization: saved.slug }, replace: true })
      return saved
    },
    { done: messages.saved, notifyFailure: false, onDone: done },
  )
}
