import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery } from '../lib/session.ts'
import { notifySuccess } from '../shell/notify.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { PasswordField } from './password-field.tsx'
import { ScanStep } from './scan-step.tsx'
import { sessionsKey } from './session-list.ts'
import { useAttempt } from './use-attempt.ts'
import { accountMessages } from './account-messages.ts'

type Action = 'enable' | 'disable' | 'newCodes'
type Step =
  | { name: 'start' }
  | { name: 'password'; action: Action }
  | { name: 'scan'; uri: string; codes: string[] }
  | { name: 'codes'; codes: string[] }

/** Manages two-factor authentication. Each change requires the password, so that an unattended session is not enough. */
export function TwoFactor({ on }: { on: boolean }) {
  const { twoFactor: words } = useMessages(accountMessages)
  const queries = useQueryClient()
  const [step, setStep] = useState<Step>({ name: 'start' })
  // Each change replaces the session.
  const refresh = async (): Promise<void> => {
    await Promise.all([meQuery.queryKey, sessionsKey].map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
  const done = async (message: string, next: Step): Promise<void> => {
    setStep(next)
    notifySuccess(message)
    await refresh()
  }
  const actions: Record<Action, (password: string) => Promise<void>> = {
    async enable(password) {
      const { totpURI, backupCodes } = await askAuth<{ totpURI: string; backupCodes: string[] }>('/two-factor/enable', { password })
      setStep({ name: 'scan', uri: totpURI, codes: backupCodes })
    },
    async disable(password) {
      await askAuth('/two-factor/disable', { password })
      await done(words.disabled, { name: 'start' })
    },
    async newCodes(password) {
      const { backupCodes } = await askAuth<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', { password })
      setStep({ name: 'codes', codes: backupCodes })
    },
  }
  if (step.name === 'password') return <PasswordStep onPassword={actions[step.action]} onCancel={() => setStep({ name: 'start' })} />
  if (step.name === 'scan')
    return <ScanStep uri={step.uri} onConfirmed={() => void done(words.enabled, { name: 'codes', codes: step.codes })} />
  if (step.name === 'codes') return <BackupCodes codes={step.codes} onSaved={() => setStep({ name: 'start' })} />
  const ask = (action: Action): void => setStep({ name: 'password', action })
  return (
    <Stack>
      <Text>{on ? words.on : words.off}</Text>
      <Group>
        {on ? (
          <>
            <Button variant="default" onClick={() => ask('newCodes')}>
              {words.newCodes}
            </Button>
            <Button variant="default" onClick={() => ask('disable')}>
              {words.disable}
            </Button>
          </>
        ) : (
          <Button onClick={() => ask('enable')}>{words.enable}</Button>
        )}
      </Group>
    </Stack>
  )
}

function PasswordStep({ onPassword, onCancel }: { onPassword: (password: string) => Promise<void>; onCancel: () => void }) {
  const messages = useMessages(accountMessages)
  const { cancel } = useMessages(sharedMessages)
  const [password, setPassword] = useState('')
  const attempt = useAttempt(() => onPassword(password))
  return (
    <Stack gap="xs">
      <AuthForm onSubmit={() => void attempt.run()} attempt={attempt} fields={['password']} action={messages.twoFactor.continue} inline>
        <PasswordField
          label={messages.password}
          description={messages.twoFactor.askPassword}
          value={password}
          onChange={setPassword}
          error={attempt.errorOf('password')}
        />
      </AuthForm>
      <Button variant="subtle" className="at-start" onClick={onCancel}>
        {cancel}
      </Button>
    </Stack>
  )
}
