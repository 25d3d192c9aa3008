import type { Proposal } from '@groundwork/api'
import { formatAmount } from '@groundwork/api/money'
import { Alert, Button, Checkbox, Group, SegmentedControl, Select, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { etagOf, PreconditionFailedError } from '@groundwork/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormFrame } from '../shell/form-frame.tsx'
import { useForm } from '../shell/form.ts'
import { useMessages } from '../messages/messages.ts'
import { ContactPicker } from './contact-picker.tsx'
import { errorFields, ItemsEditor, shownAmount } from './items-editor.tsx'
import { bodyOf, dayHere, type ProposalValues } from './proposal-body.ts'
import { organizationQuery, proposalsKey } from './queries.ts'
import { totalsOfTyped, typedAmount } from './totals.ts'
import { proposalMessages } from './messages.ts'

/** Creates a proposal or edits a draft. */
export function ProposalForm({ start, draft }: { start: ProposalValues; draft?: Proposal }) {
  const messages = useMessages(proposalMessages)
  const form = useForm(start)
  const { values, set, errorOf } = form
  const save = useSave(draft)
  const defaultCurrency = useQuery({ ...organizationQuery(useWorkspace()), enabled: useMay('organization:read') }).data?.defaultCurrency
  const currency = values.currency === '' ? (defaultCurrency ?? '') : values.currency
  const total = totalOf(values, currency)
  const submit = (sending: boolean): void => save.mutate({ values, sending }, { onError: form.refuse })
  const hasConflict = save.error instanceof PreconditionFailedError
  const buttons = (
    <Group justify="flex-end">
      <Button type="submit" variant="default" loading={save.isPending && !save.variables.sending} disabled={save.isPending}>
        {messages.form.saveDraft}
      </Button>
      <Button loading={save.isPending && save.variables.sending} disabled={save.isPending} onClick={() => submit(true)}>
        {messages.form.send}
      </Button>
    </Group>
  )
  return (
    <FormFrame
      maw={820}
      onSubmit={() => submit(false)}
      error={hasConflict ? null : save.error}
      fields={shownFields(values)}
      buttons={buttons}
    >
      <TextInput label={messages.form.title} {...form.text('title')} maxLength={200} required />
      <ContactPicker {...form.field('contactId')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={messages.form.currency}
          description={messages.form.currencyHelp}
          placeholder={defaultCurrency}
          data={currencies}
          searchable
          clearable
          value={values.currency === '' ? null : values.currency}
          onChange={(code) => set('currency', code ?? '')}
          error={errorOf('currency')}
        />
        <TextInput
          type="date"
          label={messages.form.validUntil}
          description={messages.form.validUntilHelp}
          min={dayHere(new Date())}
          {...form.text('expiresAt')}
        />
      </SimpleGrid>
      <SegmentedControl
        aria-label={messages.form.pricing}
        data={[
          { value: 'lines', label: messages.form.byLines },
          { value: 'sum', label: messages.form.bySum },
        ]}
        value={values.priced}
        onChange={(priced) => set('priced', priced)}
      />
      {values.priced === 'lines' ? (
        <>
          <Checkbox label={messages.form.pricesIncludeTax} {...form.flag('pricesIncludeTax')} />
          <ItemsEditor
            items={values.items}
            onChange={(items) => set('items', items)}
            errorOf={errorOf}
            currency={currency}
            pricesIncludeTax={values.pricesIncludeTax}
          />
          <TextInput
            label={messages.form.discountOnWhole}
            description={messages.form.discountOnWholeHelp}
            {...form.text('discount')}
            error={errorOf('discount') ?? errorOf('discountPercent')}
          />
        </>
      ) : (
        <TextInput
          label={messages.form.totalAmount}
          description={messages.form.amountHelp}
          inputMode="decimal"
          {...form.text('totalAmount')}
          required
        />
      )}
      <Group justify="space-between" role="status" aria-live="polite">
        <Text fw={600}>{messages.form.total}</Text>
        <Text fw={700} size="lg" className="total">
          {total === undefined ? messages.form.incomplete : shownAmount(total, currency)}
        </Text>
      </Group>
      <Textarea label={messages.form.message} {...form.text('message')} maxLength={5000} autosize minRows={3} maxRows={14} />
      {hasConflict && (
        <Alert color="yellow" role="alert">
          {messages.form.changedMeanwhile}
        </Alert>
      )}
    </FormFrame>
  )
}

function totalOf(values: ProposalValues, currency: string): string | undefined {
  if (values.priced === 'lines') return totalsOfTyped({ ...values, currency })?.totalAmount
  const amount = typedAmount(values.totalAmount)
  return amount === undefined ? undefined : formatAmount(amount)
}

const currencies = Intl.supportedValuesOf('currency')

const shownFields = ({ priced, items }: ProposalValues): string[] => [
  'title',
  'contactId',
  'currency',
  'expiresAt',
  'message',
  ...(priced === 'sum'
    ? ['totalAmount']
    : [
        'discount',
        'discountPercent',
        ...items.flatMap((_item, index) => [
          `items.${index}`,
          ...Object.values(errorFields).flatMap((fields) => fields.map((field) => `items.${index}.${field}`)),
        ]),
      ]),
]

/** Saves with If-Match. After a conflict, the next attempt is based on the version on the server. */
function useSave(draft: Proposal | undefined) {
  const messages = useMessages(proposalMessages)
  const { client, organization } = useWorkspace()
  const navigate = useNavigate()
  const [version, setVersion] = useState(draft)
  return useChange(
    async ({ values, sending }: { values: ProposalValues; sending: boolean }) => {
      const body = bodyOf(values)
      if (version === undefined) return client.proposals.create({ ...body, draft: !sending })
      try {
        const saved = await client.proposals.update(version.id, body, { headers: { 'If-Match': etagOf(version) } })
        setVersion(saved)
        return sending ? await client.proposals.send(version.id, { headers: { 'If-Match': etagOf(saved) } }) : saved
      } catch (error) {
        if (error instanceof PreconditionFailedError) setVersion(await client.proposals.get(version.id))
        throw error
      }
    },
    {
      invalidates: () => [[organization.id, ...proposalsKey]],
      done: ({ status, number, title }) => (status === 'draft' ? messages.form.saved : messages.form.sent(number ?? title)),
      notifyFailure: false,
      onDone: ({ id }) =>
        void navigate({ to: '/$organization/proposals/$proposalId', params: { organization: organization.slug, proposalId: id } }),
    },
  )
}
