import { MultiSelect, TextInput } from '@mantine/core'
import type { Form } from '../../shell/form.ts'
import { useMessages } from '../../messages/messages.ts'
import { eventTypes, webhookMessages } from './messages.ts'

export interface EndpointValues {
  url: string
  description: string
  eventTypes: string[]
}

export const endpointFields = ['url', 'description', 'eventTypes']

export function EndpointFields({ form }: { form: Form<EndpointValues> }) {
  const messages = useMessages(webhookMessages)
  return (
    <>
      <TextInput
        type="url"
        label={messages.url}
        description={messages.urlHelp}
        {...form.text('url')}
        maxLength={2000}
        required
        data-autofocus
      />
      <TextInput label={messages.description} {...form.text('description')} maxLength={500} />
      <MultiSelect
        label={messages.eventTypes}
        description={messages.eventTypesHelp}
        placeholder={form.values.eventTypes.length === 0 ? messages.eventTypesPlaceholder : ''}
        data={eventTypes.map((type) => ({ value: type, label: messages.events[type] }))}
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
