import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMessages } from '../messages/messages.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { useAttempt } from './use-attempt.ts'
import { authMessages } from './messages.ts'

/** The second step of sign-in: a code from the authenticator app, or a backup code. */
export default function CodeStep({ onDone }: { onDone: () => void }) {
  const { code: words } = useMessages(authMessages)
  const [code, setCode] = useState('')
  const [trustDevice, setTrustDevice] = useState(false)
  const [backup, setBackup] = useState(false)
  const attempt = useAttempt(async () => {
    await askAuth(backup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp', { code: code.trim(), trustDevice })
    onDone()
  })
  const toggleBackup = (): void => {
    setBackup(!backup)
    setCode('')
    attempt.clear()
  }
  return (
    <AuthFrame title={words.title} about={backup ? words.backupAbout : words.about}>
      <AuthForm onSubmit={() => void attempt.run()} attempt={attempt} fields={['code']} action={words.action}>
        <TextInput
          label={backup ? words.backupCode : words.code}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={attempt.errorOf('code')}
          autoComplete="one-time-code"
          inputMode={backup ? 'text' : 'numeric'}
          required
          autoFocus
        />
        <Checkbox label={words.trust} checked={trustDevice} onChange={(event) => setTrustDevice(event.currentTarget.checked)} />
      </AuthForm>
      <Button variant="subtle" fullWidth mt="sm" onClick={toggleBackup}>
        {backup ? words.useApp : words.useBackup}
      </Button>
    </AuthFrame>
  )
}
