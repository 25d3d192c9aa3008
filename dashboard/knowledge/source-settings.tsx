import '@mantine/core/styles/Switch.css'
import type { Source } from './records.ts'
import { ActionIcon, Button, Group, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { useForm } from '../shell/form.ts'
import { SaveForm } from '../shell/save-form.tsx'
import { useMessages } from '../messages/messages.ts'
import { metadataChanges, metadataRows, type MetadataRow } from './metadata.ts'
import { sourcesKeys } from './queries.ts'
import { useSourceActions } from './source-actions.tsx'
import { knowledgeMessages } from './messages.ts'

const never = 'never'

export default function SourceSettings({ source }: { source: Source }) {
  const { source: words, address } = useMessages(knowledgeMessages)
  const workspace = useWorkspace()
  const mayWrite = useMay('sources:write')
  const form = useForm({
    name: source.name,
    enabled: source.enabled,
    syncSchedule: source.syncSchedule ?? never,
    metadata: metadataRows(source.metadata),
  })
  const change = useChange(
    ({ name, enabled, syncSchedule, metadata }: typeof form.values) =>
      workspace.client.bases.sources.update(source.baseId, source.id, {
        name,
        enabled,
        ...(source.url !== undefined && {
          syncSchedule: (['hourly', 'daily', 'weekly'] as const).find((known) => known === syncSchedule) ?? null,
        }),
        metadata: metadataChanges(source.metadata, metadata),
      }),
    {
      invalidates: () => sourcesKeys(workspace, source.baseId),
      done: words.saved,
      notifyFailure: false,
      onDone: (_saved, values) => form.reset(values),
    },
  )
  return (
    <Stack gap="xl" maw={640}>
      <SaveForm form={form} change={change} fields={['name', 'syncSchedule']} mayWrite={mayWrite}>
        <TextInput label={words.name} {...form.text('name')} disabled={!mayWrite} required />
        <Switch label={words.enabled} description={words.enabledHelp} {...form.flag('enabled')} disabled={!mayWrite} />
        {source.url !== undefined && (
          <Select
            label={words.schedule}
            data={([never, 'hourly', 'daily', 'weekly'] as const).map((value) => ({ value, label: address.schedules[value] }))}
            value={form.values.syncSchedule}
            onChange={(value) => form.set('syncSchedule', value ?? never)}
            error={form.errorOf('syncSchedule')}
            disabled={!mayWrite}
            allowDeselect={false}
          />
        )}
        <Metadata rows={form.values.metadata} onChange={(rows) => form.set('metadata', rows)} mayWrite={mayWrite} />
      </SaveForm>
      {mayWrite && <DeleteSource source={source} />}
    </Stack>
  )
}

function Metadata({
  rows,
  onChange,
  mayWrite,
}: {
  rows: readonly MetadataRow[]
  onChange: (rows: MetadataRow[]) => void
  mayWrite: boolean
}) {
  const { source: words } = useMessages(knowledgeMessages)
  const set = (index: number, changes: Partial<MetadataRow>): void =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...changes } : row)))
  return (
    <Stack gap="xs" component="fieldset" className="plain-fieldset">
      <Text component="legend" size="sm" fw={500}>
        {words.metadata}
      </Text>
      <Text size="xs" c="dimmed">
        {words.metadataHelp}
      </Text>
      {rows.map((row, index) => (
        <Group key={row.id} gap="xs" wrap="nowrap">
          <TextInput
            aria-label={words.key}
            placeholder={words.key}
            value={row.key}
            onChange={(event) => set(index, { key: event.currentTarget.value })}
            disabled={!mayWrite}
            flex={1}
          />
          <TextInput
            aria-label={words.value}
            placeholder={words.value}
            value={row.value}
            onChange={(event) => set(index, { value: event.currentTarget.value })}
            disabled={!mayWrite}
            flex={2}
          />
          {mayWrite && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={words.removeMetadata(row.key)}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {mayWrite && (
        <Group>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onChange([...rows, { id: Math.max(0, ...rows.map(({ id }) => id)) + 1, key: '', value: '' }])}
          >
            {words.addMetadata}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function DeleteSource({ source }: { source: Source }) {
  const { source: words, sources } = useMessages(knowledgeMessages)
  const { organization } = useWorkspace()
  const navigate = useNavigate()
  const { remove } = useSourceActions(source, () => {
    void navigate({ to: '/$organization/knowledge/$baseId/sources', params: { organization: organization.slug, baseId: source.baseId } })
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2}>{words.danger}</Title>
      <Text size="sm" c="dimmed">
        {sources.deleteHelp}
      </Text>
      <Button color="red" variant="outline" onClick={() => void remove()}>
        {sources.delete}
      </Button>
    </Stack>
  )
}
