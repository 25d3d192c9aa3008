import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { currencyOptions } from '../lib/code-names.ts'
import { dayIn } from '../lib/zone-days.ts'
import type { Form } from '../shell/form.ts'
import { useMessages } from '../messages/messages.ts'
import { ContactPicker } from '../shell/contact-picker.tsx'
import { useOptionsOnFocus } from '../shell/options-on-focus.ts'
import type { ProposalValues } from './proposal-body.ts'
import { proposalMessages } from './messages.ts'

interface BasicsFieldsProps {
  form: Form<ProposalValues>
  defaultCurrency: string | undefined
  /** The time zone of the organization. */
  timeZone: string
}

/** Inputs for title, contact, currency and expiry. */
export function BasicsFields({ form, defaultCurrency, timeZone }: BasicsFieldsProps) {
  const { form: words } = useMessages(proposalMessages)
  const { values, set, errorOf } = form
  const currencies = useOptionsOnFocus()
  return (
    <>
      <TextInput label={words.title} {...form.text('title')} maxLength={200} required />
      <ContactPicker label={words.contact} {...form.field('contactId')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          {...currencies}
          label={words.currency}
          description={words.currencyHelp}
          placeholder={defaultCurrency}
          data={currencyOptions()}
          searchable
          clearable
          value={values.currency === '' ? null : values.currency}
          onChange={(code) => set('currency', code ?? '')}
          error={errorOf('currency')}
        />
        <TextInput
          type="date"
          label={words.validUntil}
          description={words.validUntilHelp}
          min={dayIn(new Date(), timeZone)}
          {...form.text('expiresAt')}
        />
      </SimpleGrid>
    </>
  )
}
