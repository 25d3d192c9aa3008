import type { ContactImport } from '@groundwork/api'
import { Button, Group, NativeSelect, Paper, SimpleGrid, Stack, TagsInput, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { customFieldsQuery } from '../../lib/custom-fields.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { FormFrame } from '../../shell/form-frame.tsx'
import { sentBy, useForm } from '../../shell/form.ts'
import { fieldOptions, namedColumns, sameColumns } from './fields.ts'
import { formatOf, formatOptions, sentFormat, type FileFormat } from './file-format.ts'
import { FileFailure } from './import-record.tsx'
import { importMessages } from './messages.ts'
import { hasEnded } from './queries.ts'
import { storageUrlOf } from './search.ts'

const route = getRouteApi('/$organization/contacts/import')

/** Shows the columns as soon as the file was read, while the dry run with the guessed fields goes on. */
export function ColumnsStep({ check }: { check: ContactImport }) {
  const messages = useMessages(importMessages)
  if (check.mapping.length > 0) return <Columns check={check} />
  if (check.status === 'failed') return <FileFailure code={check.errorCode ?? 'internal'} action={<OtherFile />} />
  if (hasEnded(check)) return <FileFailure message={messages.noColumns} action={<OtherFile />} />
  return <Text role="status">{messages.reading}</Text>
}

function OtherFile() {
  const { otherFile } = useMessages(importMessages)
  return (
    <Button variant="default" renderRoot={(props) => <Link {...props} from="/$organization/contacts/import" search={{}} />}>
      {otherFile}
    </Button>
  )
}

const modes = ['upsert', 'create', 'update'] as const
const matches = ['externalId', 'email', 'phone'] as const
const blankChoices = ['keep', 'clear'] as const
/** The API takes this many columns. */
const maxMapped = 500

interface Values extends FileFormat {
  /** The field of each column; an empty string for none. Columns with the same name have the same field. */
  mapping: Record<string, string>
  mode: string
  matchOn: string
  blanks: string
  tags: string[]
  country: string
}

function Columns({ check }: { check: ContactImport }) {
  const messages = useMessages(importMessages)
  const workspace = useWorkspace()
  const { client } = workspace
  const navigate = route.useNavigate()
  const { upload = '', tags = [], country = '' } = route.useSearch()
  const { data: customFields = [] } = useQuery(customFieldsQuery(workspace, 'contact'))
  const [noField, setNoField] = useState(false)
  const columns = namedColumns(check.mapping)
  const form = useForm<Values>({
    mapping: Object.fromEntries(columns.map(({ column, field }) => [column, field ?? ''])),
    mode: check.mode,
    matchOn: check.matchOn ?? '',
    blanks: check.blanks,
    tags,
    country,
    ...formatOf(check),
  })
  const isOtherFormat = (values: FileFormat): boolean =>
    values.encoding !== (check.encoding ?? '') || values.delimiter !== (check.delimiter ?? '')
  const change = useChange(
    async (values: Values) => {
      // It may have ended meanwhile; a dry run that goes on changes nothing.
      if (!hasEnded(check)) await client.contactImports.cancel(check.id).catch(() => undefined)
      const mapping = Object.entries(values.mapping).map(([column, field]) => ({ column, field: field === '' ? null : field }))
      // In another format, the file has other columns.
      const ofColumns = {
        mapping: mapping.toSorted((a, b) => Number(a.field === null) - Number(b.field === null)).slice(0, maxMapped),
        ...(check.header !== null && { header: check.header }),
      }
      return client.contactImports.create({
        storageUrl: storageUrlOf(upload),
        dryRun: true,
        mode: modes.find((mode) => mode === values.mode),
        blanks: blankChoices.find((choice) => choice === values.blanks),
        matchOn: matches.find((field) => field === values.matchOn),
        ...sentFormat(values, messages),
        ...(!isOtherFormat(values) && ofColumns),
        ...(values.tags.length > 0 && { tags: values.tags }),
        ...(values.country.trim() !== '' && { country: values.country.trim().toUpperCase() }),
      })
    },
    {
      notifyFailure: false,
      onDone: ({ id }, values) =>
        void navigate({
          search: {
            upload,
            check: id,
            ...(!isOtherFormat(values) && { step: 'preview' }),
            ...(values.tags.length > 0 && { tags: values.tags }),
            ...(values.country !== '' && { country: values.country }),
          },
        }),
    },
  )
  const { onSubmit, error } = sentBy(form, change)
  const isOther = isOtherFormat(form.values)
  const submit = (): void => {
    const isEmpty = Object.values(form.values.mapping).every((field) => field === '') && !isOther
    setNoField(isEmpty)
    if (!isEmpty) onSubmit()
  }
  const options = fieldOptions(messages, customFields)
  const choices = (name: 'mode' | 'matchOn' | 'blanks', data: { value: string; label: string }[]) => ({
    data,
    value: form.values[name],
    error: form.errorOf(name),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => form.set(name, currentTarget.value),
  })
  const labelled = (labels: Readonly<Record<string, string>>) => Object.entries(labels).map(([value, label]) => ({ value, label }))
  return (
    <FormFrame
      onSubmit={submit}
      error={error}
      fields={['tags', 'country']}
      buttons={
        <Group justify="space-between">
          <OtherFile />
          {!isOther && (
            <Button type="submit" loading={change.isPending}>
              {messages.toPreview}
            </Button>
          )}
        </Group>
      }
    >
      <Paper withBorder p="md" component="section" aria-label={messages.columnsTitle}>
        <Title order={2} className="wrap">
          {check.fileName === '' ? messages.unnamed : check.fileName}
        </Title>
        {check.encoding !== null && (
          <Stack gap="xs" my="xs">
            <Text size="sm" c="dimmed">
              {messages.formatHelp}
            </Text>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <NativeSelect
                label={messages.encoding}
                data={formatOptions(messages.encodings, check.encoding)}
                value={form.values.encoding}
                onChange={({ currentTarget }) => form.set('encoding', currentTarget.value)}
              />
              <NativeSelect
                label={messages.delimiter}
                data={formatOptions(messages.delimiters, check.delimiter ?? '')}
                value={form.values.delimiter}
                onChange={({ currentTarget }) => form.set('delimiter', currentTarget.value)}
              />
            </SimpleGrid>
            {isOther && (
              <Group gap="sm">
                <Button type="submit" loading={change.isPending}>
                  {messages.readAgain}
                </Button>
                <Text size="sm" c="dimmed" role="status">
                  {messages.readAgainHelp}
                </Text>
              </Group>
            )}
          </Stack>
        )}
        <Text size="sm" c="dimmed" mb="xs">
          {messages.columnsHelp}
        </Text>
        <ul className="import-columns">
          {columns.map(({ column, field }) => {
            const same = sameColumns(check.mapping, { column, field })
            const samples = same.flatMap((each) => each.samples ?? [])
            return (
              <li key={column}>
                <div>
                  <Text fw={500} className="wrap">
                    {column}
                  </Text>
                  {same.length > 1 && <Text size="sm">{messages.sameHeader(same.length)}</Text>}
                  <Text size="sm" c="dimmed" className="wrap" lineClamp={2}>
                    {samples.length === 0 ? messages.noSamples : samples.join(' · ')}
                  </Text>
                </div>
                <NativeSelect
                  aria-label={messages.field(column)}
                  data={options}
                  value={form.values.mapping[column] ?? ''}
                  onChange={({ currentTarget }) => form.set('mapping', { ...form.values.mapping, [column]: currentTarget.value })}
                />
              </li>
            )
          })}
        </ul>
        {noField && (
          <Text c="var(--mantine-color-error)" size="sm" role="alert">
            {messages.noField}
          </Text>
        )}
      </Paper>
      <Paper withBorder p="md" component="section" aria-label={messages.optionsTitle}>
        <Title order={2} mb="sm">
          {messages.optionsTitle}
        </Title>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NativeSelect label={messages.mode} {...choices('mode', labelled(messages.modes))} />
            <NativeSelect label={messages.blanks} {...choices('blanks', labelled(messages.blankChoices))} />
            <NativeSelect
              label={messages.matchOn}
              {...choices(
                'matchOn',
                labelled(messages.matches).map(({ value, label }) => ({ value: value === 'auto' ? '' : value, label })),
              )}
            />
            <TextInput
              label={messages.country}
              description={messages.countryHelp}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maxLength={2}
              {...form.text('country')}
            />
          </SimpleGrid>
          <TagsInput label={messages.tags} {...form.field('tags')} maxTags={50} acceptValueOnBlur />
        </Stack>
      </Paper>
    </FormFrame>
  )
}
