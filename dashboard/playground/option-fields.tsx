import { Button, Group, JsonInput, MultiSelect, NativeSelect, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { shownAtMost, sourceChoicesQuery } from '../lib/choices.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { filterOf } from './asked.ts'
import type { Choice, Draft } from './draft.ts'
import { playgroundMessages } from './messages.ts'

type SetDraft = <K extends keyof Draft>(name: K, value: Draft[K]) => void

interface OptionFieldsProps {
  draft: Draft
  set: SetDraft
  /** Errors by API path. */
  errors: Record<string, string>
  reset: () => void
}

const columns = { base: 1, xs: 2, md: 3 }

export function OptionFields({ draft, set, errors, reset }: OptionFieldsProps) {
  const messages = useMessages(playgroundMessages)
  return (
    <Stack>
      <SimpleGrid cols={columns}>
        <NumberField name="topK" label={messages.topK} max={100} min={1} {...{ draft, set }} error={errors['topK']} />
        <NumberField
          name="threshold"
          label={messages.threshold}
          max={1}
          min={0}
          step={0.05}
          {...{ draft, set }}
          error={errors['similarityThreshold']}
        />
        <NumberField name="perSource" label={messages.perSource} max={100} min={1} {...{ draft, set }} error={errors['perSourceLimit']} />
        <ChoiceField name="hybrid" label={messages.hybrid} help={messages.hybridHelp} {...{ draft, set }} />
        <ChoiceField name="rerank" label={messages.rerank} help={messages.rerankHelp} {...{ draft, set }} />
        <NumberField
          name="neighbours"
          label={messages.neighbours}
          help={messages.neighboursHelp}
          max={3}
          min={0}
          {...{ draft, set }}
          error={errors['neighbours']}
        />
        <NumberField
          name="budget"
          label={messages.budget}
          help={messages.budgetHelp}
          max={10_000}
          min={1}
          {...{ draft, set }}
          error={errors['latencyBudgetMs']}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {messages.thresholdHelp}
      </Text>
      <Sources draft={draft} set={set} error={errors['sourceIds']} />
      <Filter draft={draft} set={set} errors={errors} />
      <Group>
        <Button variant="subtle" size="sm" onClick={reset}>
          {messages.resetOptions}
        </Button>
      </Group>
    </Stack>
  )
}

type FieldOf<T> = { [K in keyof Draft]: Draft[K] extends T ? (T extends Draft[K] ? K : never) : never }[keyof Draft]

interface NumberFieldProps {
  name: FieldOf<number | ''>
  label: string
  help?: string
  min: number
  max: number
  step?: number
  draft: Draft
  set: SetDraft
  error: string | undefined
}

function NumberField({ name, label, help, min, max, step = 1, draft, set, error }: NumberFieldProps) {
  const { asSet } = useMessages(playgroundMessages)
  return (
    <NumberInput
      label={label}
      description={help}
      placeholder={asSet}
      min={min}
      max={max}
      step={step}
      allowDecimal={step < 1}
      value={draft[name]}
      onChange={(value) => set(name, typeof value === 'number' ? value : '')}
      error={error}
    />
  )
}

function ChoiceField({
  name,
  label,
  help,
  draft,
  set,
}: {
  name: FieldOf<Choice>
  label: string
  help: string
  draft: Draft
  set: SetDraft
}) {
  const messages = useMessages(playgroundMessages)
  const choices: readonly Choice[] = ['asSet', 'on', 'off']
  return (
    <NativeSelect
      label={label}
      description={help}
      value={draft[name]}
      onChange={(event) => set(name, choices.find((choice) => choice === event.currentTarget.value) ?? 'asSet')}
      data={choices.map((choice) => ({ value: choice, label: messages[choice] }))}
    />
  )
}

function Sources({ draft, set, error }: { draft: Draft; set: SetDraft; error: string | undefined }) {
  const messages = useMessages(playgroundMessages)
  const [baseId, ...others] = draft.bases
  if (baseId === undefined || others.length > 0) {
    return (
      <Text size="xs" c="dimmed">
        {messages.sourcesOfOne}
      </Text>
    )
  }
  return <SourcesOfBase baseId={baseId} draft={draft} set={set} error={error} />
}

function SourcesOfBase({ baseId, draft, set, error }: { baseId: string; draft: Draft; set: SetDraft; error: string | undefined }) {
  const messages = useMessages(playgroundMessages)
  const { data: sources = [] } = useQuery(sourceChoicesQuery(useWorkspace(), baseId))
  const unknown = draft.sources.filter((id) => !sources.some((source) => source.id === id))
  return (
    <MultiSelect
      label={messages.sources}
      data={[...sources.map(({ id, name }) => ({ value: id, label: name })), ...unknown.map((id) => ({ value: id, label: id }))]}
      value={draft.sources}
      onChange={(ids) => set('sources', ids)}
      error={error}
      searchable
      limit={shownAtMost}
      clearable
    />
  )
}

function Filter({ draft, set, errors }: { draft: Draft; set: SetDraft; errors: Record<string, string> }) {
  const messages = useMessages(playgroundMessages)
  const typed = filterOf(draft.filter)
  const parseError = 'error' in typed ? messages[typed.error] : undefined
  const serverErrors = Object.entries(errors).flatMap(([path, message]) => (path.startsWith('filter') ? [message] : []))
  return (
    <JsonInput
      label={messages.filter}
      description={messages.filterHelp}
      value={draft.filter}
      onChange={(text) => set('filter', text)}
      validationError={parseError}
      error={serverErrors.length > 0 ? [...new Set(serverErrors)].join(' ') : undefined}
      formatOnBlur
      autosize
      minRows={2}
      maxRows={14}
      spellCheck={false}
    />
  )
}
