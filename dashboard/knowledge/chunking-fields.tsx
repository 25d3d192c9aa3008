import { NumberInput, Select } from '@mantine/core'
import type { Form } from '../shell/form.ts'
import { useWords } from '../words/words.ts'
import type { Base } from './records.ts'
import { knowledgeWords } from './words.ts'

type Strategy = Base['ragSettings']['chunkingStrategy']

export interface Chunking {
  chunkingStrategy: Strategy
  chunkSize: number | string
  chunkOverlap: number | string
}

const strategies = ['semantic', 'sentence', 'fixed', 'markdown'] as const satisfies readonly Strategy[]

/** As the API takes it: what is no number is refused there, at its field. */
export const chunkingBody = ({ chunkingStrategy, chunkSize, chunkOverlap }: Chunking): Pick<Base['ragSettings'], keyof Chunking> => ({
  chunkingStrategy,
  chunkSize: Number(chunkSize),
  chunkOverlap: Number(chunkOverlap),
})

/** A form that has these fields, and maybe others. */
type ChunkingForm = Pick<Form<Chunking>, 'values' | 'errorOf' | 'set' | 'field'>

/** How documents are cut. @param path in front of the fields in what the service says of them */
export function ChunkingFields({ form, path, disabled }: { form: ChunkingForm; path: string; disabled: boolean }) {
  const { settings: words } = useWords(knowledgeWords)
  const { values, set, errorOf, field } = form
  return (
    <>
      <Select
        label={words.chunkingStrategy}
        description={words.strategiesHelp[values.chunkingStrategy]}
        data={strategies.map((value) => ({ value, label: words.strategies[value] }))}
        value={values.chunkingStrategy}
        onChange={(value) => set('chunkingStrategy', strategies.find((one) => one === value) ?? 'semantic')}
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
