import { MultiSelect, TextInput } from '@mantine/core'
import type { Form } from '../../shell/form.ts'
import { useWords } from '../../words/words.ts'
import { eventTypes, webhookWords } from './words.ts'

export interface EndpointValues {
  url: string
  description: string
  eventTypes: string[]
}

export const endpointFields = ['url', 'description', 'eventTypes']

export function EndpointFields({ form }: { form: Form<EndpointValues> }) {
  const words = useWords(webhookWords)
  return (
    <>
      <TextInput type="url" label={words.url} description={words.urlHelp} {...form.text('url')} maxLength={2000} required data-autofocus />
      <TextInput label={words.description} {...form.text('description')} maxLength={500} />
      <MultiSelect
        label={words.eventTypes}
        description={words.eventTypesHelp}
        placeholder={form.values.eventTypes.length === 0 ? words.eventTypesPlaceholder : ''}
        data={eventTypes.map((type) => ({ value: type, label: words.events[type] }))}
        {...form.field('eventTypes')}
        searchable
        clearable
      />
    </>
  )
}

/** Converts the form values to a request body. An empty selection means all events. */
export const endpointBody = ({ url, description, eventTypes: chosen }: EndpointValues) => ({
  url,
  description,
  eventTypes: chosen.length === 0 ? null : eventTypes.filter((type) => chosen.includes(type)),
})
