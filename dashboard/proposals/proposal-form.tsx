import type { Proposal } from '@groundwork/api'
import { Alert, Button, Group, Textarea } from '@mantine/core'
import { etagOf, PreconditionFailedError } from '@groundwork/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { useConfirm } from '../shell/confirm.tsx'
import { FormFrame } from '../shell/form-frame.tsx'
import { useForm } from '../shell/form.ts'
import { LivePage } from '../shell/live-page.tsx'
import { WithPreview } from '../shell/with-preview.tsx'
import { useMessages } from '../messages/messages.ts'
import { BasicsFields } from './basics-fields.tsx'
import { recipientFields } from './draft-recipients.ts'
import { lineFields } from './line-editor.tsx'
import { OfferTotal } from './offer-total.tsx'
import { PricingFields } from './pricing-fields.tsx'
import { bodyOf, previewBodyOf, type Expiry, type ProposalValues } from './proposal-body.ts'
import { RecipientsEditor } from './recipients-editor.tsx'
import { organizationQuery, proposalsKey } from './queries.ts'
import { sectionFields } from './sections/draft-section.ts'
import { SectionsEditor } from './sections/sections-editor.tsx'
import { sendQuestion } from './send-question.tsx'
import { proposalMessages } from './messages.ts'

interface ProposalFormProps {
  start: ProposalValues
  /** The time zone of the organization in which `start` has its day. */
  timeZone: string
  draft?: Proposal
}

/** Creates a proposal or edits a draft. */
export function ProposalForm({ start, timeZone, draft }: ProposalFormProps) {
  const messages = useMessages(proposalMessages)
  // The last valid day of a new proposal is another one tomorrow.
  const form = useForm(start, draft === undefined ? 'new' : undefined)
  const { values } = form
  const expiry = { timeZone, before: draft?.expiresAt ?? null }
  const { save, isAsking } = useSave(draft, expiry)
  const isBusy = save.isPending && !isAsking
  const defaultCurrency = useQuery({ ...organizationQuery(useWorkspace()), enabled: useMay('organization:read') }).data?.defaultCurrency
  const currency = values.currency === '' ? (defaultCurrency ?? '') : values.currency
  const submit = (sending: boolean): void => {
    form.sending()
    save.mutate({ values, sending }, { onError: form.refuse })
  }
  const hasConflict = save.error instanceof PreconditionFailedError
  const buttons = (
    <Group justify="flex-end">
      <Button type="submit" variant="default" loading={isBusy && !save.variables.sending} disabled={save.isPending}>
        {messages.form.saveDraft}
      </Button>
      <Button loading={isBusy && save.variables.sending} disabled={save.isPending} onClick={() => submit(true)}>
        {messages.form.send}
      </Button>
    </Group>
  )
  return (
    <WithPreview preview={<LivePage content={previewBodyOf(values, currency, expiry)} help={messages.form.previewHelp} />}>
      <FormFrame onSubmit={() => submit(false)} error={hasConflict ? null : save.error} fields={shownFields(values)} buttons={buttons}>
        <BasicsFields form={form} defaultCurrency={defaultCurrency} timeZone={timeZone} />
        <RecipientsEditor
          values={values}
          onChange={({ recipients, signingOrder, counterSignature }) => {
            form.set('recipients', recipients)
            form.set('signingOrder', signingOrder)
            form.set('counterSignature', counterSignature)
          }}
          errorOf={form.errorOf}
        />
        <PricingFields form={form} currency={currency} />
        <OfferTotal values={values} currency={currency} />
        <Textarea label={messages.form.message} {...form.text('message')} maxLength={5000} autosize minRows={3} maxRows={14} />
        <SectionsEditor value={values.sections} onChange={(sections) => form.set('sections', sections)} errorOf={form.errorOf} />
        {hasConflict && (
          <Alert color="yellow" role="alert">
            {messages.form.changedMeanwhile}
          </Alert>
        )}
      </FormFrame>
    </WithPreview>
  )
}

/** API paths whose errors the inputs show. */
const shownFields = ({ priced, items, recipients, sections }: ProposalValues): string[] => [
  ...recipientFields(recipients),
  ...sectionFields(sections),
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
        ...items.flatMap((_item, index) => [`items.${index}`, ...lineFields.map((field) => `items.${index}.${field}`)]),
      ]),
]

/** Saves with If-Match, and sends the saved draft after a confirmation. After a conflict, the next attempt is based on the version on the server. */
function useSave(draft: Proposal | undefined, expiry: Expiry) {
  const messages = useMessages(proposalMessages)
  const { client, organization } = useWorkspace()
  const navigate = useNavigate()
  const confirm = useConfirm()
  const [version, setVersion] = useState(draft)
  // The button shows no progress while the question is open.
  const [isAsking, setAsking] = useState(false)
  const ask = async (saved: Proposal): Promise<boolean> => {
    setAsking(true)
    const isConfirmed = await confirm(sendQuestion(saved))
    setAsking(false)
    return isConfirmed
  }
  const save = useChange(
    async ({ values, sending }: { values: ProposalValues; sending: boolean }) => {
      const body = bodyOf(values, expiry)
      try {
        const saved =
          version === undefined
            ? await client.proposals.create({ ...body, draft: true })
            : await client.proposals.update(version.id, body, { headers: { 'If-Match': etagOf(version) } })
        setVersion(saved)
        const isSent = sending && (await ask(saved))
        return isSent ? await client.proposals.send(saved.id, {}, { headers: { 'If-Match': etagOf(saved) } }) : saved
      } catch (error) {
        if (error instanceof PreconditionFailedError && version !== undefined) setVersion(await client.proposals.get(version.id))
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
  return { save, isAsking }
}
