import { Select, Textarea, TextInput } from '@mantine/core'
import { useMessages } from '../messages/messages.ts'
import { channels, consentStates, type ConsentValues } from './consent-values.ts'
import { contactMessages } from './messages.ts'

interface ConsentInputsProps {
  values: ConsentValues
  set: <K extends keyof ConsentValues>(name: K, value: ConsentValues[K]) => void
  errorOf?: (field: 'at' | 'source' | 'wording') => string | undefined
}

/** The fields of a consent. */
export function ConsentInputs({ values, set, errorOf = () => undefined }: ConsentInputsProps) {
  const { consent: messages } = useMessages(contactMessages)
  return (
    <>
      <Select
        label={messages.channel}
        data={channels.map((value) => ({ value, label: messages.channels[value] }))}
        value={values.channel}
        onChange={(channel) => channel !== null && set('channel', channel)}
        allowDeselect={false}
      />
      <Select
        label={messages.state}
        data={consentStates.map((value) => ({ value, label: messages.states[value] }))}
        value={values.state}
        onChange={(state) => state !== null && set('state', state)}
        allowDeselect={false}
      />
      <TextInput
        label={messages.at}
        description={messages.atHelp}
        type="datetime-local"
        value={values.at}
        onChange={({ currentTarget }) => set('at', currentTarget.value)}
        error={errorOf('at')}
      />
      <TextInput
        label={messages.source}
        description={messages.sourceHelp}
        maxLength={200}
        value={values.source}
        onChange={({ currentTarget }) => set('source', currentTarget.value)}
        error={errorOf('source')}
      />
      <Textarea
        label={messages.wording}
        description={messages.wordingHelp}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={5000}
        value={values.wording}
        onChange={({ currentTarget }) => set('wording', currentTarget.value)}
        error={errorOf('wording')}
      />
    </>
  )
}
