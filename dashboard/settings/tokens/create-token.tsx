import type { Scope } from '@groundwork/api'
import { Checkbox, MultiSelect, NativeSelect, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { baseChoicesQuery, shownAtMost } from '../../lib/choices.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { CopyableCode } from '../../shell/copyable-code.tsx'
import { useForm } from '../../shell/form.ts'
import { useMessages } from '../../messages/messages.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { endOfDay, expiryNames, expiresAfter, today, type Expiry } from './expiry.ts'
import { firstCall } from './first-call.ts'
import { tokensKey } from './queries.ts'
import { ScopeFields } from './scope-fields.tsx'
import { tokenMessages } from './messages.ts'

interface Values {
  name: string
  scopes: readonly Scope[]
  baseIds: string[]
  expiresAt: Expiry
  day: string
  agent: boolean
}

const fields = ['name', 'scopes', 'baseIds', 'expiresAt']
const start: Values = { name: '', scopes: ['search:read'], baseIds: [], expiresAt: 'days90', day: '', agent: false }

/** Creates a token, then shows its secret. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const messages = useMessages(tokenMessages)
  const workspace = useWorkspace()
  const bases = useQuery(baseChoicesQuery(workspace))
  const form = useForm(start)
  const [dayMissing, setDayMissing] = useState(false)
  const change = useChange(
    ({ name, scopes, baseIds, expiresAt, day, agent }: Values) =>
      workspace.client.tokens.create({
        name,
        scopes: [...scopes],
        baseIds: baseIds.length === 0 ? null : baseIds,
        agent,
        expiresAt: expiresAt === 'day' ? endOfDay(day) : expiresAfter(expiresAt, Date.now()),
      }),
    { invalidates: () => [tokensKey(workspace)], notifyFailure: false },
  )
  if (change.data !== undefined) return <Created token={change.data} onClose={onClose} />
  const submit = (): void => {
    const missing = form.values.expiresAt === 'day' && form.values.day === ''
    setDayMissing(missing)
    if (missing) return
    form.sending()
    change.mutate(form.values, { onError: form.refuse })
  }
  return (
    <FormDialog
      title={messages.newToken}
      size="lg"
      onClose={onClose}
      form={form}
      onSubmit={submit}
      action={messages.create}
      busy={change.isPending}
      error={change.error}
      fields={fields}
    >
      <TextInput label={messages.name} description={messages.nameHelp} {...form.text('name')} maxLength={200} required data-autofocus />
      <ScopeFields {...form.field('scopes')} />
      <Checkbox
        label={messages.agent}
        description={messages.agentHelp}
        checked={form.values.agent}
        onChange={(event) => form.set('agent', event.currentTarget.checked)}
      />
      {bases.data !== undefined && bases.data.length > 0 && (
        <MultiSelect
          label={messages.limitBases}
          description={messages.limitBasesHelp}
          placeholder={form.values.baseIds.length === 0 ? messages.limitBasesPlaceholder : ''}
          data={bases.data.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('baseIds')}
          searchable
          limit={shownAtMost}
          clearable
        />
      )}
      <NativeSelect
        label={messages.expiry}
        value={form.values.expiresAt}
        onChange={(event) => form.set('expiresAt', expiryNames.find((name) => name === event.currentTarget.value) ?? 'days90')}
        data={expiryNames.map((name) => ({ value: name, label: messages.expiries[name] }))}
        error={form.errorOf('expiresAt')}
      />
      {form.values.expiresAt === 'day' && (
        <TextInput
          type="date"
          label={messages.lastDay}
          min={today()}
          {...form.text('day')}
          error={dayMissing && form.values.day === '' && messages.noDay}
        />
      )}
    </FormDialog>
  )
}

interface CreatedProps {
  token: { token: string; scopes: readonly Scope[]; baseIds: readonly string[] | null }
  onClose: () => void
}

function Created({ token: { token, scopes, baseIds }, onClose }: CreatedProps) {
  const messages = useMessages(tokenMessages)
  const call = firstCall({ origin: window.location.origin, token, scopes, baseIds })
  return (
    <SecretDialog title={messages.createdTitle} name={messages.secret} secret={token} onClose={onClose}>
      {call !== undefined && (
        <>
          <Text size="sm" fw={500}>
            {messages.firstCall}
          </Text>
          <CopyableCode name={messages.firstCall} code={call} />
        </>
      )}
    </SecretDialog>
  )
}
