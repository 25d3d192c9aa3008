import { NumberInput, Select } from '@mantine/core'
import type { Form } from '../shell/form.ts'
import { useMessages } from '../messages/messages.ts'
import type { Base } from './records.ts'
import { knowledgeMessages } from './messages.ts'

type Strategy = Base['ragSettings']['chunkingStrategy']

export interface Chunking {
  chunkingStrategy: Strategy
  chunkSize: number | string
  chunkOverlap: number | string
}

const strategies = ['semantic', 'sentence', 'fixed', 'markdown'] as const satisfies readonly Strategy[]

/** Converts the form values to API settings. The API rejects values that are not numbers. */
export const chunkingBody = ({ chunkingStrategy, chunkSize, chunkOverlap }: Chunking): Pick<Base['ragSettings'], keyof Chunking> => ({
  chunkingStrategy,
  chunkSize: Number(chunkSize),
  chunkOverlap: Number(chunkOverlap),
})

/** A form with these fields, and possibly others. */
type ChunkingForm = Pick<Form<Chunking>, 'values' | 'errorOf' | 'set' | 'field'>

/** The chunking settings. @param path the prefix of the field names in API errors, such as `ragSettings.` */
export function ChunkingFields({ form, path, disabled }: { form: ChunkingForm; path: string; disabled: boolean }) {
  const { settings: words } = useMessages(knowledgeMessages)
  const { values, set, errorOf, field } = form
  return (
    <>
      <Select
        label={words.chunkingStrategy}
        description={words.strategiesHelp[values.chunkingStrategy]}
        data={strategies.map((value) => ({ value, label: words.strategies[value] }))}
        value={values.chunkingStrategy}
        onChange={(value) => set('chunkingStrategy', strategies.find((known) => known === value) ?? 'semantic')}
        error={errorOf(`${path}chunkingStrategy`)}
        allowDeselect={false}
        disabled={disabled}
      />
      <NumberInput
        label={words.chunkSize}
        description={words.chunkSizeHelp}
        {...field('chunkSize', `${path}chunkSize`)}
        allowDecimal={false}
        step={64}
        disabled={disabled}
      />
      <NumberInput
        label={words.chunkOverlap}
        description={words.chunkOverlapHelp}
        {...field('chunkOverlap', `${path}chunkOverlap`)}
        allowDecimal={false}
        step={16}
        disabled={disabled}
      />
    </>
  )
}
