import '@mantine/core/styles/Switch.css'
import { Button, Group, NumberInput, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { useConfirm } from '../shell/confirm.tsx'
import { useForm, type Form } from '../shell/form.ts'
import { useMayEdit } from '../shell/record-gone.tsx'
import { SaveForm } from '../shell/save-form.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { changedSettings, settingsOf, type Settings } from './base-settings.ts'
import { ChunkingEffect } from './chunking-effect.tsx'
import { ChunkingFields, chunkingBody } from './chunking-fields.tsx'
import { baseKey, baseQuery, basesKey } from './queries.ts'
import type { Base } from './records.ts'
import { knowledgeMessages } from './messages.ts'

const route = getRouteApi('/$organization/knowledge/$baseId/settings')

export function BaseSettingsPage() {
  const workspace = useWorkspace()
  const { baseId } = route.useParams()
  const base = useQuery(baseQuery(workspace, baseId))
  return (
    <Loaded query={base} skeleton={<SkeletonRows />}>
      {(data) => <SettingsForm key={data.id} base={data} />}
    </Loaded>
  )
}

/** Fields that show their own validation errors. */
const fields = [
  'name',
  'description',
  'language',
  'retrievalLog.days',
  ...['chunkingStrategy', 'chunkSize', 'chunkOverlap', 'topK', 'similarityThreshold'].map((name) => `ragSettings.${name}`),
]

function SettingsForm({ base }: { base: Base }) {
  const { settings: words, reindex } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const mayWrite = useMay('bases:write')
  const mayDelete = useMayEdit('bases:write')
  const form = useForm<Settings>(settingsOf(base))
  // `base` follows the changes of others, and the form does not.
  const [start, setStart] = useState(base)
  const change = useChange((values: Settings) => workspace.client.bases.update(base.id, changedSettings(start, values)), {
    invalidates: () => [basesKey(workspace)],
    done: ({ reindexing }) => (reindexing === null ? words.saved : words.savedReindexing),
    refusals: { conflict: reindex.isRunning },
    notifyFailure: false,
    onDone: (updated) => {
      setStart(updated)
      form.reset(settingsOf(updated))
    },
  })
  return (
    <Stack gap="xl" maw={720}>
      <SaveForm form={form} change={change} fields={fields} mayWrite={mayWrite} gap="xl">
        <GeneralSettings form={form} disabled={!mayWrite} />
        <Section title={words.chunking} help={words.chunkingHelp}>
          <ChunkingFields form={form} path="ragSettings." disabled={!mayWrite} />
          <ChunkingEffect baseId={base.id} chunking={chunkingBody(form.values)} />
        </Section>
        <SearchSettings form={form} disabled={!mayWrite} />
        <LogSettings form={form} disabled={!mayWrite} />
      </SaveForm>
      {mayDelete && <DeleteBase base={base} />}
    </Stack>
  )
}

interface SectionProps {
  form: Form<Settings>
  disabled: boolean
}

function Section({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <Stack component="section" aria-label={title}>
      <div>
        <Title order={2}>{title}</Title>
        {help !== undefined && (
          <Text size="sm" c="dimmed">
            {help}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  )
}

function GeneralSettings({ form, disabled }: SectionProps) {
  const messages = useMessages(knowledgeMessages)
  return (
    <Section title={messages.settings.general}>
      <TextInput label={messages.name} {...form.text('name')} disabled={disabled} required />
      <Textarea label={messages.description} {...form.text('description')} disabled={disabled} autosize minRows={2} maxRows={6} />
      <TextInput label={messages.language} description={messages.languageHelp} {...form.text('language')} disabled={disabled} />
      <Switch label={messages.settings.starred} description={messages.settings.starredHelp} {...form.flag('starred')} disabled={disabled} />
    </Section>
  )
}

function SearchSettings({ form, disabled }: SectionProps) {
  const { settings: words } = useMessages(knowledgeMessages)
  return (
    <Section title={words.search}>
      <NumberInput
        label={words.topK}
        description={words.topKHelp}
        {...form.field('topK', 'ragSettings.topK')}
        allowDecimal={false}
        disabled={disabled}
      />
      <NumberInput
        label={words.similarityThreshold}
        description={words.similarityThresholdHelp}
        {...form.field('similarityThreshold', 'ragSettings.similarityThreshold')}
        step={0.05}
        disabled={disabled}
      />
      {(['hybridSearch', 'rerank'] as const).map((name) => (
        <Switch key={name} label={words[name]} description={words[`${name}Help`]} {...form.flag(name)} disabled={disabled} />
      ))}
    </Section>
  )
}

function LogSettings({ form, disabled }: SectionProps) {
  const { settings: words } = useMessages(knowledgeMessages)
  return (
    <Section title={words.log}>
      <Switch label={words.logEnabled} description={words.logEnabledHelp} {...form.flag('logEnabled')} disabled={disabled} />
      {form.values.logEnabled && (
        <NumberInput label={words.days} {...form.field('days', 'retrievalLog.days')} allowDecimal={false} disabled={disabled} />
      )}
    </Section>
  )
}

function DeleteBase({ base: { id, name, stats } }: { base: Base }) {
  const { settings: words } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const remove = useChange(() => workspace.client.bases.delete(id), {
    done: words.deleted(name),
    onDone: () => void navigate({ to: '/$organization/knowledge', params: { organization: workspace.organization.slug } }),
    invalidates: () => [[...basesKey(workspace), 'list'], baseKey(workspace, id)],
  })
  const ask = async (): Promise<void> => {
    const question = {
      title: words.deleteTitle(name),
      body: words.deleteHelp(words.sources(stats.sources)),
      action: words.delete,
      typed: name,
    }
    if (await confirm(question)) remove.mutate()
  }
  return (
    <Section title={words.danger} help={words.dangerHelp}>
      <Group>
        <Button color="red" variant="outline" loading={remove.isPending} onClick={() => void ask()}>
          {words.delete}
        </Button>
      </Group>
    </Section>
  )
}
